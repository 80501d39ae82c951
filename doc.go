// Package tarry optimizes expensive functions whose answers come late. Many evaluations run at once, each answer comes
// after a delay nobody knows, or never, and the next query is chosen without waiting: what is pending is in the model
// all the same.
//
// # Maximize, Minimize
//
// A space of parameters, a function, a budget:
//
//	s, err := tarry.NewSpace(tarry.LogFloat("rate", 1e-5, 1), tarry.Int("layers", 1, 8))
//	result, err := tarry.Maximize(ctx, s, func(ctx context.Context, q tarry.Query) (float64, error) {
//		return train(ctx, q.Float("rate"), q.Int("layers"))
//	}, tarry.Options{Budget: 60, Workers: 8})
//	fmt.Println(result.Best)
//
// Besides those there are Categorical, Bool and Ordered parameters; Float("dropout", 0, 0.5).Stepped(0.05) takes 0, 0.05 …
// 0.5, and a parameter with one value is fixed. Float("beta", 0.8, 1).When("kind", "adam") is active where kind is adam, as
// Query.Active says; elsewhere it is NaN, it is not searched, and configurations that differ there only are the same.
//
// A panic, an error, NaN or a timeout costs one attempt and nothing else. When ctx ends, the best so far comes back with
// ctx.Err() wrapped.
//
// # Answers that follow
//
// An objective may only set something in motion. Then nothing but Options.Pending keeps a study from choosing all its
// queries before the first answer, which would be random search: it says how many queries may be unanswered at once. By
// default these are 20, or half of the budget where that is less, and one more for every four answers.
//
// Start returns a Run while the study goes on. Such an objective returns ErrAnswerFollows; its worker is free at once, and
// Run.Tell brings the value whenever it is known, from any goroutine:
//
//	run, err := tarry.Start(ctx, s, func(ctx context.Context, q tarry.Query) (float64, error) {
//		if err := submit(q.ID, q.X); err != nil {
//			return 0, err
//		}
//		return 0, tarry.ErrAnswerFollows
//	}, options)
//	err = run.Tell(id, value) // hours later
//	result, err := run.Wait()
//
// # Ask and tell
//
// A Study is the same loop without workers, for callers with a job system of their own: Ask, and later Tell or
// Fail. As many queries are given out as Options.Pending lets be unanswered; then Ask returns ErrAwaiting. Observe brings values from elsewhere, Enqueue names the next query, and a lease (Options.Lease, Study.Renew) says
// how long a query is awaited without a sign of life.
//
// # Policies
//
// Options.Policy takes what ParsePolicy makes of a name such as "ts-sdf" or "ucb-sdf:nu=1", or a policy of your own:
// package policies says how to write one. docs/policies.md has a table of them with what was measured.
//
// # What a study tells
//
// Options.OnEvent is the one stream from which progress, logs (Options.Logger) and metrics (Options.Meter) are made.
// Options.Journal keeps every event before it is acted upon; package journal replays a study from it to the bit.
//
// # After the process has ended
//
// With a store on disk a study goes on in the next process, where it was. One program does both: it starts what the store does
// not hold, and otherwise goes on with what is there, which must be the study that is described.
//
//	store, err := sqlite.OpenOrCreate("study.db") // package journal/sqlite
//	run, err := tarry.StartOrResume(ctx, store, s, objective, tarry.Options{Budget: 100})
//
// Start with the store as Options.Journal, and Resume, are the halves of it. A study that has come to its end goes on when
// Options.Budget gives it more.
//
// # Reproducibility
//
// Every random choice follows from Options.Seed. With several workers the order of the answers matters as well, and no
// seed decides that; the journal does. Results repeat to the bit on one architecture and version of Go.
package tarry
