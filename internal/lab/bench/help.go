package bench

const helpText = `go run ./cmd/demo bench [FLAGS]

Measures what the engine adds to an evaluation, so that other tools can be put beside it: the time from the arrival of an
answer until the next query is sent out, the time of a fit of the hyperparameters, and the memory of a study. Nothing
is hidden in a cache: every suggestion has one answer more than the one before, and no fit is adopted between them.

A study has n answers, a third of them at uniform points and the others gathered around the maximizer, and so many
queries pending. Suggestions are timed at n to 1.1 n answers; a study that grew beyond that is left for a fresh one.

  go run ./cmd/demo bench                                       the default policy, 50 to 4000 answers
  go run ./cmd/demo bench -n 100,1000 -dim 20 -policy gp-bts    another policy in 20 dimensions
  go run ./cmd/demo bench -json - > costs.jsonl                 for machines, in seconds
  go run ./cmd/demo bench -study 2000 -plot long.png            one whole study, with its curves (minutes)
  go run ./cmd/demo bench -study 10000 -active 1000             a longer one with a smaller model

With -study N one study of N evaluations is played from beginning to end instead. The policy chooses every query after
the initial design, answers come in random order, and every fit is made when the engine asks for it; since another CPU
could make it meanwhile, its time stands beside and is in no suggestion, and its result holds from the next answer on.
Every suggestion is timed, and the heap is measured every 50 of them. The table and the lines for machines are by
stretches of evaluations, with the regret that was reached; the picture shows all suggestions and fits, heap and rows.
There is no -n or -repeats beside it. Interrupted, it shows how far it came.

The seed decides points, answers and policy; the times are those of the machine, which should have nothing else to do.

Flags:
`
