// Package loop is the optimization loop as a value. It takes stamped events (a worker joined, a policy proposed,
// feedback arrived) and returns effects (ask the policy, dispatch an evaluation, fit, finish). It knows no goroutine,
// clock, file or logger, and it is the only place where the state of a study changes. The same configuration and the
// same events give the same effects, to the bit, on one architecture and version of Go.
//
// # The contract of Step
//
// A driver stamps each event with the next number and the time, keeps it (if it keeps a journal), calls Step, and then
// performs the effects of its reaction in order. A driver written out in full, for a study with one worker that answers at once:
//
//	l, err := loop.New(config)
//	queue := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 1}}
//	for seq := uint64(1); len(queue) > 0; seq++ {
//		reaction, err := l.Step(loop.Stamped{Seq: seq, Event: queue[0]})
//		queue = queue[1:]
//		for _, e := range reaction.Effects {
//			switch e := e.(type) {
//			case loop.Ask:
//				queue = append(queue, l.Task().Run(policy))
//			case loop.Fit:
//				queue = append(queue, e.Run())
//			case loop.Dispatch:
//				queue = append(queue, loop.FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(f(e.X))})
//			case loop.Finish:
//				return e.Result
//			}
//		}
//	}
//
// # Rules
//
//   - At most one Ask and one Fit are open. Every answer names what it answers; an answer that matches nothing is
//     counted and dropped.
//   - What arrives between two asks is applied at the next one, in order of evaluation, so the order of arrival in
//     between does not matter. A fit is a boundary like an ask: it sees what had come when it began.
//   - An evaluation is identified by its number and attempt, never by its coordinates. Its value is taken whenever it
//     comes: after a timeout, a failure, a cancellation, the end of the study.
//   - A worker that answers AnswerFollows is free again while its evaluation stays pending.
//   - Whatever the world says is data: contexts outside the space, unknown evaluations, values that are no numbers are
//     counted and never end a study. Only a broken sequence or an event of no kind does.
//   - Effects name user units; everything inside is in the unit cube and maximized.
//
// # Limits
//
// Everything that can grow has one: see MaxBudget and the constants beside it. Memory is O(n²) for n evaluations where
// the policy wants a model (8 bytes for each pair), plus O(n·N) with a finite list of N points; O(n) otherwise.
package loop
