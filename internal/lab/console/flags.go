package console

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
)

// Flags reads the flags of one command. It goes on after a wrong one, which keeps its default, so that all of them are
// reported at once.
type Flags struct {
	set  *flag.FlagSet
	Errs check.List
	End  string // stands behind the exit codes in the help

	help string
}

// Limits of what several commands ask for.
const (
	MaxSeeds    = 10_000
	MaxParallel = 256
)

// NewFlags returns the flags of a command: none so far. The help of the command is the text before them.
func NewFlags(name, help string) *Flags {
	f := &Flags{set: flag.NewFlagSet(name, flag.ContinueOnError), help: help}
	f.set.SetOutput(io.Discard)
	return f
}

// value is a flag whose text is judged by read. It never fails: a violation goes to the list.
type value struct {
	text   string // default, as help shows it
	toggle bool
	read   func(text string)
}

func (v *value) String() string        { return v.text }
func (v *value) IsBoolFlag() bool      { return v.toggle }
func (v *value) Set(text string) error { v.read(text); return nil }

// Flag is a flag for a value. A violation leaves it as it is.
func (f *Flags) Flag(v option.Value, name, usage string) {
	text := v.Text()
	_, toggle := v.Field.(*bool)
	if toggle {
		text = "" // it is off, which need not be said
	}
	f.set.Var(&value{text: text, toggle: toggle, read: func(text string) {
		before := v.Text()
		if !v.Read(text) || !v.Valid() {
			f.Errs.Add("-"+name, text, v.Want(name))
			v.Read(before)
		}
	}}, name, usage)
}

// Text is a flag that is judged later, when all flags are known.
func (f *Flags) Text(p *string, name, usage string) { f.Flag(option.Text(p), name, usage) }

// Whole is a flag for a whole number in lo … hi.
func (f *Flags) Whole(p *int, name string, lo, hi int, usage string) {
	f.Flag(option.Whole(p, lo, hi), name, usage)
}

// Seed is a flag for any 64-bit number without a sign.
func (f *Flags) Seed(p *uint64, name, usage string) { f.Flag(option.Seed(p), name, usage) }

// Number is a flag for a number in [lo, hi].
func (f *Flags) Number(p *float64, name string, lo, hi float64, usage string) {
	f.Flag(option.Number(p, option.Range{Low: lo, High: hi}), name, usage)
}

// Duration is a flag for a time in [lo, hi].
func (f *Flags) Duration(p *time.Duration, name string, lo, hi time.Duration, usage string) {
	f.Flag(option.TimeWithin(p, lo, hi), name, usage)
}

// Toggle is a flag without a value.
func (f *Flags) Toggle(p *bool, name, usage string) { f.Flag(option.Toggle(p), name, usage) }

// Parse reads the arguments. Its only error is flag.ErrHelp, after the help was printed.
func (f *Flags) Parse(args []string, k Streams) error {
	if err := f.Read(args); err != nil {
		return errors.Join(err, f.explain(k.Stdout))
	}
	return nil
}

// Read reads the arguments. Its only error is flag.ErrHelp; what is wrong with them is in the list.
func (f *Flags) Read(args []string) error {
	for len(args) > 0 {
		err := f.set.Parse(args)
		rest := f.set.Args()
		switch {
		case errors.Is(err, flag.ErrHelp):
			return err
		case err != nil:
			rest = f.refuse(args[len(args)-len(rest)-1], rest)
		case len(rest) > 0:
			f.Errs.Join(fmt.Errorf("argument %q: want flags only: %s", rest[0], strings.Join(f.Names(), ", ")))
			rest = rest[1:]
		}
		args = rest
	}
	return nil
}

// refuse records an argument that the set could not read, and returns what there is to read after it.
func (f *Flags) refuse(arg string, rest []string) []string {
	name := strings.TrimLeft(arg, "-")
	name, _, hasValue := strings.Cut(name, "=")
	if f.set.Lookup(name) != nil {
		f.Errs.Join(fmt.Errorf("flag -%s: want a value after it", name))
		return rest
	}
	f.Errs.Join(fmt.Errorf("flag %s: want one of %s", arg, strings.Join(f.Names(), ", ")))
	if !hasValue && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
		return rest[1:] // most likely the value of the unknown flag
	}
	return rest
}

// Refusal is nil when nothing is wrong with the flags, and otherwise says all that is.
func (f *Flags) Refusal() error {
	if err := f.Errs.Err(); err != nil {
		return Usage{"demo help " + f.set.Name(), err}
	}
	return nil
}

// Names lists the flags, each with its dash.
func (f *Flags) Names() []string {
	var names []string
	f.set.VisitAll(func(g *flag.Flag) { names = append(names, "-"+g.Name) })
	return names
}

// explain writes what the command does, its flags with their defaults, and the exit codes.
func (f *Flags) explain(w io.Writer) error {
	fmt.Fprint(w, f.help)
	f.set.SetOutput(w)
	f.set.PrintDefaults()
	f.set.SetOutput(io.Discard)
	_, err := fmt.Fprint(w, "\n"+exitCodes+f.End)
	return err
}

// Given lists the flags that stand in the arguments.
func (f *Flags) Given() []string {
	var names []string
	f.set.Visit(func(g *flag.Flag) { names = append(names, g.Name) })
	return names
}
