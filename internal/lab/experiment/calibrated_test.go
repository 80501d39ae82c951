package experiment

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// A run by hand: the function is -x on [0, 10], to be maximized, so 0 is the least value of x; the initial design had 8 and 5,
// so that its regret is 5.
func TestARunIsMeasuredAgainstItsInitialDesign(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 10)))(t)
	scenario := sim.Scenario{Initial: 2, Problem: sim.Problem{Space: s, Maximum: -3, Value: func(x space.Point) float64 { return -3 - x[0] }}}
	var o sim.Performance
	for _, u := range []float64{0.8, 0.5, 0.4, 0.1, 0.2} {
		o.Result.Evaluations = append(o.Result.Evaluations, loop.Evaluation{Query: policies.Query{X: []float64{u}}})
	}
	o.SimpleRegret, o.CumulativeRegret = []float64{4, 1, 1}, []float64{4, 5, 7}
	r := calibratedRecord(scenario, o)
	for curve, want := range map[string]float64{area: (4. + 1 + 1) / 3 / 5, least: 3, found: 4} {
		if got := r[curve]; len(got) != 1 || math.Abs(got[0]-want) > 1e-15 {
			t.Errorf("%s is %v, want %v", curve, got, want)
		}
	}
}

// Five forecasts N(0, 1): one without an answer, one without anything issued, sets that held one of two, quantiles that did.
func TestCoverageOfARunByHand(t *testing.T) {
	at := func(status loop.Status, value, target, threshold float64, levels ...float64) loop.Evaluation {
		return loop.Evaluation{Status: status, Outcome: outcome.Of(value), Forecast: &policies.Forecast{Stddev: 1, Scale: 1, Target: target, Threshold: threshold, Levels: levels}}
	}
	central, issued, wanted := coverage([]loop.Evaluation{
		{Status: loop.Observed, Outcome: outcome.Of(1)}, // without a forecast
		at(loop.Pending, 0, 0.7, 0.3),
		at(loop.Observed, 1, 0, 0),
		at(loop.Observed, 0, 0.7, 0.3),
		at(loop.Late, 2, 0.7, 0.3),
		at(loop.Observed, 1.2, 0, 0, 0.1, 0.5, 0.9),
		at(loop.Observed, -1.3, 0, 0, 0.1, 0.5, 0.9),
	})
	for _, c := range []struct {
		what string
		got  []float64
		want float64
	}{{"central", central, 100 * 3. / 5}, {"issued", issued, 100 * 2. / 4}, {"wanted", wanted, 100 * (0.7 + 0.7 + 0.5 + 0.5) / 4}} {
		if len(c.got) != 1 || math.Abs(c.got[0]-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}

func TestTheFormThatEndsLowerWins(t *testing.T) {
	p := Plan{Arms: []Arm{{Group: "g", Name: armPlain}, {Group: "g", Name: armCorrected}}}
	r := Results{plan: p, first: 1, seeds: 6, runs: map[place]Run{}}
	for i, pair := range [][2]float64{{2, 1}, {1, 2}, {3, 3}, {5, 5 + 1e-6}, {1e-12, 1e-10}, {1, math.NaN()}} {
		for k, arm := range p.Arms {
			if run := (Run{Record: Record{SimpleRegret: {9, pair[k]}}}); !math.IsNaN(pair[k]) {
				r.runs[place{"g", arm.Name, uint64(i + 1)}] = run
			}
		}
	}
	if won := r.won("g", armCorrected, armPlain, SimpleRegret); won.N != 5 || won.Mean != 0.5 {
		t.Errorf("won %+v, want half of five", won)
	}
	r.runs = map[place]Run{}
	if text := r.minimum("g"); slices.Contains([]string{"NaN", ""}, text) {
		t.Errorf("minimum %q without a run", text)
	}
}

// Over two groups the differences of a seed are 1 and 3, of another 0 and -2; a third is not complete.
func TestDifferencesAcrossGroupsAreTakenSeedBySeed(t *testing.T) {
	var p Plan
	for _, g := range []string{"g", "h"} {
		p.Arms = append(p.Arms, Arm{Group: g, Name: "a"}, Arm{Group: g, Name: "b"})
	}
	r := Results{plan: p, first: 1, seeds: 3, runs: map[place]Run{}}
	for k, values := range [][]float64{{5, 4, 1}, {4, 4, 1}, {5, 1, 1}, {2, 3}} {
		for i, v := range values {
			r.runs[place{p.Arms[k].Group, p.Arms[k].Name, uint64(i + 1)}] = Run{Record: Record{"c": {9, v}}}
		}
	}
	if e := r.across("a", "b", "c", Last); e.N != 2 || e.Mean != 0.5 || math.Abs(e.SE-1.5) > 1e-15 {
		t.Errorf("%+v, want 0.5 ± 1.5 of 2", e)
	}
}
