package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// lengthsOf is what tarry.mailbox.length should say of the study s.
func lengthsOf(coordinator, policy, fitter, workers float64) map[string]float64 {
	return map[string]float64{
		"tarry.mailbox.length{actor=coordinator,study=s}": coordinator,
		"tarry.mailbox.length{actor=policy,study=s}":      policy,
		"tarry.mailbox.length{actor=fitter,study=s}":      fitter,
		"tarry.mailbox.length{actor=workers,study=s}":     workers,
	}
}

func TestMetricsCountWhatWaitsInMailboxes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, release := newCollector(), make(chan bool)
		c := metricConfig(t, "random", "s", m, loop.Config{Budget: 10, Initial: 10})
		c.Workers = 5
		c.Objective = func(_ context.Context, k workers.Task) (float64, error) {
			time.Sleep(time.Duration(k.Evaluation) * time.Second)
			return 1, nil
		}
		c.OnEvent = func(n Notice) {
			if n.Evaluation.Number == 1 && n.Evaluation.Status == loop.Observed {
				<-release
			}
		}
		began := time.Now()
		e := startMetered(t, c)
		sleepUntil(began, 500*time.Millisecond)
		m.expect(t, "while all work", lengthsOf(0, 0, 0, 0))
		sleepUntil(began, 4500*time.Millisecond)
		m.expect(t, "while the first answer is being read", lengthsOf(3, 0, 0, 0))
		close(release)
		synctest.Wait()
		m.expect(t, "when every answer was read", lengthsOf(0, 0, 0, 0))
		e.Wait()
		m.silent(t, "after the study")
	})
}

func TestMetricsForgetTheMailboxesOfTheDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newCollector()
		c := metricConfig(t, "random", "s", m, loop.Config{Budget: 4, Initial: 4})
		c.Workers = 2
		c.Objective = func(context.Context, workers.Task) (float64, error) {
			time.Sleep(time.Second)
			return 1, nil
		}
		e := startMetered(t, c)
		synctest.Wait() // the coordinator is idle: what it knows may be read
		first := e.study.crew.byNumber[1].pid
		e.system.Root.Poison(first)
		synctest.Wait()
		if second := e.study.crew.byNumber[1].pid; second.Equal(first) {
			t.Error("the worker lives")
		}
		if n := len(e.study.metrics.mailboxes.open); n != 3+2 {
			t.Errorf("%d mailboxes are listed, want those of 3 actors and 2 workers", n)
		}
		m.expect(t, "with a new worker", lengthsOf(0, 0, 0, 0))
		e.Wait()
		synctest.Wait()
		if n := len(e.study.metrics.mailboxes.open); n != 0 {
			t.Errorf("%d mailboxes are listed after the study", n)
		}
		time.Sleep(time.Minute) // dead letters are reported after a while
	})
}

func TestMetricsIgnoreWhatAPanicLeftInAMailbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := actor.NewActorSystem(actor.WithLoggerFactory(SlogLogger(zap.NewNop())))
		list, release := newMailboxes(), make(chan bool)
		producer := func() actor.Actor {
			return actor.ReceiveFunc(func(ctx actor.Context) {
				if ctx.Message() == "panic" {
					<-release
					panic("as told")
				}
			})
		}
		mailbox := actor.Unbounded()()
		open := actor.WithMailbox(func() actor.Mailbox { return mailbox })
		pid := system.Root.Spawn(actor.PropsFromProducer(producer, open, list.watch(producer, mailbox), actor.WithGuardian(stops)))
		for _, message := range []string{"panic", "left", "left"} {
			system.Root.Send(pid, message)
		}
		synctest.Wait()
		if n := list.lengths(); n[working] != 2 {
			t.Errorf("%v wait while a message is being handled, want 2", n)
		}
		close(release)
		synctest.Wait()
		if n := list.lengths(); len(n) != 0 {
			t.Errorf("%v wait for an actor that is dead", n)
		}
		system.Shutdown()
		time.Sleep(time.Minute)
	})
}
