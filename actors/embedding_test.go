package actors

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/workers"
)

// embedded is a study in an actor system that exists already.
type embedded struct {
	*story
	system *actor.ActorSystem
	pid    *actor.PID
}

// embed makes an actor system and then spawns a study in it.
func embed(t *testing.T, c Config) *embedded {
	t.Helper()
	s, c := record(t, c)
	props, err := New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	e := &embedded{story: s, system: actor.NewActorSystem(actor.WithLoggerFactory(SlogLogger(zap.NewNop())))}
	e.pid = e.system.Root.Spawn(props)
	return e
}

// outside is plot without an objective.
func outside(t *testing.T, budget int) Config {
	t.Helper()
	c := plot(t, budget)
	c.Objective, c.Workers = nil, 0
	return c
}

// asked sends a request and returns the answer.
func (e *embedded) asked(message any) any {
	e.t.Helper()
	answer, err := e.system.Root.RequestFuture(e.pid, message, 1000*time.Hour).Result()
	if err != nil {
		e.t.Fatalf("%T: %v", message, err)
	}
	return answer
}

func (e *embedded) snapshot() Snapshot { e.t.Helper(); return e.asked(Inspect{}).(Inspected).Snapshot }

// await waits for the end, stops the actor and replays the journal.
func (e *embedded) await() Ended {
	e.t.Helper()
	end := e.asked(Await{}).(Ended)
	if again := e.asked(Await{}).(Ended); again.At != end.At {
		e.t.Error("the study ended twice")
	}
	if err := e.system.Root.PoisonFuture(e.pid).Wait(); err != nil {
		e.t.Error(err)
	}
	if _, _, err := journal.Replay(e.store); err != nil || len(e.notices) != len(e.store.All()) {
		e.t.Errorf("replay: %v; %d notices of %d events", err, len(e.notices), len(e.store.All()))
	}
	return end
}

// The messages of the package do in an existing system what the methods of an engine do in its own.
func TestACoordinatorInAnExistingSystem(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.Objective, c.Study.Initial = following, 3
		e := embed(t, c)
		synctest.Wait()
		if got := e.asked(loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)}).(Told); got.Err != nil || got.Reaction.Fate != loop.FateTaken || got.Reaction.Status != loop.Observed {
			t.Errorf("a value gives %v", got)
		}
		if got := e.asked(loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(3)}).(Told); !errors.Is(got.Err, ErrContradiction) || got.Reaction.Fate != loop.FateContradictory {
			t.Errorf("another value gives %v", got)
		}
		if got := e.asked(loop.EvaluationFailed{Evaluation: 2, Attempt: 1, Failure: outcome.Failure{Reason: "burnt"}}).(Told); got.Err != nil || got.Reaction.Fate != loop.FateGivenUp {
			t.Errorf("a failure gives %v", got)
		}
		if got := e.asked(loop.ContextArrived{Context: []float64{1}}).(Told); got.Err == nil {
			t.Error("a context was taken by a space without one")
		}
		e.system.Root.Send(e.pid, Await{}) // from nobody
		e.system.Root.Send(e.pid, "hello") // a word that it does not know
		time.Sleep(time.Minute)
		if got := e.snapshot(); got.Ended || got.At != time.Minute || got.Result.Best.Value != 2 || len(got.Result.Evaluations) != 3 {
			t.Errorf("the snapshot is %+v", got)
		}
		e.system.Root.Send(e.pid, loop.FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(5)}) // without waiting for the answer
		e.asked(Await{})
		if got := e.snapshot(); !got.Ended || got.Result.Best.Value != 5 || got.At != time.Minute {
			t.Errorf("the last snapshot is %+v", got)
		}
		if end := e.await(); end.Err != nil || end.Result.Reason != loop.ReasonBudget {
			t.Errorf("the study ended with %v, %q", end.Err, end.Result.Reason)
		}
	})
}

