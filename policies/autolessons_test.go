package policies

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// Earlier studies have every second turn of a query while one of them has a weight, all before three answers, and none once all have misled and there are
// as many queries as a design has.
func TestEarlierStudiesHaveTheirTurns(t *testing.T) {
	like := func(u float64) float64 { return 1 - 9*(u-.33)*(u-.33) }
	unlike := func(u float64) float64 { return 8*(u-.3)*(u-.3) - 1 }
	for name, c := range map[string]struct {
		x       []space.Unit
		earlier []string
		every   int
		want    []bool // in four rounds
	}{
		"one is alike":         {fewAnswers, []string{"like", "unlike"}, 2, []bool{false, true, false, true}},
		"in every round":       {fewAnswers, []string{"like"}, 1, []bool{true, true, true, true}},
		"in one of three":      {fewAnswers, []string{"like"}, 3, []bool{false, false, true, false}},
		"before three answers": {fewAnswers[:2], []string{"unlike"}, 2, []bool{true, true, true, true}},
		"all mislead":          {fewAnswers, []string{"unlike"}, 2, []bool{false, false, false, false}},
		"none is looked at":    {fewAnswers, []string{"like"}, 0, []bool{false, false, false, false}},
		"there is none":        {fewAnswers, nil, 2, []bool{false, false, false, false}},
	} {
		v := informedBy(t, c.x, map[string]func(float64) float64{"like": like, "unlike": unlike}, c.earlier...)
		p := Auto{Earlier: c.every}
		var got []bool
		for round := range 4 {
			v.Round = 12 + round
			got = append(got, p.learns(v, p.shares(v, rand.New(rand.NewPCG(1, 2)))))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// In their turns a query is where RGPE would ask, and in the others where there were no earlier study; both say so.
func TestATurnOfEarlierStudiesIsThatOfTheirPolicy(t *testing.T) {
	v := informedBy(t, fewAnswers, map[string]func(float64) float64{"like": func(u float64) float64 { return 1 - 9*(u-.33)*(u-.33) }}, "like")
	v.Quiet = false
	alone := v
	alone.Earlier = nil
	for round, other := range map[int]struct {
		policy Policy
		view   View
		why    string
	}{13: {RGPE{}, v, "one query in 2 looks at earlier studies"}, 14: {Auto{}, alone, "two queries of three maximize a bound"}} {
		v.Round, other.view.Round = round, round
		got := must.Get(Auto{Earlier: 2}.Propose(v, 1, rand.New(rand.NewPCG(5, 6))))(t)
		want := must.Get(other.policy.Propose(other.view, 1, rand.New(rand.NewPCG(5, 6))))(t)
		if apart := got[0].X[0] - want[0].X[0]; apart > 1e-3 || apart < -1e-3 {
			t.Errorf("round %d: %v, want %v", round, got[0].X, want[0].X)
		}
		if e := must.Get(Auto{Earlier: 2}.Explain(v, rand.New(rand.NewPCG(5, 6))))(t); !strings.HasPrefix(e.Why, other.why) {
			t.Errorf("round %d: %q, want %q", round, e.Why, other.why)
		}
	}
}
