// Command demo shows what the engine does under late answers: live, on the wall clock, and over many seeds in virtual
// time.
//
//	go run ./cmd/demo                                  # tunes a real classifier, live, with eight workers
//	go run ./cmd/demo sim -problem branin -seeds 20    # compares policies on a problem whose maximum is known
//	go run ./cmd/demo compare                          # judges policies over many problems, conditions and seeds
//	go run ./cmd/demo exp                              # the experiments, each with a report
//	go run ./cmd/demo policies                         # what can be compared
//	go run ./cmd/demo problems                         # and on what
//	go run ./cmd/demo help sim                         # every flag, with examples
//
// What sim prints follows from its seed alone, whatever the machine does meanwhile. What tune prints also depends on the
// clock, which decides the order of live answers. The last line of the output is the command that reproduces it.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/tarry-bo/tarry/internal/lab/bench"
	"github.com/tarry-bo/tarry/internal/lab/comparison"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/soak"
	"github.com/tarry-bo/tarry/internal/lab/tuning"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	signal.Ignore(syscall.SIGPIPE) // a reader that is gone is an error of the output like any other
	os.Exit(demo().Run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

const about = `Demo shows Bayesian optimization whose answers come late.

  go run ./cmd/demo                tune a real classifier, live; takes 23 seconds after building
  go run ./cmd/demo COMMAND ...    one of:

`

// demo is what the program can do.
func demo() console.Program {
	return console.Program{About: about, Commands: []console.Command{
		tuning.Command(), comparison.Command(), compareCommand(), expCommand(), policiesCommand(), problemsCommand(),
		{Name: "help", Summary: "explain a command"},
		bench.Command(), soak.Command(), claimsCommand(),
	}}
}
