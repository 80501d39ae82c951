package loop

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// A policy that wants it gets fits that choose among four kernels, or keep the one that the configuration names; hyperparameters
// that are known leave nothing to choose.
func TestWhoseKernelAFitChooses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Config)
		want   int
	}{
		"any":    {func(*Config) {}, 4},
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

// Sums and surfaces are for functions of several coordinates, surfaces for those whose coordinates are numbers, and not many.
func TestWhatSumsAFitChoosesFrom(t *testing.T) {
	numbers := func(n int, more ...space.Parameter) space.Space {
		for i := range n {
			more = append(more, space.Float(string(rune('a'+i)), 0, 1))
		}
		return smallSpace(t, more...)
	}
	for name, c := range map[string]struct {
		where space.Space
		want  string
	}{
		"one number":  {numbers(1), ""},
		"two":         {numbers(2), "additive-se additive-matern52 quadric quartic"},
		"twelve":      {numbers(12), "additive-se additive-matern52 quadric quartic"},
		"thirteen":    {numbers(13), "additive-se additive-matern52"},
		"a choice":    {numbers(2, space.Categorical("kind", "x", "y")), "additive-se additive-matern52"},
		"one choice":  {numbers(2, space.Categorical("kind", "x")), "additive-se additive-matern52 quadric quartic"},
		"at contexts": {numbers(2, space.Float("hour", 0, 24).AsContext()), ""},
	} {
		var got []string
		for _, k := range (Config{Space: c.where, Traits: policies.Auto{}.Traits()}).sums() {
			got = append(got, k.Name())
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// Kernels of warped coordinates are those of the four families, unless a kernel is named, over a fidelity too.
func TestWhatWarpedCoordinatesAFitChoosesFrom(t *testing.T) {
	adapts := policies.Auto{}.Traits()
	fixed := adapts
	fixed.Adapts = false
	x, kind := space.Float("x", 0, 1), space.Categorical("kind", "red", "green")
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"one number":  {Config{Space: smallSpace(t, x), Traits: adapts}, "warped-matern52 warped-se warped-matern32 warped-rq"},
		"a choice":    {Config{Space: smallSpace(t, x, kind), Traits: adapts}, "warped-matern52 warped-se warped-matern32 warped-rq"},
		"named":       {Config{Space: smallSpace(t, x), Traits: adapts, Model: Model{Kernel: "se"}}, ""},
		"unless":      {Config{Space: smallSpace(t, x), Traits: fixed}, ""},
		"at contexts": {Config{Space: smallSpace(t, x, space.Float("hour", 0, 24).AsContext()), Traits: adapts}, "warped-matern52 warped-se warped-matern32 warped-rq"},
		"a fidelity":  {Config{Space: smallSpace(t, x, space.Ordered("part", 1, 2).AsFidelity(1, 2)), Traits: adapts}, "icm-warped-matern52 icm-warped-se icm-warped-matern32 icm-warped-rq"},
	} {
		var got []string
		for _, k := range c.config.warped() {
			got = append(got, k.Name())
			of, _ := surrogate.Unwarped(k)
			if icm, over := of.(surrogate.ICM); over {
				of = surrogate.WithConstant(icm.Base(), learnedConstant) // it has none
			}
			stationary := of.(surrogate.Stationary)
			if marks := c.config.Space.Categorical(); stationary.Constant != learnedConstant || stationary.Categorical != nil && marks[1] != stationary.Categorical[1] {
				t.Errorf("%s: %+v", name, k)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// Where fits choose, how high the function lies is unknown: kernels say so from the first query on. It is not where the hyperparameters are known or fits
// do not choose, nor over a fidelity.
func TestWhereTheConstantIsUnknown(t *testing.T) {
	where := smallSpace(t, space.Float("a", 0, 1), space.Float("b", 0, 1))
	for name, c := range map[string]struct {
		config Config
		want   float64
	}{
		"chosen":   {Config{Space: where, Traits: policies.Auto{}.Traits()}, 2},
		"named":    {Config{Space: where, Traits: policies.Auto{}.Traits(), Model: Model{Kernel: "se"}}, 2},
		"known":    {Config{Space: where, Traits: policies.Auto{}.Traits(), Model: Model{Hyper: []float64{0.4, 0.5, 1}, Noise: 0.05}}, 1},
		"fixed":    {Config{Space: where, Traits: named(t, "gp-bucb").Traits()}, 1},
		"fidelity": {Config{Space: smallSpace(t, space.Float("a", 0, 1), space.Ordered("part", 1, 3, 9).AsFidelity(1, 3, 9)), Traits: policies.Auto{}.Traits()}, 1},
	} {
		prior, err := c.config.prior()
		if err != nil {
			t.Fatal(name, err)
		}
		for _, k := range append(c.config.kernels(), prior.Kernel) {
			x := make(space.Unit, k.Dim())
			values := k.Values()
			scale := values[2]
			if name == "fidelity" {
				scale = values[1]
			}
			if got := k.Diag(x) / scale; got != c.want {
				t.Errorf("%s: %s has a variance of %v outputscales, want %v", name, k.Name(), got, c.want)
			}
		}
	}
}
