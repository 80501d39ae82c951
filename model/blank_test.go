package model

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// halfFailed has n queries at random points of a square: all fail whose first coordinate is above a half, every fifth of them beyond
// doubt, and the others have values.
func halfFailed(t *testing.T, n int) sight {
	t.Helper()
	c := configOf(square(t), Want{Pending: feedback.Hallucinate})
	c.Active, c.Most, c.Blank = 2000, 2000, true
	c.Outputs[0].Prior = surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}, Noise: 1e-4}
	m := New(c).of(0)
	stream := rng.New(1, rng.Test, 0)
	for number := 1; number <= n; number++ {
		x := []float64{stream.Float64(), stream.Float64()}
		m.Open(number, number, 0, x)
		if x[0] > 0.5 {
			m.Fail(number, number%5 == 0)
		} else {
			m.Reveal(Objective, number, Measurement{Value: math.Sin(6 * x[1])}, number+1, 0)
		}
	}
	return m
}

// thought is what the model of the only belief shows.
func thought(m sight) Belief {
	m.Sync()
	shown, _ := m.Plan().Think()
	return shown[0]
}

// Failures without a value leave the mean as it is, and those at fault are named: nearly all of a region that fails, and whatever is
// infeasible beyond doubt.
func TestFailuresWithoutAValueLeaveTheMeanAlone(t *testing.T) {
	m := halfFailed(t, 60)
	shown := thought(m)
	var x []space.Unit
	var y []float64
	failures, blamed := 0, 0
	for number, p := range m.points {
		number++
		switch failed, hopeless := m.buffer.Failed(number); {
		case !failed:
			x, y = append(x, p), append(y, m.units.To(math.Sin(6*p[1])))
		default:
			named := slices.Contains(shown.Blamed, number)
			if failures, blamed = failures+1, blamed+bit(named); hopeless && !named {
				t.Errorf("query %d is infeasible and not to blame", number)
			}
		}
	}
	if blamed < failures*8/10 || !slices.IsSorted(shown.Blamed) || len(shown.Blamed) != blamed {
		t.Errorf("%d of %d failures are blamed: %v", blamed, failures, shown.Blamed)
	}
	alone, err := m.prior().Condition(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(2, rng.Test, 0)
	for range 20 {
		at := []float64{stream.Float64(), stream.Float64()}
		mean, variance := shown.Posterior.Predict(at)
		if want, most := alone.Predict(at); math.Abs(mean-want) > 1e-6 || variance > most+1e-9 {
			t.Errorf("at %v: mean %v, variance %v; the answers alone say %v, %v", at, mean, variance, want, most)
		}
	}
	outlook, err := m.Outlook(0, false, false, nil)
	if err != nil || outlook.Belief.Posterior.Len() != len(x) {
		t.Errorf("%v: a prediction is made from %d rows, want %d answers", err, outlook.Belief.Posterior.Len(), len(x))
	}
}

// However many failed, only the latest have rows, and others are blamed all the same.
func TestFailuresLongAgoHaveNoRowsAndAreBlamed(t *testing.T) {
	m := halfFailed(t, 900)
	m.Sync()
	m.rebuildSoon = true
	shown := thought(m)
	with, without, doomed := 0, 0, 0
	for number := range m.points {
		number++
		failed, hopeless := m.buffer.Failed(number)
		with += bit(failed && m.rows.has(number))
		if failed && !m.rows.has(number) && slices.Contains(shown.Blamed, number) {
			without, doomed = without+1, doomed+bit(hopeless)
		}
	}
	if with != keptBlank || without < 300 || doomed < 50 {
		t.Errorf("%d failures have rows; %d others are blamed, of which %d are infeasible", with, without, doomed)
	}
	if !m.rows.has(lastFailure(m, len(m.points))) {
		t.Error("the latest failure has no row")
	}
}

// lastFailure is the number of the latest query that failed.
func lastFailure(m sight, number int) int {
	for !m.suspect(number) {
		number--
	}
	return number
}
