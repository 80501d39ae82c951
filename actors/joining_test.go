package actors

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// guest is an actor that works for a study and remembers what it was told. With a pace it answers after that time,
// unless the attempt was cancelled; without one it does not answer.
type guest struct {
	study  *actor.PID
	slots  int
	pace   time.Duration
	joined []Joined
	tasks  []workers.Task
	ended  []Cancel
	most   int // evaluations at a time
	open   map[Cancel]bool
}

// finished is what a guest sends itself.
type finished struct{ task workers.Task }

func (g *guest) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		g.open = map[Cancel]bool{}
		ctx.Request(g.study, Join{g.slots})
	case Joined:
		g.joined = append(g.joined, m)
	case Evaluate:
		g.tasks = append(g.tasks, m.Task)
		g.open[Cancel{m.Task.Evaluation, m.Task.Attempt}] = true
		g.most = max(g.most, len(g.open))
		if g.pace > 0 {
			self, root := ctx.Self(), ctx.ActorSystem().Root
			time.AfterFunc(g.pace, func() { root.Send(self, finished{m.Task}) })
		}
	case finished:
		key := Cancel{m.task.Evaluation, m.task.Attempt}
		if g.open[key] {
			delete(g.open, key)
			ctx.Send(g.study, outcome.Answer{Evaluation: key.Evaluation, Attempt: key.Attempt, Outcome: outcome.Of(gain(m.task.X))})
		}
	case Cancel:
		delete(g.open, m)
		g.ended = append(g.ended, m)
	case Leave, Join:
		ctx.Request(g.study, m)
	}
}

// invite spawns a guest.
func (e *embedded) invite(slots int, pace time.Duration) (*guest, *actor.PID) {
	g := &guest{study: e.pid, slots: slots, pace: pace}
	pid := e.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return g }))
	synctest.Wait()
	return g, pid
}

// home stops guests and waits until they are gone.
func (e *embedded) home(pids ...*actor.PID) {
	e.t.Helper()
	for _, pid := range pids {
		if err := e.system.Root.PoisonFuture(pid).Wait(); err != nil {
			e.t.Error(err)
		}
	}
}

// numbers lists the evaluations of tasks.
func numbers(tasks []workers.Task) []int {
	var out []int
	for _, task := range tasks {
		out = append(out, task.Evaluation)
	}
	return out
}

func TestWorkersJoinFromOutside(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := outside(t, 9)
		c.Study.Timeout = time.Hour
		e := embed(t, c)
		one, first := e.invite(1, 2*time.Minute)
		two, second := e.invite(2, 2*time.Minute)
		end := e.await()
		if end.Err != nil || end.At != 6*time.Minute || len(end.Result.Evaluations) != 9 || end.Result.Counters != (loop.Counters{}) {
			t.Errorf("%d evaluations at %v, counters %+v, %v", len(end.Result.Evaluations), end.At, end.Result.Counters, end.Err)
		}
		e.home(first, second)
		if !slices.Equal(one.joined, []Joined{{Worker: 1}}) || !slices.Equal(two.joined, []Joined{{Worker: 2}}) {
			t.Errorf("the guests have numbers %v and %v", one.joined, two.joined)
		}
		if len(one.tasks) != 3 || len(two.tasks) != 6 || one.most != 1 || two.most != 2 {
			t.Errorf("%d and %d evaluations, at most %d and %d at a time", len(one.tasks), len(two.tasks), one.most, two.most)
		}
		for _, task := range append(one.tasks, two.tasks...) {
			if of := end.Result.Evaluations[task.Evaluation-1]; gain(task.X) != of.Value || task.Deadline.IsZero() {
				t.Errorf("%+v has value %v", task, of.Value)
			}
		}
	})
}

func TestAGuestThatTerminatesGivesItsWorkBack(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 4))
		lazy, first := e.invite(2, 0)
		time.Sleep(time.Minute)
		e.home(first)
		_, second := e.invite(1, time.Minute)
		end := e.await()
		e.home(second)
		if got := numbers(lazy.tasks); !slices.Equal(got, []int{1, 2}) {
			t.Errorf("the guest had evaluations %v", got)
		}
		if end.Err != nil || end.Result.Counters.Vanished != 2 || end.At != 5*time.Minute {
			t.Errorf("the study ended with %v at %v, counters %+v", end.Err, end.At, end.Result.Counters)
		}
		for _, of := range end.Result.Evaluations {
			if of.Status != loop.Observed || of.Worker != 2 {
				t.Errorf("evaluation %d is %v by worker %d", of.Number, of.Status, of.Worker)
			}
		}
	})
}

