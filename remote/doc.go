// Package remote evaluates the queries of studies in other processes, on other machines too: workers pull jobs over NATS and need no open
// port. A Hub is in the process that has the studies, and Work in each that evaluates.
//
//	hub, err := remote.NewHub(conn, remote.Options{Key: key})        // conn: a *nats.Conn
//	run, err := tarry.Start(ctx, space, nil, tarry.Options{Budget: 100, Remote: hub})
//
//	err := remote.Work(ctx, conn, func(ctx context.Context, q tarry.Query) (float64, error) { // elsewhere
//		return train(ctx, q.Float("rate"))
//	})
//
// # What is promised
//
//   - In the engine a remote worker is one more worker of the study: what it is given, and what it answers, is in the journal, which
//     replays to the bit.
//   - A worker repeats an answer until the hub has acknowledged it, and the hub acknowledges when the journal has it. It counts once.
//   - A worker of which nothing was heard for three heartbeats is taken for lost: what it ran starts elsewhere. If it comes back, its answer
//     counts all the same.
//   - Answers are believed for what was given out: a token names the study, the evaluation, the attempt, the point and the worker. They
//     also count when the hub was started anew meanwhile with the same key.
//   - No time of a clock travels, only how long something may take: clocks may differ by hours.
//   - A hub with an epoch lower than one that a worker has heard of is not heard any more.
//
// The hub believes the name of a worker that is in the subject of its messages, never one in their text: who may publish where is a matter
// of the permissions of the NATS server.
package remote
