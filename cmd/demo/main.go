// Command demo shows what the engine does under late answers: live, on the wall clock, and over many seeds in virtual
// time.
//
//	go run ./cmd/demo                                  # tunes a real classifier, live, with eight workers
//	go run ./cmd/demo sim -problem branin -seeds 20    # compares policies on a problem whose maximum is known
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
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	signal.Ignore(syscall.SIGPIPE) // a reader that is gone is an error of the output like any other
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// console is where the program writes.
type console struct{ stdout, stderr io.Writer }

// command is one word after the program's name.
type command struct {
	name, summary string
	run           func(ctx context.Context, args []string, c console) error
}

// commands returns what the program can do. The first one is meant when none is named.
func commands() []command {
	return []command{
		{"tune", "tune a real classifier, live (this is what happens without a command)", tune},
		{"sim", "compare policies x problems x seeds in virtual time", simulate},
		{"exp", "run an experiment of the literature or of ours, with a report", conduct},
		{"policies", "list the policies", listPolicies},
		{"problems", "list the problems", listProblems},
		{"help", "explain a command", help},
		{"bench", "measure what a suggestion and a fit cost", measureCosts},
		{"soak", "throw hostile data at the study loop and check that it holds", soak},
		{"claims", "measure the figures of README and docs again", measureClaims},
	}
}

// run is the whole program but for the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	all := commands()
	chosen := all[0]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		c, err := find(args[0])
		if err != nil {
			return report(err, stderr)
		}
		chosen, args = c, args[1:]
	}
	out := &output{to: stdout}
	err := chosen.run(ctx, args, console{out, stderr})
	if out.err != nil { // whatever the command found, nobody has it
		err = out.err
	}
	return report(err, stderr)
}

// find returns the command of that name.
func find(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, usage{"demo help", fmt.Errorf("command %q: want one of %s", name, strings.Join(names, ", "))}
}

// usage is an error of the command line.
type usage struct {
	help string // command that explains more
	err  error
}

func (u usage) Error() string { return u.err.Error() }
func (u usage) Unwrap() error { return u.err }

// interrupted ends a command that was told to stop.
type interrupted struct{ state string }

func (i interrupted) Error() string { return "interrupted: " + i.state }

// report says on stderr why a command ended and returns the exit code.
func report(err error, stderr io.Writer) int {
	var bad usage
	var stopped interrupted
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &bad):
		for _, line := range lines(bad.err) {
			fmt.Fprintln(stderr, "demo:", line)
		}
		fmt.Fprintf(stderr, "Run 'go run ./cmd/%s' for help.\n", bad.help)
		return exitUsage
	case errors.As(err, &stopped):
		fmt.Fprintln(stderr, "demo:", stopped)
		return exitInterrupted
	}
	fmt.Fprintln(stderr, "demo:", err)
	return exitFailure
}
