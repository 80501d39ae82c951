// Package actors runs a study live: a coordinator actor that owns the loop, and policy, fitter and worker actors around
// it. It is the only room that knows the actor framework.
//
//	engine, err := actors.Start(ctx, actors.Config{
//		Study:     loop.Config{Space: s, Budget: 100},
//		Policy:    policy,
//		Objective: func(ctx context.Context, t workers.Task) (float64, error) { return train(ctx, t.X) },
//		Workers:   8,
//	})
//	end := engine.Wait()
//
// Start gives a study an actor system of its own. New returns the props of a coordinator for an actor system that
// exists already; there it takes events of the loop and the messages of this package, and workers of the caller's may join it.
//
// # What is promised
//
//   - The coordinator stamps, journals, steps and performs one event at a time. What it has acknowledged is in the
//     journal; what the journal refuses did not happen, and ends the study.
//   - A panic, a hang or a terminated worker costs one attempt. A policy that panics costs one query: a point that fills
//     the space takes its place.
//     A fit that fails leaves the hyperparameters as they are. All of it is counted and reported.
//   - A coordinator that breaks down ends its study with an error that carries the stack. It is never restarted.
//   - Mailboxes are not bounded, their senders are: a worker holds as many evaluations as it offered slots, there is
//     one ask and one fit at a time, and who brings an event waits for its answer.
//   - An objective that ignores its context is left behind after Config.Grace; nothing else outlives Wait.
package actors
