package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/space"
)

// Uniform chooses independent uniform points. It is the baseline, and a study falls back to it when its policy fails.
type Uniform struct{}

var _ = Register(Entry{
	Name:     "random",
	Summary:  "independent uniform points",
	Source:   "Bergstra and Bengio 2012",
	Baseline: true,
}, Uniform{})

// Settings are none.
func (*Uniform) Settings() Settings { return nil }

// Traits asks for no model.
func (Uniform) Traits() Traits { return Traits{Name: "random"} }

// Explain says that nothing is maximized.
func (Uniform) Explain(View, *rand.Rand) (Explanation, error) {
	return atRandom("the policy draws a uniform point, whatever has come"), nil
}

// Propose returns uniform points at the view's context.
func (Uniform) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	var avoid []space.Unit
	proposals := make([]Proposal, count)
	for k := range proposals {
		x := view.Random(stream, avoid)
		avoid = append(avoid, x)
		proposals[k] = Proposal{X: x}
	}
	return proposals, nil
}
