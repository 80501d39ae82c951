package main

const compareHelp = `go run ./cmd/demo compare [FLAGS]

Judges policies: every policy meets every cell, a problem under conditions (noise, delays, workers), with every seed. Of a
seed all policies meet the same function, noise and delays, so that differences are paired. Each begins as a study of its own
would: with 5 initial points where fits choose the model, as those of auto do, and with the same 2d+1, at most 18, all others
(fewer with a small budget or a small finite space); how a policy begins is part of what is compared. It prints tables and
writes one HTML page with pictures: average ranks, regret by family of problems, and every policy in every cell.

The problems are in two halves. Tune on one of them, -half tuning; the other one, -half judging, says what that is worth.
Others are in reserve, -half reserve: nothing was tuned on them, and they say whether what holds on both halves holds elsewhere.
Those of -half wide have ranges that are far too wide, or over orders of magnitude without a logarithm.
Functions are moved, some are turned, and draws are drawn anew, by the seed.

Regret is the simple regret, in units of what the best of ten random points leaves on average; tables have the mean of its
log10, after half the budget and all of it, and no regret counts as less than -floor. The best fixed policy of a cell is
chosen on the even seeds; on the odd ones each policy is compared with it. A policy meets all that is asked for when it is not
significantly worse (paired, one-sided, 95 %, Holm over the cells) in at least 80 % of the cells, at most 0.05 decades behind
on average, and has the best average rank. With a few seeds next to nothing is significant: where a cell has fewer than ten
odd seeds it is left open who meets all (–; null in JSON). Use twenty seeds or more.

Every run is kept as soon as it is complete. After Ctrl-C the same command goes on where it was, and so does one with more
seeds, cells or policies. A run that fails is named, and the others go on.

  go run ./cmd/demo compare -list                                        problems, conditions and the usual cells
  go run ./cmd/demo compare -half tuning -seeds 4                        a first look
  go run ./cmd/demo compare -half tuning -policies gp-bucb,log-ei,random -data tst-svm
  go run ./cmd/demo compare -half reserve -noise no,small -workers 0     problems on which nothing was tuned
  go run ./cmd/demo compare -half wide -noise no,small -workers 8        problems with ranges that are too wide
  go run ./cmd/demo compare -problems gaussian,branin -noise no,large -delays heavy -workers 1,8,32
  go run ./cmd/demo compare -json - > compare.json                       all that the tables show, for machines

The milliseconds of a query ("seconds" in JSON) are time on the clock, longer the more runs go on at once (-parallel;
"at_once") and the busier the machine is. All else follows from the command.

Flags:
`
