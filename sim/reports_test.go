package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// By hand, for a world in which half of a tenth of the visitors buy at the middle price, at the best emphasis: at the price 5.5 a purchase
// takes 0.5·√7 days on average, so that by day 1 there is 5.5·0.05·(1 − e^(−1/1.3229)).
func TestConversionsAreThoseOfTheFormula(t *testing.T) {
	o := offer{middle: 5.5, width: 1, share: 0.1, best: 0.4}
	x := space.Point{5.5, 0.4}
	if got, want := o.paid(x, 1), 5.5*0.05*(1-math.Exp(-1/(0.5*math.Sqrt(7)))); math.Abs(got-want) > 1e-12 {
		t.Errorf("paid within a day %v, want %v", got, want)
	}
	if got, want := o.paid(space.Point{5.5, 0.65}, 7)/o.paid(x, 7), math.Exp(-0.5); math.Abs(got-want) > 1e-12 {
		t.Errorf("a deviation beside the best emphasis there is %v of it, want %v", got, want)
	}
}

func TestTheMeanOfWhatIsCountedIsWhatIsPaid(t *testing.T) {
	p := must.Get(NewProblem("conversions", 4))(t)
	x := space.Point{4, 0.5}
	var sum float64
	first := p.Reports(x, rng.New(1, rng.Noise, 0))
	for i := range 400 {
		stream := func() uint64 { return uint64(i) }
		value := p.Observe(x, rng.New(1, rng.Noise, stream()))
		reports := p.Reports(x, rng.New(1, rng.Noise, stream()))
		if !slices.IsSortedFunc(reports, func(a, b delay.Interim) int { return int(a.Step - b.Step) }) || reports[3].Value > value {
			t.Fatalf("reports %v, value %v", reports, value)
		}
		sum += value / 400
	}
	if want := p.Value(x); math.Abs(sum-want) > 0.05*want || len(first) != 4 {
		t.Errorf("on average %v, want %v", sum, want)
	}
	for _, x := range []space.Point{{1, 0.1}, {9, 0.9}, {5, 0.5}} {
		if p.Value(x) > p.Maximum {
			t.Errorf("%v at %v is greater than the maximum %v", p.Value(x), x, p.Maximum)
		}
	}
}

// In both paces reports come in time before their values, what is ended early brings none, and a second run is the first.
func TestSimulatedEvaluationsReport(t *testing.T) {
	for _, workers := range []int{0, 3} {
		s := scenario(t, "conversions", "gp-ucb", "fixed:7", 40)
		s.Workers, s.StopEarly, s.Exclusive = workers, 0.3, workers > 0
		stopped := map[int]bool{}
		r := mustRun(t, s, func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
			if f, valued := e.Event.(loop.FeedbackArrived); valued && stopped[f.Evaluation] {
				t.Errorf("evaluation %d was ended early and has a value", f.Evaluation)
			}
			for _, e := range l.Evaluations() {
				stopped[e.Number] = e.Status == loop.Stopped
			}
			return l.Check()
		})
		if c := r.Result.Counters; c.Reports < 70 || c.Stopped == 0 || c.Stale+c.Malformed+c.Resaid+c.Overdue > 0 {
			t.Errorf("%d workers: %+v", workers, c)
		}
		if again := mustRun(t, s); again.Result.Counters != r.Result.Counters {
			t.Errorf("%d workers: %+v, then %+v", workers, r.Result.Counters, again.Result.Counters)
		}
	}
}
