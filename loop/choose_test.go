package loop

import (
	"testing"

	"github.com/tarry-bo/tarry/feedback"
)

// A policy that wants it gets fits that choose among three kernels, or keep the one that the configuration names; hyperparameters
// that are known leave nothing to choose.
func TestWhoseKernelAFitChooses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   int
	}{
		"any":    {func(*Config) {}, 3},
		"named":  {func(c *Config) { c.Model.Kernel = "se" }, 1},
		"known":  {func(c *Config) { c.Model = Model{Hyper: []float64{0.4, 0.5, 1}, Noise: 0.05} }, 0},
		"unless": {func(c *Config) { c.Traits.Adapts = false }, 0},
	} {
		config := storyConfig(t, "box", feedback.Hallucinate)
		c.change(&config)
		s := newStory(t, config, 3, 6).until(9)
		if got := len(s.loop.config.kernels()); got != c.want {
			t.Errorf("%s: %d kernels to choose from, want %d", name, got, c.want)
		}
	}
}