// Its owner stops the actor in the middle of the study: whoever waits hears so, after the objectives have returned.
func TestStoppingTheActorEndsTheStudy(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 5)
		c.Workers = 2
		var running atomic.Int64
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			if task.Evaluation == 1 {
				return 4, nil
			}
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			time.Sleep(time.Second) // tidies up
			return 0, ctx.Err()
		}
		e := embed(t, c)
		waiting := e.system.Root.RequestFuture(e.pid, Await{}, time.Hour)
		time.Sleep(time.Minute)
		e.system.Root.Stop(e.pid)
		answer, err := waiting.Result()
		if err != nil {
			t.Fatal(err)
		}
		end := answer.(Ended)
		if !errors.Is(end.Err, ErrEnded) || end.At != time.Minute || end.Result.Best.Value != 4 || running.Load() != 0 {
			t.Errorf("the study ended with %v at %v, the best is %v, %d objectives run", end.Err, end.At, end.Result.Best, running.Load())
		}
		if e.warned("objectives ignore their context and are left behind") {
			t.Error("the log complains of objectives that heed their context")
		}
		if _, err := e.system.Root.RequestFuture(e.pid, Inspect{}, time.Second).Result(); !errors.Is(err, actor.ErrDeadLetter) {
			t.Errorf("an actor that stopped answers: %v", err)
		}
	})
}

func TestStoppingTheActorWhileThePolicyHangs(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		released := make(chan struct{})
		c := plot(t, 5)
		c.Grace = time.Minute
		c.Policy = thinker(func(policies.View, int) ([]policies.Proposal, error) { <-released; return nil, nil })
		e := embed(t, c)
		waiting := e.system.Root.RequestFuture(e.pid, Await{}, time.Hour)
		synctest.Wait()
		start := time.Now()
		e.system.Root.Stop(e.pid)
		answer, err := waiting.Result()
		if err != nil || !errors.Is(answer.(Ended).Err, ErrEnded) || time.Since(start) != time.Minute {
			t.Errorf("after %v: %v, %v", time.Since(start), answer, err)
		}
		close(released)
	})
}

func TestPropsAreSpawnedOnce(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, plot(t, 1))
		props, err := New(t.Context(), plot(t, 1))
		if err != nil {
			t.Fatal(err)
		}
		first := e.system.Root.Spawn(props)
		func() {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "spawned once") {
					t.Errorf("a second spawn gives %v", r)
				}
			}()
			e.system.Root.Spawn(props)
		}()
		e.await()
		if err := e.system.Root.PoisonFuture(first).Wait(); err != nil {
			t.Error(err)
		}
	})
}

// A reader of notices that panics is a bug, and ends the study: with the stack, and without a second try.
func TestAReaderThatPanicsEndsTheStudy(t *testing.T) {
	for name, at := range map[string]func(n Notice) bool{
		"at the first event":       func(n Notice) bool { return n.Seq == 1 },
		"at a value":               func(n Notice) bool { return n.Evaluation.Number == 2 && n.Evaluation.Status == loop.Observed },
		"at the last event":        func(n Notice) bool { return n.Evaluation.Number == 4 && n.Evaluation.Status == loop.Observed },
		"whenever it is notified":  func(Notice) bool { return true },
		"as the study is stopping": func(n Notice) bool { _, stop := n.Event.(loop.StopRequested); return stop },
	} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				times, cancelled := 0, atomic.Bool{}
				c := plot(t, 4)
				c.Workers, c.Grace = 2, time.Minute
				c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
					if name == "as the study is stopping" {
						<-ctx.Done()
						cancelled.Store(true)
						return 0, ctx.Err()
					}
					return lasting(time.Second)(ctx, task)
				}
				c.OnEvent = func(n Notice) {
					if at(n) {
						times++
						panic("the reader cannot read")
					}
				}
				start := time.Now()
				s := begin(t, c)
				time.Sleep(time.Hour)
				s.Stop("enough")
				end := s.ends()
				text := fmt.Sprint(end.Err)
				if !errors.Is(end.Err, ErrBroken) || !strings.Contains(text, "the reader cannot read") || !strings.Contains(text, "embedding_test.go") {
					t.Errorf("the study ended with %v", end.Err)
				}
				if times != 1 || len(end.Result.Evaluations) > 4 || time.Since(start) > time.Hour+time.Second {
					t.Errorf("%d panics, %d evaluations, %v", times, len(end.Result.Evaluations), time.Since(start))
				}
				if name == "as the study is stopping" && !cancelled.Load() {
					t.Error("the objective runs on")
				}
				if broken := s.logs.FilterMessage("study broken off").Len(); broken != 1 {
					t.Errorf("the log says %d times that the study was broken off", broken)
				}
			})
		})
	}
}

// The value was kept before the reader saw it, so whoever told it hears that it was taken.
func TestAValueThatBreaksAReaderIsKept(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 3)
		c.OnEvent = func(n Notice) {
			if n.Improved {
				panic("the reader cannot read")
			}
		}
		s := elsewhere(t, c)
		if err := s.Tell(1, 1, 3); err != nil {
			t.Error(err)
		}
		if err := s.Tell(2, 1, 3); !errors.Is(err, ErrEnded) {
			t.Errorf("the next value: %v", err)
		}
		if end := s.ends(); !errors.Is(end.Err, ErrBroken) || end.Result.Best.Value != 3 {
			t.Errorf("the study ended with %v, the best is %v", end.Err, end.Result.Best)
		}
	})
}

