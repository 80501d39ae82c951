package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
)

// flagValue is an option as cobra takes a flag. Limits are judged later, all at once.
type flagValue struct{ option.Option }

func (v flagValue) String() string {
	if v.Words == nil && v.IsZero() {
		return "" // which help does not show
	}
	return v.Text()
}

// Set reads the value.
func (v flagValue) Set(text string) error {
	if v.Read(text) {
		return nil
	}
	switch v.Field.(type) {
	case *int, *uint64: // also one that is too great for any limits to be judged
		return errors.New("want " + v.Want(v.Name))
	}
	return errors.New("want " + v.Kind)
}

// Type names the kind of value.
func (v flagValue) Type() string {
	_, text := v.Field.(*string)
	switch {
	case v.IsBoolFlag():
		return "bool"
	case text || v.Words != nil:
		return "string" // whose default help puts in quotes
	}
	return "value"
}

// IsBoolFlag reports whether the flag needs no value.
func (v flagValue) IsBoolFlag() bool {
	_, is := v.Field.(*bool)
	return is
}

// optionFlags makes a flag of each option that has a help, but for those that are named.
func optionFlags(cmd *cobra.Command, options []option.Option, but ...string) {
	for _, o := range options {
		if o.Help == "" || slices.Contains(but, o.Name) {
			continue
		}
		f := cmd.Flags().VarPF(flagValue{o}, o.Name, "", o.Usage())
		if (flagValue{o}).IsBoolFlag() {
			f.NoOptDefVal = "true"
		}
	}
}

// runOptions are the options of a process that goes on with a study, as flags.
func runOptions(o *tarry.Options) []option.Option {
	return []option.Option{
		{Name: "target", Value: option.Maybe(&o.Target), Help: "`VALUE` that suffices: the study ends when one as good comes"},
		{Name: "max-time", Value: option.Time(&o.MaxTime), Zero: "0 means without end",
			Help: "`TIME` after which nothing new is started, as in 90m or 8h"},
		{Name: "any-program", Value: option.Toggle(&o.AnyProgram), Help: "go on also where another version or architecture wrote the study"},
	}
}

// flagged speaks of flags where the package speaks of options.
func flagged(err error) error {
	if err == nil {
		return nil
	}
	var c loop.Config
	var o tarry.Options
	pairs := []string{"Options.Workers", "--workers", "≤ Workers ≤", "≤ workers ≤", "Options.First", "--enqueue", "Options.Known", "--observe", "Options.Policy", "--policy", "Options.Learned", "--sequence", "Options.Taught", "--taught", "Options.Earlier", "--learn-from", "Options.Prior", "--prior",
		"Options.Space.Points", "points of the space", "Options.Seeds[", "space file: seeds[", "Options.Seeds", "seeds of the space file", "Options.Constraints", "constraints of the space file"}
	name := func(path, flag string) {
		pairs = append(pairs, "Options."+path+" ", "--"+flag+" ", "≤ "+path+" ≤", "≤ "+flag+" ≤", "≤ "+path+" <", "≤ "+flag+" <", " "+path+" = ", " --"+flag+" = ")
	}
	for _, f := range c.Options() {
		if f.Help != "" {
			name(option.Path(&c, f.Field), f.Name)
		}
	}
	for _, f := range runOptions(&o) {
		name(option.Path(&o, f.Field), f.Name)
	}
	return flagError{strings.NewReplacer(pairs...).Replace(err.Error()), err}
}

// flagError is an error in words of its own.
type flagError struct {
	text string
	err  error
}

func (e flagError) Error() string { return e.text }
func (e flagError) Unwrap() error { return e.err }
