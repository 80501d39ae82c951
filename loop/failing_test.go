package loop

import (
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

const (
	failingBudget = 60
	failingSeeds  = 5
	failingSlots  = 3
)

// paraboloid is smooth, with its maximum at (0.3, 0.6). Its best third, in the middle of which that is, crashes.
func paraboloid(x space.Point) float64 {
	return 1 - 4*(x[0]-0.3)*(x[0]-0.3) - 2*(x[1]-0.6)*(x[1]-0.6)
}

// crashes reports whether the paraboloid is greater than at two thirds of the unit square.
func crashes(x space.Point) bool { return paraboloid(x) > 0.69945 }

// failingStudy is a study under way whose best third crashes.
type failingStudy struct {
	*driver
	policy policies.Policy
	end    func(Dispatch) Event // how evaluations crash; nil: with silence
	queue  []due
	again  int // proposals at such points
}

// due is an event that will happen.
type due struct {
	at    time.Duration
	event Event
}

// ends are the ways to crash. To cancel is to learn nothing.
var ends = map[string]func(Dispatch) Event{
	"failed": func(d Dispatch) Event {
		return EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "crashed"}}
	},
	"infeasible": func(d Dispatch) Event {
		return FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Outcome{Value: paraboloid(d.X), Constraints: []float64{-1, 1}}}
	},
	"timed out": nil,
	"cancelled": func(d Dispatch) Event { return CancelRequested{d.Evaluation, "crashed"} },
}

// playFailing plays a study to its end, or until as many points were chosen as the budget allows without any that is given
// back. An evaluation takes one to two seconds.
func playFailing(t *testing.T, policy policies.Policy, how string, seed uint64) *failingStudy {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Space: s, Traits: policy.Traits(), Seed: seed, Budget: failingBudget}
	if ends[how] == nil {
		c.Timeout = 3 * time.Second
	}
	f := &failingStudy{driver: drive(t, c), policy: policy, end: ends[how]}
	f.queue = []due{{0, WorkerJoined{1, failingSlots}}}
	stream := rng.New(seed, rng.Test, 0)
	for len(f.queue) > 0 && len(f.l.Evaluations()) < failingBudget {
		first := 0
		for i, e := range f.queue {
			if e.at < f.queue[first].at {
				first = i
			}
		}
		next := f.queue[first]
		f.queue = slices.Delete(f.queue, first, first+1)
		for _, effect := range f.step(next.at, next.event) {
			f.do(next.at, effect, time.Second+time.Duration(stream.IntN(1000))*time.Millisecond)
		}
	}
	return f
}

// do queues what an effect leads to.
func (f *failingStudy) do(now time.Duration, effect Effect, duration time.Duration) {
	switch e := effect.(type) {
	case Ask:
		answer := f.l.Task().Run(f.policy)
		for _, p := range answer.(Proposed).Proposals {
			if f.failedAt(p.X) {
				f.again++
			}
		}
		f.queue = append(f.queue, due{now, answer})
	case Fit:
		f.queue = append(f.queue, due{now, e.Run()})
	case WakeAt:
		f.queue = append(f.queue, due{e.At, Woke{}})
	case Dispatch:
		if !crashes(e.X) {
			f.queue = append(f.queue, due{now + duration, FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(paraboloid(e.X))}})
		} else if f.end != nil {
			f.queue = append(f.queue, due{now + duration, f.end(e)})
		}
	}
}

// failedAt reports whether an evaluation has failed at exactly this point.
func (f *failingStudy) failedAt(x space.Unit) bool {
	return slices.ContainsFunc(f.l.Evaluations(), func(e Evaluation) bool {
		return (e.Status == Failed || e.Status == TimedOut || e.Status == Infeasible) && slices.Equal(e.X, x)
	})
}

// share is the share of failing points among those that the policy proposed.
func (f *failingStudy) share() float64 {
	bad, all := 0, 0
	for _, e := range f.l.Evaluations()[f.l.config.Initial:] {
		all++
		bad += bit(crashes(space.Point(e.X)))
	}
	return float64(bad) / float64(all)
}

var modelled = []string{"gp-bucb", "gp-ucb", "asy-ts", "gp-bts", "ucb-sdf", "ts-sdf", "log-ei", "pi"}

// A policy learns to keep out of a region that crashes, though the greatest values would be there: no point is proposed
// again after it failed, and far fewer than half of the proposals fail.
func TestPoliciesLearnToKeepOutOfARegionThatFails(t *testing.T) {
	names, seeds := modelled, uint64(failingSeeds)
	if raced {
		names, seeds = names[:1], 1
	}
	for _, name := range names {
		policy, err := policies.Parse(name, "features=64")
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []string{"failed", "timed out", "infeasible"} {
			if raced && how == "timed out" { // as what failed
				continue
			}
			t.Run(name+"/"+how, func(t *testing.T) {
				t.Parallel()
				var shares []float64
				mean, again := 0.0, 0
				for seed := range seeds {
					f := playFailing(t, policy, how, seed)
					shares = append(shares, f.share())
					mean += f.share() / float64(seeds)
					again += f.again
				}
				t.Logf("%-7s %-9s %4.1f %% of the proposals fail (by seed %.2f)", name, how, 100*mean, shares)
				if mean > 0.5 || again > 0 {
					t.Errorf("%.0f %% fail; %d were known to fail", 100*mean, again)
				}
			})
		}
		t.Run(name+"/without learning", func(t *testing.T) {
			t.Parallel()
			const seed = 1
			learned, unlearned := playFailing(t, policy, "infeasible", seed), playFailing(t, policy, "cancelled", seed)
			t.Logf("%-7s %.1f %% fail, without learning %.1f %%", name, 100*learned.share(), 100*unlearned.share())
			if unlearned.share() < 1.5*learned.share() {
				t.Errorf("%.2f fail, without learning %.2f", learned.share(), unlearned.share())
			}
		})
	}
}
