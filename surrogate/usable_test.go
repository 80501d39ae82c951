package surrogate

import (
	"testing"

	"github.com/tarry-bo/tarry/space"
)

// A model that believes in tiny values and is told huge ones gets weights of which no prediction can be made, and says so.
// Hallucinating on it does not panic, and more noise makes it usable.
func TestWeightsBeyondAllBoundsAreSeen(t *testing.T) {
	k := Stationary{Family: SE, Lengthscales: []float64{0.5}, Outputscale: 1e-99}
	x, y := []space.Unit{{0.1}, {0.4}, {0.4}, {0.9}}, []float64{1e100, -1e100, 1e100, 0}
	post := condition(t, Prior{Kernel: k, Noise: 1e-104}, x, y, nil)
	if post.Usable() {
		t.Errorf("weights %v count as usable", post.alpha)
	}
	post.Hallucinate(y, []int{1, 3})
	calm := condition(t, Prior{Kernel: k, Noise: 1e-6}, x, y, nil)
	if mean, variance := calm.Predict([]float64{0.2}); !calm.Usable() || !isFinite(mean) || !isFinite(variance) {
		t.Errorf("with noise: mean %v, variance %v", mean, variance)
	}
}
