package surrogate_test

import (
	"fmt"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// A point whose answer is pending enters with a stand-in target, which a later Retarget replaces.
func Example() {
	prior, _ := surrogate.DefaultPrior("matern52", 2)
	post, _ := prior.Condition([]space.Unit{{0.1, 0.2}, {0.7, 0.9}}, []float64{-0.4, 1.1}, nil)
	post = post.Append(space.Unit{0.5, 0.5}, 0)
	_, pending := post.Predict(space.Unit{0.5, 0.5})
	post = post.Retarget([]float64{-0.4, 1.1, 0.6})
	mean, variance := post.Predict(space.Unit{0.5, 0.5})
	fmt.Printf("mean %.3f, variance %.4f (%.4f while pending)\n", mean, variance, pending)
	// Output: mean 0.597, variance 0.0067 (0.0067 while pending)
}
