package policies_test

import (
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Where what pends is left out an answer of a repeat still says which query was first to ask.
func TestWithoutPendingARepeatIsStillOne(t *testing.T) {
	v := policies.View{Space: must.Get(space.New(space.Float("x", 0, 1)))(t)}
	for number := 1; number <= 6; number++ {
		v.Queries = append(v.Queries, policies.Query{Number: number, Round: number, X: space.Unit{float64(number) / 8}, Probability: float64(number) / 8})
	}
	v.Pending = []int{1, 2, 3, 4}
	v.History = []policies.Answer{{Query: v.Queries[5], AgainOf: 5}}
	bare := v.WithoutPending()
	if a := bare.History[0]; a.Query.Number != 2 || a.AgainOf != 1 || bare.First(a).Probability != 5./8 || v.First(v.History[0]).Number != 5 {
		t.Errorf("%+v", bare.History)
	}
}
