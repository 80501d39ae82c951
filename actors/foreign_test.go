package actors

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// What the study decides by itself nobody else can say: who sends such an event is told so, and it does not happen.
func TestNobodyElseSaysWhatTheStudyDecides(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var events []loop.Event
		e := overheard(t, 3, 1, &events)
		before := len(events)
		for _, event := range []loop.Event{
			loop.WorkerJoined{Worker: 7, Slots: 3}, loop.WorkerLeft{Worker: 1}, loop.WorkerFreed{Evaluation: 1, Attempt: 1},
			loop.AnswerFollows{Evaluation: 1, Attempt: 1, Retire: true}, loop.Proposed{Ask: 1, Proposals: []policies.Proposal{{X: []float64{1, 1}}}},
			loop.ProposeFailed{Ask: 1}, loop.Fitted{Fit: 1}, loop.FitFailed{Fit: 1}, loop.BudgetSet{Budget: 99}, loop.Resumed{}, loop.Woke{},
			loop.StopRequested{Reason: "said by a stranger"}, &loop.FeedbackArrived{Evaluation: 1, Attempt: 1}, (*loop.CancelRequested)(nil),
		} {
			got := e.asked(event).(Told)
			if got.Err == nil || got.Reaction.Fate != loop.FateRefused || !strings.Contains(got.Err.Error(), "is not for others to say") {
				t.Errorf("%T: %+v", event, got)
			}
		}
		if after := len(events); after != before {
			t.Errorf("%v happened", events[before:])
		}
		e.asked(loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(1)})
		e.asked(loop.FeedbackArrived{Evaluation: 2, Attempt: 0})
		e.system.Root.Send(e.pid, Stop{Reason: "enough"})
		e.await()
	})
}

// Of an event that somebody may bring only what is his to say is believed.
func TestWhatOnlyTheStudyKnowsIsNotBelieved(t *testing.T) {
	for name, target := range map[string]float64{"of a target that is reached": 2, "of one that is not": 3} {
		inVirtualTime(t, func(t *testing.T) {
			c := plot(t, 3)
			c.Objective, c.Study.Initial, c.Target = following, 3, &target
			var got []loop.FeedbackArrived
			c.OnEvent = func(n Notice) {
				if e, ok := n.Event.(loop.FeedbackArrived); ok {
					got = append(got, e)
				}
			}
			e := embed(t, c)
			synctest.Wait()
			constraints := []float64{-1}
			told := e.asked(loop.FeedbackArrived{
				Evaluation: 1, Attempt: 1, Outcome: outcome.Outcome{Value: 2, Constraints: constraints}, Told: false, Suffices: target != 2,
			}).(Told)
			constraints[0] = 1 // it is the sender's
			synctest.Wait()
			if told.Err != nil || told.Reaction.Fate != loop.FateTaken || told.Reaction.Status != loop.Observed || told.Reaction.Effects != nil {
				t.Errorf("%s: %+v", name, told)
			}
			if len(got) != 1 || !got[0].Told || got[0].Suffices != (target == 2) || !slices.Equal(got[0].Constraints, []float64{-1}) {
				t.Errorf("%s: taken as %+v", name, got)
			}
			if ended := e.snapshot().Ended; ended != (target == 2) {
				t.Errorf("%s: ended %v", name, ended)
			}
			e.system.Root.Send(e.pid, Stop{Reason: "enough"})
			e.await()
		})
	}
}

// What a worker says of its own attempt is not told by somebody else: its slot counts as free.
func TestWorkersSpeakForThemselves(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		var got []loop.Event
		e := overheard(t, 2, 2, &got)
		e.system.Root.Send(e.pid, outcome.Answer{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "burnt", Verdict: outcome.Infeasible}})
		e.system.Root.Send(e.pid, outcome.Answer{Evaluation: 2, Attempt: 1, Returned: true}) // nobody waits for that
		e.system.Root.Send(e.pid, outcome.Answer{Evaluation: 2, Attempt: 1, Outcome: outcome.Outcome{Value: 2, Cost: 3}})
		e.await()
		var said []loop.Event
		for _, event := range got {
			if _, _, about := loop.About(event); about {
				said = append(said, event)
			}
		}
		if len(said) != 2 || said[0] != loop.Event(loop.EvaluationFailed{Evaluation: 1, Attempt: 1, Failure: outcome.Failure{Reason: "burnt", Verdict: outcome.Infeasible}}) {
			t.Fatalf("%+v", said)
		}
		if f := said[1].(loop.FeedbackArrived); f.Told || f.Value != 2 || f.Cost != 3 {
			t.Errorf("%+v", f)
		}
	})
}

// overheard is an engine whose workers are guests: one of them has joined, with so many slots, and every event is kept.
func overheard(t *testing.T, queries, slots int, events *[]loop.Event) *embedded {
	t.Helper()
	c := outside(t, queries)
	c.Study.Initial = queries
	c.OnEvent = func(n Notice) { *events = append(*events, n.Event) }
	e := embed(t, c)
	e.invite(slots, 0)
	synctest.Wait()
	return e
}
