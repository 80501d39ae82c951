package experiment

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
)

// Whatever the model gets wrong, and whenever the answers come, the sets that were issued miss no more than the bound says,
// and exactly as many as the identity says.
func TestSetsOfMisspecifiedModelsUnderDelayKeepTheBounds(t *testing.T) {
	config := calibration.LocalizedConfig{Alpha: 0.2, Kappa: 4, Length: 0.25, Decay: 0.004, Rate: 0.05}
	for i, m := range misspecified {
		for j, law := range delayedLaws {
			for k, policy := range []string{"locbo:power=0", "locbo:power=0:l=inf"} {
				if (i+j+k)%testShare > 0 {
					continue
				}
				s := study{problem: m.problem, policy: policy, law: law.law, rounds: 40, adjust: func(c *sim.Scenario) {
					c.Workers, c.Initial, c.Timeout = delayedWorkers, labInitial, delayedTimeout*sim.Tick
				}}
				for seed := range uint64(testSeeds) {
					scenario := must.Get(s.scenario(11 + seed))(t)
					o := must.Get(sim.Run(t.Context(), scenario))(t)
					t.Run(fmt.Sprint(m.name, ", ", law.name, ", ", policy, ", seed ", seed), func(t *testing.T) {
						c := config
						if policy != "locbo:power=0" {
							c.Length = math.Inf(1)
						}
						keepsBounds(t, c, o.Result.Evaluations)
					})
				}
			}
		}
	}
}

// keepsBounds judges the sets that were issued, in the order in which their answers were seen.
func keepsBounds(t *testing.T, config calibration.LocalizedConfig, all []loop.Evaluation) {
	var judged []loop.Evaluation
	for _, e := range all {
		if e.Status.Valued() && e.Forecast != nil && e.Forecast.Target > 0 && e.Seen <= len(all) { // by the last query
			judged = append(judged, e)
		}
	}
	slices.SortFunc(judged, func(a, b loop.Evaluation) int {
		return cmp.Or(cmp.Compare(a.Seen, b.Seen), cmp.Compare(a.Number, b.Number))
	})
	local := must.Get(calibration.NewLocalized(config))(t)
	far := make([]float64, len(all[0].X)) // where nothing is local
	for j := range far {
		far[j] = 1e9
	}
	delay, above, below, issued := 0, 0.0, 0.0, map[int]float64{}
	next, misses := 0, 0.0
	for _, e := range all { // the threshold at each query is that of the answers which it could see
		for ; next < len(judged) && judged[next].Seen <= e.Round; next++ {
			j := judged[next]
			if f := j.Forecast; f.Threshold != issued[j.Number] {
				t.Fatalf("query %d was issued the threshold %v, want %v", j.Number, f.Threshold, issued[j.Number])
			}
			if local.Judge(j.X, j.Forecast.Threshold, j.Forecast.Conformity(j.Value)) {
				misses++
			}
		}
		issued[e.Number] = local.At(e.X)
		part := issued[e.Number] - local.At(far)
		above, below = max(above, part), max(below, -part)
		if at := slices.IndexFunc(judged, func(j loop.Evaluation) bool { return j.Number == e.Number }); at >= 0 {
			delay = max(delay, at-next)
		}
	}
	if next < 10 {
		t.Fatalf("%d sets were judged", next)
	}
	// The bounds of a constant rate, as internal/calibration derives and tests them.
	alpha, rate, n := config.Alpha, config.Rate, float64(next)
	missed, unit := misses/n, 1/(rate*n)
	if want := alpha + (alpha-local.At(far))*unit; math.Abs(missed-want) > 1e-12 {
		t.Errorf("%v of the sets missed, the identity says %v", missed, want)
	}
	if bound := alpha + max(0, alpha+above+float64(delay+1)*rate*(1-alpha))*unit; missed > bound {
		t.Errorf("%v of %v sets missed with delay %d, the bound is %v", missed, n, delay, bound)
	}
	if floor := alpha - max(0, 1-alpha+below+float64(delay+1)*rate*alpha)*unit; missed < floor {
		t.Errorf("%v of %v sets missed with delay %d, at least %v must", missed, n, delay, floor)
	}
}
