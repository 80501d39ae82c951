package comparison

const helpText = `go run ./cmd/demo sim [FLAGS]

Compares policies on problems whose maximum is known, in virtual time: a table of simple and cumulative regret with
standard errors over the seeds, and on request a picture and one JSON object a line for each problem, policy and seed.
For problems with held-out data there is a table of accuracies as well.

By default one query is sent out every tick, whatever is pending, and the answer of query s can be used for query t iff
its delay is at most t - s ticks. With -workers W a query starts when a worker is free. Simple regret after k queries is
the maximum minus the noise-free value of the best answered query that is known when query k+1 would be chosen;
cumulative regret is the sum over the k queries, where one that violates a constraint counts as the worst value would.
Queries are counted after the initial ones. The last column is how many answers lay in the central 80 % of what the
policy's model said when it chose the query; in the JSON it is "coverage".

Seed s decides the objective (where it is drawn at random), the initial points, the noise and the delays, so that all
policies meet the same chances, and the same command gives the same bytes but for wall_ms.

  the synthetic problem of Verma et al. 2022, in the paper's strict form:
    go run ./cmd/demo sim -problem gp1d -policies ucb-sdf,ts-sdf,gp-ucb,asy-ts,gp-bucb,gp-bts,random \
      -window 20 -strict -rounds 300 -seeds 20 -noise 0.01 -plot gp1d.png
  test functions, noise of two percent, heavy tails:
    go run ./cmd/demo sim -problem branin,hartmann6 -delay pareto:2,1.5 -noise 2% -rounds 60 -seeds 5
  eight workers, answers that may never come:
    go run ./cmd/demo sim -problem branin -workers 8 -delay never:0.1+exponential:8 -timeout 60 -rounds 60
  batches of five:
    go run ./cmd/demo sim -problem branin -batch 5 -delay fixed:1 -rounds 60
  for machines:
    go run ./cmd/demo sim -problem gp1d -policies random -json - > runs.jsonl

In a picture with a logarithmic axis, values at or below its lower end, zero among them, are drawn at that end.

Flags:
`