func TestAGuestThatLeavesGivesItsWorkBack(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 2))
		lazy, first := e.invite(1, 0)
		_, second := e.invite(1, time.Minute)
		e.system.Root.Send(first, Leave{"night falls"})
		e.system.Root.Send(first, Leave{"as I said"}) // a stranger by now
		synctest.Wait()
		end := e.await()
		e.home(first, second)
		if end.Err != nil || end.Result.Counters.Vanished != 1 || len(lazy.tasks) != 1 {
			t.Errorf("%d evaluations went to the guest that left, counters %+v, %v", len(lazy.tasks), end.Result.Counters, end.Err)
		}
		if got := end.Result.Evaluations[0]; got.Reason != "night falls" || got.Status != loop.Observed {
			t.Errorf("evaluation 1 is %v, %q", got.Status, got.Reason)
		}
		if n := countEvents[loop.WorkerLeft](e.notices); n != 1 {
			t.Errorf("workers left %d times", n)
		}
	})
}

func TestAGuestMayReturnAndMayBringMoreSlots(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 4))
		g, pid := e.invite(1, time.Minute)
		e.system.Root.Send(pid, Join{1}) // one more
		time.Sleep(90 * time.Second)
		e.system.Root.Send(pid, Leave{"lunch"})
		e.system.Root.Send(pid, Join{2})
		end := e.await()
		e.home(pid)
		want := []Joined{{Worker: 1}, {Worker: 1}, {Worker: 2}}
		if !slices.Equal(g.joined, want) || g.most < 2 || end.Err != nil || len(end.Result.Evaluations) != 4 {
			t.Errorf("the guest heard %v and had at most %d evaluations, %v", g.joined, g.most, end.Err)
		}
	})
}

func TestJoinsThatCannotBeAreRefused(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 1))
		for _, slots := range []int{0, -1, loop.MaxSlots + 1} {
			if got := e.asked(Join{slots}).(Joined); got.Err == nil || !strings.Contains(got.Err.Error(), "1 ≤ Slots ≤ 100000") || got.Worker != 0 {
				t.Errorf("a join with %d slots gives %+v", slots, got)
			}
		}
		e.system.Root.Send(e.pid, Join{1}) // from nobody
		e.system.Root.Send(e.pid, Leave{})
		_, pid := e.invite(1, time.Minute)
		e.asked(Await{})
		if got := e.asked(Join{1}).(Joined); !errors.Is(got.Err, ErrEnded) {
			t.Errorf("a join after the end gives %+v", got)
		}
		e.await()
		e.home(pid)
		if n := countEvents[loop.WorkerJoined](e.notices); n != 1 {
			t.Errorf("%d workers joined", n)
		}
	})
}

func TestAStudyHasNoMoreWorkersThanItMay(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 1))
		var pids []*actor.PID
		for range loop.MaxWorkers {
			pids = append(pids, e.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &guest{study: e.pid, slots: 1} })))
		}
		synctest.Wait()
		late, pid := e.invite(1, 0)
		if len(late.joined) != 1 || late.joined[0].Err == nil || !strings.Contains(late.joined[0].Err.Error(), "as many workers as it can have") {
			t.Errorf("one worker more gives %+v", late.joined)
		}
		e.home(pids[:1]...)
		synctest.Wait()
		_, last := e.invite(1, 0)
		e.asked(loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(3)})
		if end := e.await(); end.Err != nil || end.Result.Counters.Dropped != 0 {
			t.Errorf("counters %+v, %v", end.Result.Counters, end.Err)
		}
		e.home(append(pids[1:], pid, last)...)
	})
}

// A future is no worker: it is gone with its answer, and what it was given starts again with somebody else.
func TestAFutureThatJoinsIsGoneAtOnce(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		e := embed(t, outside(t, 2))
		if got := e.asked(Join{1}).(Joined); got.Err != nil || got.Worker != 1 {
			t.Errorf("the future heard %+v", got)
		}
		_, pid := e.invite(1, time.Minute)
		end := e.await()
		e.home(pid)
		if end.Err != nil || end.At != 2*time.Minute || end.Result.Counters.Vanished > 1 {
			t.Errorf("the study ended with %v at %v, counters %+v", end.Err, end.At, end.Result.Counters)
		}
	})
}

// What nobody waits for is cancelled, wherever it runs: at a timeout, at a value from elsewhere, at the end.
func TestGuestsHearWhatIsCancelled(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := outside(t, 4)
		c.Study.Timeout, c.Study.Initial = time.Minute, 4
		e := embed(t, c)
		g, pid := e.invite(1, 0)
		time.Sleep(time.Minute) // 1 takes too long
		synctest.Wait()
		e.asked(loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(3)})
		e.asked(loop.EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "burnt"}})
		e.system.Root.Send(e.pid, Stop{Reason: "enough"})
		end := e.await()
		e.home(pid)
		if want := []Cancel{{1, 1}, {2, 1}, {3, 1}, {4, 1}}; !slices.Equal(g.ended, want) {
			t.Errorf("cancelled: %v, want %v", g.ended, want)
		}
		want := []loop.Status{loop.TimedOut, loop.Observed, loop.Failed, loop.Cancelled}
		if got := statuses(end.Result); !slices.Equal(got, want) {
			t.Errorf("the evaluations are %v, want %v", got, want)
		}
	})
}