// The same, while the actor is being stopped: whoever waits hears of it, and nothing is left.
func TestAReaderThatBreaksWhileTheActorStops(t *testing.T) {
	for name, breaks := range map[string]func(){"panics": func() { panic("the reader cannot read") }, "ends its goroutine": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				c := plot(t, 4)
				c.Objective, c.Grace = lasting(time.Hour), time.Minute
				c.OnEvent = func(n Notice) {
					if _, stop := n.Event.(loop.StopRequested); stop {
						breaks()
					}
				}
				e := embed(t, c)
				waiting := e.system.Root.RequestFuture(e.pid, Await{}, time.Hour)
				time.Sleep(time.Minute)
				start := time.Now()
				stopped := e.system.Root.StopFuture(e.pid)
				answer, err := waiting.Result()
				if err != nil || !errors.Is(answer.(Ended).Err, ErrBroken) {
					t.Errorf("%v, %v", answer, err)
				}
				if err := stopped.Wait(); err != nil || time.Since(start) >= c.Grace {
					t.Errorf("stopped after %v (%v)", time.Since(start), err)
				}
			})
		})
	}
}

// A reader that ends the goroutine takes the mailbox with it. The study ends all the same, and says why.
func TestAReaderThatEndsItsGoroutine(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 4)
		c.Objective, c.Grace = lasting(time.Second), time.Minute
		c.OnEvent = func(n Notice) {
			if n.Improved {
				runtime.Goexit()
			}
		}
		start := time.Now()
		end := begin(t, c).Wait()
		if !errors.Is(end.Err, ErrBroken) || !strings.Contains(end.Err.Error(), "runtime.Goexit") || len(end.Result.Evaluations) == 0 {
			t.Errorf("the study ended with %v, result %+v", end.Err, end.Result)
		}
		if passed := time.Since(start); passed >= c.Grace {
			t.Errorf("Wait returned after %v, as if something hung", passed)
		}
	})
}

// A study that broke off says why, and leaves nothing pending.
func TestTheResultOfAStudyThatBrokeOff(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 9)
		c.Workers, c.Study.Initial = 3, 3
		c.Objective = func(ctx context.Context, task workers.Task) (float64, error) {
			return lasting(time.Duration(task.Evaluation)*time.Second)(ctx, task) // no two in one transaction
		}
		c.OnEvent = func(n Notice) {
			if n.Improved {
				panic("the reader cannot read")
			}
		}
		end := begin(t, c).ends()
		if !strings.Contains(end.Result.Reason, "the reader cannot read") || strings.Contains(end.Result.Reason, "\n") {
			t.Errorf("the reason is %q", end.Result.Reason)
		}
		got := statuses(end.Result)
		slices.Sort(got)
		if !slices.Equal(got, []loop.Status{loop.Observed, loop.Cancelled, loop.Cancelled}) {
			t.Errorf("the evaluations are %v", got)
		}
	})
}

// The same while an ended study waits for its objectives: what was taken is in the result.
func TestAValueThatBreaksAReaderAfterTheEndIsKept(t *testing.T) {
	for name, breaks := range map[string]func(){"panics": func() { panic("the reader cannot read") }, "ends its goroutine": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			inVirtualTime(t, func(t *testing.T) {
				c := plot(t, 2)
				c.Workers, c.Study.Initial, c.Grace = 2, 2, time.Minute
				c.Objective = func(ctx context.Context, _ workers.Task) (float64, error) {
					<-ctx.Done()
					time.Sleep(time.Second)
					return 0, ctx.Err()
				}
				c.OnEvent = func(n Notice) {
					if n.Reaction.Fate == loop.FateLate {
						breaks()
					}
				}
				s := begin(t, c)
				synctest.Wait()
				s.Stop("enough")
				synctest.Wait()
				if err := s.Tell(1, 1, 7); err != nil {
					t.Error(err)
				}
				end := s.Wait()
				if !errors.Is(end.Err, ErrBroken) || end.Result.Best == nil || end.Result.Best.Value != 7 {
					t.Errorf("the study ended with %v, the best is %v", end.Err, end.Result.Best)
				}
			})
		})
	}
}
