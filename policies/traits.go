package policies

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/model"
)

// Traits is what the loop must know to keep the right model ready.
type Traits struct {
	Name       string              // the policy as Parse reads it, options included
	Model      bool                // whether the policy looks at a posterior; without, none is computed
	Pending    feedback.Imputation // what a pending query contributes to that posterior
	Also       []model.Want        // further beliefs that the policy looks at, besides that of the objective seen as Pending says
	Draws      bool                // whether the policy draws functions from its posteriors
	Adapts     bool                // whether fits choose the kernel and a warp of the values too, by the evidence, and failures have no value: Maximize keeps away from them
	Widens     bool                // whether deviations of forecasts are multiplied by Overconfidence; predictions then are too
	Earlier    bool                // whether the policy looks at the models of earlier studies
	Fidelities bool                // whether the policy chooses the fidelity of a query; without, all are of the greatest
	Particles  int                 // members of the objective (model.Members), of which Also names all but the first; 0: none
	Layers     []int               // of a network that is the members' kernel; nil: the study's kernel is
	Bandit     bool                // whether queries are plays with known probabilities (Proposal.Probability): none is moved aside or part of a design
	Taught     bool                // whether the policy begins with what earlier tasks taught a bandit (View.Taught)
	Barrier    int                 // queries a batch; 0 or 1 means that a query starts whenever a slot is free
	Safety     Safety              // what the policy wants of constraints while the study runs; zero: nothing
}

// Beliefs returns what the policy looks at: the objective with pending queries as Pending says, and then Also.
func (t Traits) Beliefs() []model.Want {
	return append([]model.Want{{Output: model.Objective, Pending: t.Pending}}, t.Also...)
}

// Equal reports whether two policies need the same.
func (t Traits) Equal(other Traits) bool {
	return t.Name == other.Name && t.Model == other.Model && t.Pending == other.Pending && slices.Equal(t.Also, other.Also) &&
		t.Draws == other.Draws && t.Adapts == other.Adapts && t.Widens == other.Widens && t.Earlier == other.Earlier && t.Fidelities == other.Fidelities &&
		t.Particles == other.Particles && slices.Equal(t.Layers, other.Layers) && t.Bandit == other.Bandit && t.Taught == other.Taught && t.Barrier == other.Barrier && t.Safety.Equal(other.Safety)
}

// String returns the traits in words, the name in quotes.
func (t Traits) String() string {
	also := ""
	if len(t.Also) > 0 {
		also = fmt.Sprintf(", also %v", t.Also)
	}
	if t.Earlier {
		also += ", earlier studies"
	}
	if t.Particles > 0 {
		also += fmt.Sprintf(", %d particles of layers %v", t.Particles, t.Layers)
	}
	if t.Bandit {
		also += ", plays of a bandit"
	}
	if t.Taught {
		also += ", taught"
	}
	if t.Safety.Seeds {
		also += ", safety: " + t.Safety.String()
	}
	return fmt.Sprintf("%q (model %t, pending %v%s, draws %t, adapts %t, widens %t, fidelities %t, barrier %d)", t.Name, t.Model, t.Pending, also, t.Draws, t.Adapts, t.Widens, t.Fidelities, t.Barrier)
}

// Validate returns an error where the name is that of a policy which has other traits: the loop would keep another model ready
// than the policy wants. It names both. What Parse does not know is a policy of somebody's own.
func (t Traits) Validate(path string) error {
	policy, err := Parse(t.Name)
	if err != nil || policy.Traits().Equal(t) {
		return nil
	}
	return &check.FieldError{Field: path, Value: t, Want: fmt.Sprintf("those of the policy of that name, %v", policy.Traits())}
}

// Match returns an error that names both where the traits are not those of the policy: it was changed, or is another one.
func (t Traits) Match(p Policy) error {
	if now := p.Traits(); !now.Equal(t) {
		return fmt.Errorf("the policy is %v, want %v", now, t)
	}
	return nil
}
