// Package tarry optimizes expensive functions whose answers come late. Many evaluations run at once, and each answer comes
// after an unknown delay, or never. The next query is chosen without waiting, by a model that knows the pending queries too.
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
// A panic, an error, NaN or a timeout costs one attempt and nothing else. When ctx ends, Maximize returns the result so far
// and an error that wraps ctx.Err().
//
// # Answers that follow
//
// An objective may return ErrAnswerFollows before its value is known. Its worker is free at once, and Query.Tell brings the
// value later, from any goroutine, or Run.Tell where only the ID is left. Start returns a Run while the study goes on:
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
// Options.Pending says how many queries may be unanswered at once: by default 20, or half of the budget where that is less,
// and one more for every four answers. Without such a limit a study would choose all its queries before the first answer,
// which is random search.
//
// # Ask and tell
//
// A Study is the same loop without workers, for callers with a job system of their own: Ask, and later Tell or Fail. When as
// many queries are unanswered as Options.Pending allows, Ask returns ErrAwaiting. Observe brings a value from elsewhere,
// Enqueue names the next query, and a lease (Options.Lease, Study.Renew) limits how long a query is awaited without a sign of
// life.
//
// # Workers elsewhere
//
// With Options.Remote the queries of a study are evaluated in other processes, on other machines too, and Start needs no objective.
// Package remote has such a Remote, a Hub over NATS, and what a worker does:
//
//	run, err := tarry.Start(ctx, s, nil, tarry.Options{Budget: 60, Remote: hub})
//	err := remote.Work(ctx, conn, objective) // elsewhere
//
// # Policies
//
// Options.Policy takes what ParsePolicy makes of a name such as "ts-sdf" or "ucb-sdf:nu=1", or a policy of your own:
// package policies says how to write one. docs/policies.md has a table of them with what was measured.
//
// # Fidelities
//
// Ordered("epochs", 1, 3, 9).AsFidelity(1, 3, 9) is how thorough an evaluation is, and what that costs. Options.BudgetCost is what all
// evaluations may cost together, and what is found is judged at the greatest value: docs/fidelity.md, and the example Fidelity.
//
// # What a study tells
//
// Options.OnEvent gets every event of a study; logs (Options.Logger) and metrics (Options.Meter) come from the same events.
// Options.Journal keeps every event before the study acts upon it; package journal replays the study from it to the bit.
//
// # After the process has ended
//
// With a store on disk a study goes on in the next process. StartOrResume starts the study if the store holds none, and
// otherwise resumes the study of the store, which must be the one that the arguments describe.
//
//	store, err := sqlite.OpenOrCreate("study.db") // package journal/sqlite
//	run, err := tarry.StartOrResume(ctx, store, s, objective, tarry.Options{Budget: 100})
//
// Start with the store as Options.Journal, and Resume, are its two halves. A study that has ended goes on when Options.Budget
// gives it more evaluations.
//
// # Reproducibility
//
// Every random choice follows from Options.Seed. With several workers a study also depends on the order of its answers, which
// only the journal keeps. Results repeat to the bit on one architecture and version of Go.
package tarry
