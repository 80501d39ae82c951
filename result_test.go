package tarry_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/policies"
)

// prophet says of every value that it is N(0, 1), and issues the set of those within 1.0364.
type prophet struct{ policies.Uniform }

func (p prophet) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	proposals, err := p.Uniform.Propose(v, count, stream)
	for i := range proposals {
		proposals[i].Forecast = &policies.Forecast{Stddev: 1, Scale: 1, Target: 0.8, Threshold: 0.3}
	}
	return proposals, err
}

func TestAResultSaysHowTheForecastsDid(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 6, Initial: 2, Policy: prophet{}, Minimize: true})
	for i, value := range []float64{9, 9, 0, 1.1, -1.5, 1} {
		q := ask(t, study)
		if err := study.Tell(q.ID, value); err != nil {
			t.Fatal(err)
		}
		if r := study.Result(); i < 2 && (r.Coverage != tarry.Coverage{} || strings.Contains(r.String(), "forecasts")) {
			t.Errorf("after %d values without a forecast: %v", i+1, r)
		}
	}
	r := study.Result()
	if want := (tarry.Coverage{Judged: 4, Central: 3, Issued: 4, Held: 2, Target: 0.8}); r.Coverage != want {
		t.Errorf("coverage %v of %d, want %v of %d", r.Coverage, r.Coverage.Judged, want, want.Judged)
	}
	if want := "\nforecasts: 75 % of 4 values in the central 80 %; calibrated sets held 50 % of 4, want 80 %\n"; !strings.Contains(r.String(), want) {
		t.Errorf("%q is missing in\n%v", want, r)
	}
}

// Policies with a model forecast every query that is not of the initial design; those that calibrate issue a set with each.
func TestPoliciesWithAModelAreJudged(t *testing.T) {
	for name, sets := range map[string]int{"gp-bucb": 0, "locbo": 8} {
		study := newStudy(t, tarry.Options{Budget: 12, Initial: 4, Policy: policy(t, name)})
		for range 12 {
			q := ask(t, study)
			if err := study.Tell(q.ID, bump(q)); err != nil {
				t.Fatal(err)
			}
		}
		if c := study.Result().Coverage; c.Judged != 8 || c.Issued != sets {
			t.Errorf("%s: %d values judged, %d sets issued, want 8, %d", name, c.Judged, c.Issued, sets)
		}
	}
}

// The evaluations that a study did not ask for are told apart from those that it did, and where there are none nothing is said of them.
func TestAResultSaysHowManyWereMeasuredElsewhere(t *testing.T) {
	study := newStudy(t, tarry.Options{Budget: 4, Initial: 2, Policy: policy(t, "random")})
	q := ask(t, study)
	if err := study.Tell(q.ID, 1); err != nil {
		t.Fatal(err)
	}
	if text := study.Result().String(); strings.Contains(text, "elsewhere") {
		t.Errorf("none was, and it says\n%s", text)
	}
	for range 2 {
		if err := study.Observe(q.X, 3); err != nil {
			t.Fatal(err)
		}
	}
	if text := study.Result().String(); !strings.Contains(text, "3 evaluations in ") || !strings.Contains(text, ": 3 observed; 2 of them measured elsewhere") {
		t.Errorf("two were, and it says\n%s", text)
	}
}

// A sum of costs that is beyond all numbers is told as far as there are numbers.
func TestCostsBeyondAllNumbersAreNoNumber(t *testing.T) {
	r := &tarry.Result{Cost: math.Inf(1), BudgetCost: 5, Budget: 9, Spent: 2}
	if text := r.String(); !strings.Contains(text, "\ncost: more than 1.79769e+308 of 5, with 2 of 9 evaluations") || strings.Contains(text, "Inf") {
		t.Error(text)
	}
}
