// Package console is what the commands of the demo have in common: the program around them, flags that report all that is wrong
// at once, tables, progress, files, and the words in which things are said.
package console

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
	ExitOK          = 0
	ExitFailure     = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// exitCodes is the end of every help.
const exitCodes = "Exit codes: 0 done, 1 failure, 2 wrong command line, 130 interrupted (what is complete is printed).\n"

// Streams is where a command writes.
type Streams struct{ Stdout, Stderr io.Writer }

// Command is one word after the name of the program.
type Command struct {
	Name, Summary string
	// Run does it; nil: it explains the others.
	Run func(ctx context.Context, args []string, k Streams) error
	// Flags are those that it takes, with its help; nil: it takes none.
	Flags func() *Flags
	// Explain writes its help where it has no flags; nil: that of the program.
	Explain func(w io.Writer) error
}

// Flagged returns a command with flags. fresh returns a request with its defaults and the flags that fill it. run gets
// them when the arguments are read, also where the flags hold complaints.
func Flagged[R any](name, summary string, fresh func() (*R, *Flags), run func(context.Context, *R, *Flags, Streams) error) Command {
	return Command{
		Name: name, Summary: summary,
		Flags: func() *Flags {
			_, f := fresh()
			return f
		},
		Run: func(ctx context.Context, args []string, k Streams) error {
			r, f := fresh()
			if err := f.Parse(args, k); err != nil {
				return err
			}
			return run(ctx, r, f, k)
		},
	}
}

// Program is the demo with its commands, the first of which is meant when none is named.
type Program struct {
	About    string // what stands before the list of commands
	Commands []Command
}

// Run is the whole program but for the process: it returns the exit code.
func (p Program) Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	chosen := p.Commands[0]
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		c, err := p.find(args[0])
		if err != nil {
			return Report(err, stderr)
		}
		chosen, args = c, args[1:]
	}
	if chosen.Run == nil {
		chosen.Run = p.help
	}
	out := &output{to: stdout}
	err := chosen.Run(ctx, args, Streams{out, stderr})
	if out.err != nil { // whatever the command found, nobody has it
		err = out.err
	}
	return Report(err, stderr)
}

// find returns the command of that name.
func (p Program) find(name string) (Command, error) {
	var names []string
	for _, c := range p.Commands {
		if c.Name == name {
			return c, nil
		}
		names = append(names, c.Name)
	}
	return Command{}, Usage{"demo help", fmt.Errorf("command %q: want one of %s", name, strings.Join(names, ", "))}
}

// help is the command that explains the others: an overview, or one of them with its flags.
func (p Program) help(_ context.Context, args []string, k Streams) error {
	switch {
	case len(args) == 0 || args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return p.overview(k.Stdout)
	case len(args) > 1:
		return Usage{"demo help", fmt.Errorf("demo help: argument %q: want one command", args[1])}
	}
	c, err := p.find(args[0])
	if err != nil {
		return err
	}
	switch {
	case c.Flags != nil:
		return c.Flags().explain(k.Stdout)
	case c.Explain != nil:
		return c.Explain(k.Stdout)
	}
	return p.overview(k.Stdout)
}

// overview lists the commands.
func (p Program) overview(w io.Writer) error {
	fmt.Fprint(w, p.About)
	for _, c := range p.Commands {
		fmt.Fprintf(w, "  %-9s %s\n", c.Name, c.Summary)
	}
	_, err := fmt.Fprint(w, "\n'demo help COMMAND' explains a command and its flags.\n\n"+exitCodes)
	return err
}

// Usage is an error of the command line.
type Usage struct {
	Help string // command that explains more
	Err  error
}

// Error returns what is wrong.
func (u Usage) Error() string { return u.Err.Error() }

// Unwrap returns the violations.
func (u Usage) Unwrap() error { return u.Err }

// Interrupted ends a command that was told to stop.
type Interrupted struct{ State string }

// Error says how far the command came.
func (i Interrupted) Error() string { return "interrupted: " + i.State }

// Report says on stderr why a command ended and returns the exit code.
func Report(err error, stderr io.Writer) int {
	var bad Usage
	var stopped Interrupted
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return ExitOK
	case errors.As(err, &bad):
		for _, line := range lines(bad.Err) {
			fmt.Fprintln(stderr, "demo:", line)
		}
		fmt.Fprintf(stderr, "Run 'go run ./cmd/%s' for help.\n", bad.Help)
		return ExitUsage
	case errors.As(err, &stopped):
		fmt.Fprintln(stderr, "demo:", stopped)
		return ExitInterrupted
	}
	fmt.Fprintln(stderr, "demo:", err)
	return ExitFailure
}
