package tuning

const helpText = `go run ./cmd/demo [tune] [FLAGS]

Tunes a classifier on the wall clock, with the engine that programs use. Every value is really trained; a wait is added
to it, as if training took that long, since here it takes milliseconds. Three methods have the same time, one after the
other: the policy with W workers, random search with W workers, and the policy with one evaluation at a time. While they
run, a terminal shows what is pending on each worker. The end is a table with the best configurations, their
cross-validated and held-out accuracy, and a picture over the time.

  go run ./cmd/demo                                             an RBF-SVM on Breast Cancer Wisconsin
  go run ./cmd/demo -problem logreg-breast                      logistic regression
  go run ./cmd/demo -policy ts-sdf:nu=1 -workers 16 -time 20s   another policy, more workers, more time
  go run ./cmd/demo -wait lognormal:-1,1                        a heavier tail
  go run ./cmd/demo -wait never:0.1+exponential:0.6 -timeout 2s a tenth of the answers never come
  go run ./cmd/demo -log events.jsonl                           every event of the engine

The seed decides initial points, policies and waits. The order in which live answers come depends on the clock as well,
so the same command may give somewhat different numbers. For comparisons over many seeds there is 'demo sim'.

Flags:
`
