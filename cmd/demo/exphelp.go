package main

const expHelp = `go run ./cmd/demo exp [NAME] [FLAGS]

Runs an experiment: its methods under its settings, each with every seed, in parallel. It prints tables with standard
errors and writes a report: one HTML page that needs no network, with pictures, tables, the exact command, seeds and
versions; the pictures as PNG; and every run as a line of JSON. Without a name it lists the experiments.

Every run is kept as soon as it is complete. After Ctrl-C or a power cut the same command goes on where it was, and with
more seeds it does only those that are missing. Results of another program, other data or other rounds are never mixed.

  go run ./cmd/demo exp                                              the list
  go run ./cmd/demo exp sdf-delays                                   20 seeds, report in exp-sdf-delays
  go run ./cmd/demo exp sdf-synthetic -seeds 100 -report out         more of them, elsewhere
  go run ./cmd/demo exp sdf-svm -data pima-diabetes.csv -seeds 10    with data of your own
  go run ./cmd/demo exp batch -seeds 2 -rounds 50 -report - -json -  a quick look, for machines

The time of all runs, and "wall_ms" of each in the lines of JSON, is time on the clock: the more runs go on at once (-parallel;
"at_once") and the busier the machine is, the longer it is. All else follows from the command.

Flags:
`
