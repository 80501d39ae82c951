package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// trained plays a study of trainings that report after each of five epochs what they have learned so far, and end early as they are told.
func trained(t *testing.T, c Config, accuracy func(x space.Point) float64) *Loop {
	t.Helper()
	p := named(t, "auto")
	c.Traits = p.Traits()
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 1})
	train := func(task Dispatch) {
		value := accuracy(task.X)
		for epoch := 1.0; epoch <= 5 && d.l.ledger.get(task.Evaluation).Status == Pending; epoch++ {
			d.step(0, Reported{task.Evaluation, 1, epoch, value - 0.8*math.Exp(-epoch/3)})
		}
		if d.l.ledger.get(task.Evaluation).Status == Pending {
			d.step(0, FeedbackArrived{Evaluation: task.Evaluation, Attempt: 1, Outcome: outcome.Of(value)})
		}
	}
	for !d.l.Finished() {
		for _, effect := range d.l.Outstanding() {
			switch effect := effect.(type) {
			case Ask:
				d.step(0, Propose(effect, d.l.View(), p, 3))
			case Fit:
				d.step(0, effect.Run())
			case Dispatch:
				train(effect)
			}
		}
	}
	return d.l
}

// Without noise nothing is left to find out once the best is known, and then the points that were ended early are no more worth another query than those that
// were not: few of them lie where values are worst.
func TestFewQueriesGoWhereTrainingsWereEndedEarly(t *testing.T) {
	if raced {
		t.Skip("too slow")
	}
	for name, c := range map[string]struct {
		where space.Space
		value func(x space.Point) float64
		worse float64 // than the best, by which a query is hopeless
	}{
		"a rate": {
			must.Get(space.New(space.LogFloat("lr", 1e-3, 1)))(t),
			func(x space.Point) float64 { return 1 - math.Pow(math.Log(x[0]/0.03), 2)/20 }, 0.3,
		},
		"a line": {
			must.Get(space.New(space.Float("x", 0, 1)))(t),
			func(x space.Point) float64 { return 0.2*math.Sin(9*x[0]) - 2*math.Pow(x[0]-0.3, 2) }, 0.5,
		},
		"a square": {
			must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t),
			func(x space.Point) float64 {
				return 0.2*math.Sin(9*x[0]) - 2*math.Pow(x[0]-0.3, 2) - 2*math.Pow(x[1]-0.6, 2)
			}, 0.5,
		},
	} {
		for seed := uint64(1); seed <= 3; seed++ {
			l := trained(t, Config{Space: c.where, Budget: 40, Seed: seed, StopEarly: 0.01}, c.value)
			best, hopeless := math.Inf(-1), 0
			for i, e := range l.Evaluations() {
				value := c.value(l.config.Space.Value(e.X))
				if i >= 15 && value < best-c.worse {
					hopeless++
				}
				best = max(best, value)
			}
			if ended := l.Counters().Stopped; hopeless > 5 || ended < 10 {
				t.Errorf("%s, seed %d: %d of the last 25 queries are hopeless, %d were ended early", name, seed, hopeless, ended)
			}
		}
	}
}

// A finite space without noise is at its end when each of its points has a value or was ended early, which it would be again.
func TestPointsThatWereEndedEarlyAreNotQueriedAgain(t *testing.T) {
	where := must.Get(space.New(space.Int("units", 1, 30)))(t)
	l := trained(t, Config{Space: where, Budget: 60, Seed: 1, StopEarly: 0.01}, func(x space.Point) float64 { return 1 - math.Pow(x[0]-7.3, 2)/400 })
	at := map[float64]int{}
	for _, e := range l.Evaluations() {
		at[e.X[0]]++
	}
	if n := len(l.Evaluations()); l.Reason() != ReasonPoints || len(at) != 30 || n > 31 || l.Counters().Stopped < 5 {
		t.Errorf("%d queries at %d points, %d of them ended early, ended: %q", n, len(at), l.Counters().Stopped, l.Reason())
	}
}
