package actors

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// The worker's actor goes down with an evaluation under way: another takes its place, and the evaluation starts again.
func TestAWorkerThatGoesDownIsReplaced(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var causes []error
		c := plot(t, 3)
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			value, err := lasting(time.Minute)(ctx, task)
			if err != nil {
				causes = append(causes, context.Cause(ctx))
			}
			return value, err
		}
		s := begin(t, c)
		time.Sleep(90 * time.Second) // evaluation 2 is half done
		s.system.Root.Stop(childActor(t, s.system, "worker-1-"))
		end := s.ends()
		if end.Err != nil || end.At != 210*time.Second {
			t.Errorf("the study ended with %v at %v", end.Err, end.At)
		}
		for i, e := range end.Result.Evaluations {
			if want := []int{1, 2, 1}[i]; e.Status != loop.Observed || e.Attempt != want || e.Vanished != want-1 {
				t.Errorf("evaluation %d is %v in attempt %d, %d vanished", e.Number, e.Status, e.Attempt, e.Vanished)
			}
		}
		if len(causes) != 1 || causes[0] != workers.ErrCancelled {
			t.Errorf("contexts ended because of %v", causes)
		}
		if left, joined := countEvents[loop.WorkerLeft](s.notices), countEvents[loop.WorkerJoined](s.notices); left != 1 || joined != 2 || !s.warned("worker left") {
			t.Errorf("%d workers left, %d joined", left, joined)
		}
	})
}

// What an objective returns after its actor went down is a value all the same, and the repeat is not needed.
func TestAValueOutlivesItsWorker(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 1)
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			if task.Attempt == 1 {
				time.Sleep(time.Minute)
				return 5, nil
			}
			<-ctx.Done()
			return 0, ctx.Err()
		}
		s := begin(t, c)
		time.Sleep(30 * time.Second)
		s.system.Root.Stop(childActor(t, s.system, "worker-1-"))
		end := s.ends()
		if e := end.Result.Evaluations[0]; e.Value != 5 || e.Attempt != 2 || end.At != time.Minute {
			t.Errorf("value %v after %d attempts at %v", e.Value, e.Attempt, end.At)
		}
	})
}

// An evaluation that takes its workers down again and again is lost in the end; its budget goes to another.
func TestAnEvaluationThatTakesItsWorkersDownIsGivenUp(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var s *story
		started := make(chan struct{})
		c := plot(t, 2)
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			<-started
			if task.Evaluation == 1 {
				s.system.Root.Stop(childActor(t, s.system, "worker-1-"))
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return gain(task.X), nil
		}
		s = begin(t, c)
		close(started)
		end := s.ends()
		if got := statuses(end.Result); !slices.Equal(got, []loop.Status{loop.Lost, loop.Observed, loop.Observed}) || end.Result.Counters.Vanished != loop.MaxLost+1 {
			t.Errorf("the evaluations are %v, counters %+v", got, end.Result.Counters)
		}
	})
}

// The policy's actor is stopped while it thinks. It finishes its thought; the ask after it is lost with the actor, and
// costs one query.
func TestAPolicyThatGoesDownIsReplaced(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 5)
		c.Workers, c.Policy, c.Objective = 2, pondering(time.Minute), lasting(time.Second)
		s := begin(t, c)
		s.losing = true // the ask may come before the coordinator hears that the actor is gone
		time.Sleep(30 * time.Second)
		first := childActor(t, s.system, "policy-")
		s.system.Root.Stop(first)
		time.Sleep(time.Minute)
		if second := childActor(t, s.system, "policy-"); second.Equal(first) {
			t.Error("the policy has the same actor as before")
		}
		end := s.ends()
		if end.Err != nil || len(end.Result.Evaluations) != 5 || end.Result.Counters.Fallbacks != 1 {
			t.Errorf("%d evaluations, counters %+v, %v", len(end.Result.Evaluations), end.Result.Counters, end.Err)
		}
		if got := s.of(loop.FateFellBack); len(got) != 1 || got[0].Event.(loop.ProposeFailed).Reason != "policy: "+terminatedReason {
			t.Errorf("notices %+v", got)
		}
	})
}

// The fitter's actor is stopped while nobody needs it, and while it holds a fit.
func TestAFitterThatGoesDownIsReplaced(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 9)
		c.Policy, c.Objective, c.Study.Initial = policy, lasting(time.Minute), 4
		fits := 0
		c.Fit = func(f loop.Fit) loop.Event {
			fits++
			time.Sleep(time.Minute)
			return f.Run()
		}
		s := begin(t, c)
		time.Sleep(10 * time.Second)
		s.system.Root.Stop(childActor(t, s.system, "fitter-")) // at leisure
		time.Sleep(4*time.Minute + 20*time.Second)             // half a fit later
		synctest.Wait()
		if fits != 1 {
			t.Fatalf("%d fits have begun", fits)
		}
		s.system.Root.Stop(childActor(t, s.system, "fitter-"))
		end := s.ends()
		if got := end.Result.Counters; end.Err != nil || got.Fits+got.FitFailures != fits || got.Fits == 0 || len(end.Result.Evaluations) != 9 {
			t.Errorf("%d fits, counters %+v, %v", fits, got, end.Err)
		}
	})
}

// A fitter that is stopped when a new fit is about to be sent to it cannot answer any more.
func TestAFitThatGoesDownWithItsActorHasFailed(t *testing.T) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		t.Fatal(err)
	}
	inVirtualTime(t, func(t *testing.T) {
		var s *story
		started := make(chan struct{})
		c := plot(t, 9)
		c.Policy, c.Study.Initial = policy, 4
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			<-started
			return lasting(time.Minute)(ctx, task)
		}
		c.OnEvent = func(n Notice) {
			for _, effect := range n.Reaction.Effects {
				if fit, ok := effect.(loop.Fit); ok && fit.ID == 2 {
					s.losing = true
					s.system.Root.Stop(childActor(t, s.system, "fitter-"))
				}
			}
		}
		s = begin(t, c)
		close(started)
		end := s.ends()
		if got := end.Result.Counters; end.Err != nil || got.FitFailures != 1 || got.Fits == 0 {
			t.Errorf("counters %+v, %v", got, end.Err)
		}
	})
}
