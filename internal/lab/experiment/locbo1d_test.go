package experiment

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// lineStudy runs a study of so many queries after the initial ones and returns what is known when the last is chosen.
func lineStudy(t *testing.T, evenly bool, rounds int) (sim.Scenario, sim.Performance, policies.View) {
	t.Helper()
	s := must.Get(study{problem: lineProblem, policy: lineOptions + "2", law: "fixed:1", rounds: rounds}.scenario(5))(t)
	if evenly {
		s.Policy = spread{s.Policy.(policies.LOCBO)}
	}
	var view policies.View
	outcome := must.Get(sim.Run(t.Context(), s, viewed(&view)))(t)
	return s, outcome, view
}

func TestTheThresholdIsLearnedAgainAsThePolicyHasIt(t *testing.T) {
	for _, evenly := range []bool{false, true} {
		s, outcome, view := lineStudy(t, evenly, 30)
		locbo := must.Get(policies.Parse(lineOptions + "2"))(t)
		threshold := must.Get(relearned(locbo.(policies.LOCBO).Local, view.History))(t)
		last := outcome.Result.Evaluations[len(outcome.Result.Evaluations)-1]
		if got, want := threshold.At(last.X), last.Forecast.Threshold; got != want {
			t.Errorf("spread evenly: %v. The last set was issued with the threshold %v, and is learned again as %v", evenly, want, got)
		}
		if unseen, err := sim.Run(t.Context(), s); err != nil || !slices.Equal(unseen.SimpleRegret, outcome.SimpleRegret) {
			t.Errorf("spread evenly: %v. Looking at the study changes it (%v)", evenly, err)
		}
		if len(view.History) != len(outcome.Result.Evaluations)-1 {
			t.Errorf("%d answers before the last of %d queries", len(view.History), len(outcome.Result.Evaluations))
		}
	}
}

func TestEvenQueriesHaveTheForecastsOfLOCBO(t *testing.T) {
	s, _, view := lineStudy(t, true, 12)
	even := s.Policy.(spread)
	own := must.Get(even.LOCBO.Propose(view, 1, rng.New(1, rng.Test, 0)))(t)
	threshold := must.Get(relearned(even.Local, view.History))(t)
	if got, want := even.forecast(view, threshold, own[0].X), own[0].Forecast; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestEvenQueriesAreTheSameWhateverTheThreshold(t *testing.T) {
	runs := map[string]Record{}
	for _, a := range lineArms {
		s := study{problem: lineProblem, policy: lineOptions + a.kappa, law: "fixed:1", rounds: 12}
		r := must.Get(lineRun(t.Context(), s, true, 2, func() {}))(t)
		runs[a.name] = r
	}
	a, b := runs[lineArms[0].name], runs[lineArms[1].name]
	if len(a[lineQueries]) != paperInitial+11 || !slices.Equal(a[lineQueries], b[lineQueries]) || !slices.Equal(a[lineAnswers], b[lineAnswers]) {
		t.Errorf("queries %v and %v", a[lineQueries], b[lineQueries])
	}
	if !slices.Equal(a[lineMean], b[lineMean]) || slices.Equal(a[lineThreshold], b[lineThreshold]) {
		t.Error("the models differ, or the thresholds do not")
	}
}

func TestSharesOfNewAnswersAreThoseOfTheNormalLaw(t *testing.T) {
	z := 1.2815515655446004 // 90 % point
	for _, c := range []struct {
		l            law
		center, half float64
		want         float64
	}{
		{law{3, 2}, 3, 2 * z, 0.8},
		{law{3, 2}, 3 + 2*z, 1e9, 1},
		{law{0, 1}, z, z, 0.5 - 0.0051869}, // from 0 to 2z: Φ(2.5631) is 0.9948131
		{law{0, 1}, 0, math.Inf(1), 1},
		{law{0, 1}, 0, halfWidth(1.5, 1), 0},
		{law{0, 1}, 0, halfWidth(1, 1), 0},
		{law{0, 1}, 0, halfWidth(0.2, 1), 0.8},
		{law{0, 1}, 5, halfWidth(-0.1, 1), 1},
	} {
		if got := c.l.within(c.center, c.half); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v within %v of %v: %v, want %v", c.l, c.half, c.center, got, c.want)
		}
	}
}
