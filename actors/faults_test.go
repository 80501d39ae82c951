package actors

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// stumbles is a study of three evaluations with one repeat each: the first attempt at 2 and both at 3 go wrong in a
// given way. It goes on, ends by its budget, and says what happened.
func stumbles(t *testing.T, reason string, wrong func() (float64, error)) (s *story, end Ended) {
	t.Helper()
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Study.Retries = 1
		c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
			if task.Evaluation == 2 && task.Attempt == 1 || task.Evaluation == 3 {
				return wrong()
			}
			return gain(task.X), nil
		}
		s = begin(t, c)
		end = s.ends()
		if end.Err != nil || end.Result.Reason != loop.ReasonBudget {
			t.Errorf("the study ended with %v, %q", end.Err, end.Result.Reason)
		}
		want := []loop.Status{loop.Observed, loop.Observed, loop.Failed}
		if got := statuses(end.Result); !slices.Equal(got, want) {
			t.Errorf("the evaluations are %v, want %v", got, want)
		}
		for _, e := range end.Result.Evaluations[1:] {
			if e.Attempt != 2 || !strings.Contains(e.Reason, reason) {
				t.Errorf("evaluation %d had %d attempts, the last reason is %q, want %q", e.Number, e.Attempt, e.Reason, reason)
			}
		}
		if got := end.Result.Counters.Failures; got != 3 {
			t.Errorf("%d attempts failed, want 3", got)
		}
		if again, up := len(s.of(loop.FateTriedAgain)), len(s.of(loop.FateGivenUp)); again != 2 || up != 1 {
			t.Errorf("%d attempts were tried again and %d evaluations given up, want 2 and 1", again, up)
		}
	})
	return s, end
}

func TestAnObjectiveThatPanicsCostsOneAttempt(t *testing.T) {
	s, _ := stumbles(t, "objective panicked: the oven is cold", func() (float64, error) { panic("the oven is cold") })
	if !s.warned("attempt failed") {
		t.Error("nobody was warned")
	}
}

func TestAnObjectiveThatEndsItsGoroutineCostsOneAttempt(t *testing.T) {
	stumbles(t, "runtime.Goexit", func() (float64, error) { runtime.Goexit(); return 0, nil })
}

func TestAnObjectiveThatReturnsAnErrorCostsOneAttempt(t *testing.T) {
	stumbles(t, "no flour", func() (float64, error) { return 1, errors.New("no flour") })
}

func TestAValueThatIsNoNumberCostsOneAttempt(t *testing.T) {
	for reason, value := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
		_, end := stumbles(t, reason, func() (float64, error) { return value, nil })
		if got := end.Result.Counters.NotFinite; got != 3 {
			t.Errorf("%s: %d values were no numbers, want 3", reason, got)
		}
	}
}

// Evaluation 1 ignores its timeout and comes late, 2 never returns, and the one worker serves 3 all the same.
func TestAnObjectiveThatIgnoresItsContextHoldsNothingUp(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		released := make(chan struct{})
		c := plot(t, 3)
		c.Study.Timeout, c.Grace = 10*time.Second, 20*time.Second
		c.Objective = func(_ context.Context, task workers.Task) (float64, error) {
			switch task.Evaluation {
			case 1:
				time.Sleep(25 * time.Second)
				return 42, nil
			case 2:
				<-released
			}
			time.Sleep(8 * time.Second)
			return gain(task.X), nil
		}
		start := time.Now()
		s := begin(t, c)
		end := s.ends()
		if end.At != 28*time.Second || time.Since(start) != 48*time.Second {
			t.Errorf("the study ended at %v and Wait returned at %v, want 28s and 48s", end.At, time.Since(start))
		}
		want := []loop.Status{loop.Late, loop.TimedOut, loop.Observed}
		if got := statuses(end.Result); !slices.Equal(got, want) || end.Result.Best.Value != 42 {
			t.Errorf("the evaluations are %v, want %v; the best value is %v", got, want, end.Result.Best.Value)
		}
		if got := s.of(loop.FateLate); len(got) != 1 || got[0].Evaluation.Number != 1 || !got[0].Improved {
			t.Errorf("the late value is reported by %+v", got)
		}
		left := s.logs.FilterMessage("objectives ignore their context and are left behind").All()
		if len(left) != 1 || left[0].ContextMap()["attempts"] != int64(1) {
			t.Errorf("the log says of what was left behind: %v", left)
		}
		if open := s.Snapshot().Open; open != 1 {
			t.Errorf("%d attempts have not returned, want 1", open)
		}
		close(released)
		time.Sleep(8 * time.Second)
		synctest.Wait()
		if open := s.Snapshot().Open; open != 0 {
			t.Errorf("%d attempts have not returned, want none", open)
		}
	})
}

