package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitInterrupted = 130
)

const exits = "Exit codes: 0 done, 1 failure, 2 wrong command line, 130 interrupted (what is complete is printed).\n"

// console is where a command writes.
type console struct{ stdout, stderr io.Writer }

// command is one word after the name of the program.
type command struct {
	name, summary string
	// run does it; nil: it explains the others.
	run func(ctx context.Context, args []string, k console) error
	// explain writes its help; nil: that of the program.
	explain func(w io.Writer) error
}

// cli is the demo with its commands, the first of which is meant when none is named.
type cli struct {
	about    string // what stands before the list of commands
	commands []command
}

// run is the whole program but for the process: it returns the exit code.
func (p cli) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	chosen := p.commands[0]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		c, err := p.find(args[0])
		if err != nil {
			return report(err, stderr)
		}
		chosen, args = c, args[1:]
	}
	if chosen.run == nil {
		chosen.run = p.help
	}
	out := &output{to: stdout}
	err := chosen.run(ctx, args, console{out, stderr})
	if out.err != nil { // whatever the command found, nobody has it
		err = out.err
	}
	return report(err, stderr)
}

// find returns the command of that name.
func (p cli) find(name string) (command, error) {
	var names []string
	for _, c := range p.commands {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, usage{"demo help", fmt.Errorf("command %q: want one of %s", name, strings.Join(names, ", "))}
}

// help is the command that explains the others: an overview, or one of them with its flags.
func (p cli) help(_ context.Context, args []string, k console) error {
	switch {
	case len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return p.overview(k.stdout)
	case len(args) > 1:
		return usage{"demo help", fmt.Errorf("demo help: argument %q: want one command", args[1])}
	}
	c, err := p.find(args[0])
	if err != nil {
		return err
	}
	if c.explain == nil {
		return p.overview(k.stdout)
	}
	return c.explain(k.stdout)
}

// overview lists the commands.
func (p cli) overview(w io.Writer) error {
	fmt.Fprint(w, p.about)
	for _, c := range p.commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.name, c.summary)
	}
	_, err := fmt.Fprint(w, "\n'demo help COMMAND' explains a command and its flags.\n\n"+exits)
	return err
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
