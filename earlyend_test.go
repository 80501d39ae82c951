package tarry_test

import (
	"context"
	"math"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// What stands in for values that were not awaited does not bend the model away from those that came: without noise each is predicted at a point that was
// measured, whatever was ended early beside it.
func TestGuessesDoNotBendTheModelAwayFromValues(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", -1, 1), tarry.Float("y", -1, 1)))(t)
	hill := func(q tarry.Query) float64 { return -math.Pow(q.Float("x")-.3, 2) - math.Pow(q.Float("y")+.2, 2) }
	run := must.Get(tarry.Start(t.Context(), s, func(_ context.Context, q tarry.Query) (float64, error) {
		for i := range 5 {
			if err := q.Report(float64(i), hill(q)*float64(i+1)/6); err != nil {
				return 0, err
			}
		}
		return hill(q), nil
	}, tarry.Options{Budget: 24, Workers: 1, StopEarly: .01, Seed: 1}))(t)
	r := must.Get(run.Wait())(t)
	if r.Count(tarry.Stopped) < 3 {
		t.Fatalf("%d were ended early", r.Count(tarry.Stopped))
	}
	for _, e := range r.Evaluations {
		if e.Status != tarry.Observed {
			continue
		}
		if p := must.Get(run.Predict(e.X))(t); math.Abs(p.Mean-e.Value) > 1e-5 {
			t.Errorf("#%d: %v was measured, %v ± %v is predicted", e.ID, e.Value, p.Mean, p.Stddev)
		}
	}
}