// However a policy fails, the query is the point that fills the space in its round.
func TestAPolicyThatFailsCostsOneQuery(t *testing.T) {
	one := func(x ...float64) ([]policies.Proposal, error) { return []policies.Proposal{{X: x}}, nil }
	var queries [][][]float64
	for name, policy := range map[string]thinker{
		"panics":                func(policies.View, int) ([]policies.Proposal, error) { panic("out of ideas") },
		"ends its goroutine":    func(policies.View, int) ([]policies.Proposal, error) { runtime.Goexit(); return nil, nil },
		"returns an error":      func(policies.View, int) ([]policies.Proposal, error) { return nil, errors.New("out of ideas") },
		"returns no point":      func(policies.View, int) ([]policies.Proposal, error) { return nil, nil },
		"returns too many":      func(policies.View, int) ([]policies.Proposal, error) { return make([]policies.Proposal, 2), nil },
		"leaves the space":      func(policies.View, int) ([]policies.Proposal, error) { return one(.5, 1.1) },
		"returns no number":     func(policies.View, int) ([]policies.Proposal, error) { return one(math.NaN(), .5) },
		"returns one dimension": func(policies.View, int) ([]policies.Proposal, error) { return one(.5) },
	} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				c := plot(t, 5)
				c.Policy = policy
				s := begin(t, c)
				end := s.ends()
				if end.Err != nil || end.Result.Counters.Fallbacks != 4 {
					t.Errorf("%d queries fell back, want 4; %v", end.Result.Counters.Fallbacks, end.Err)
				}
				for i, n := range s.of(loop.FateFellBack) {
					if n.Evaluation.Number != i+2 {
						t.Errorf("notice %d of a fallback is about evaluation %d", i+1, n.Evaluation.Number)
					}
					if n.Reaction.Unusable == "" {
						t.Errorf("notice %d of a fallback has no reason", i+1)
					}
				}
				if !s.warned("policy failed") && !s.warned("policy answered") {
					t.Error("nobody was warned")
				}
				queries = append(queries, pointsOf(end.Result.Evaluations))
			})
		})
	}
	wantAlike(t, queries)
}

// However a fit fails, the hyperparameters stay, so that the queries are the same.
func TestAFitThatFailsLeavesTheHyperparameters(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	fitted := func(id int, hyper ...float64) loop.Event { return loop.Fitted{Fit: id, Hyper: hyper, Noise: .1} }
	var queries [][][]float64
	for name, fit := range map[string]func(loop.Fit) loop.Event{
		"fails":              func(f loop.Fit) loop.Event { return loop.FitFailed{Fit: f.ID, Reason: "singular"} },
		"panics":             func(loop.Fit) loop.Event { panic("singular") },
		"ends its goroutine": func(loop.Fit) loop.Event { runtime.Goexit(); return nil },
		"returns nothing":    func(loop.Fit) loop.Event { return nil },
		"returns something else": func(loop.Fit) loop.Event {
			return loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(99)}
		},
		"answers another":           func(f loop.Fit) loop.Event { return fitted(f.ID+1, .1, .1, 1) },
		"fails for another":         func(f loop.Fit) loop.Event { return loop.FitFailed{Fit: f.ID + 1} },
		"returns too few":           func(f loop.Fit) loop.Event { return fitted(f.ID, .1) },
		"returns no number":         func(f loop.Fit) loop.Event { return fitted(f.ID, .1, math.NaN(), 1) },
		"returns negative outcomes": func(f loop.Fit) loop.Event { return fitted(f.ID, .1, -1, 1) },
	} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				c := plot(t, 8)
				c.Policy, c.Fit, c.Study.Initial = policy, fit, 4
				s := begin(t, c)
				end := s.ends()
				if got := end.Result.Counters; end.Err != nil || got.Fits != 0 || got.FitFailures == 0 || got.Contradictory > 0 {
					t.Errorf("counters %+v, %v", got, end.Err)
				}
				if !s.warned("fit failed") && !s.warned("fitted") {
					t.Error("nobody was warned")
				}
				queries = append(queries, pointsOf(end.Result.Evaluations))
			})
		})
	}
	wantAlike(t, queries)
}

// pointsOf are the points of evaluations.
func pointsOf(all []loop.Evaluation) (x [][]float64) {
	for _, e := range all {
		x = append(x, e.X)
	}
	return x
}

// wantAlike wants the same queries of every study.
func wantAlike(t *testing.T, queries [][][]float64) {
	t.Helper()
	for _, q := range queries {
		if !slices.EqualFunc(q, queries[0], slices.Equal) {
			t.Errorf("the queries are %v and %v", q, queries[0])
		}
	}
}
