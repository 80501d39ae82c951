package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// The flags whose values shells can suggest, and those with numbers and times.
var (
	named   = []string{"policy", "study", "space", "plot", "design", "enqueue", "observe"}
	unnamed = []string{
		"workers", "budget", "retries", "seed", "initial", "pending", "timeout", "lease", "grace", "top", "infeasible-code", "lost-code", "max-output",
		"keep", "older-than", "target", "max-time",
	}
)

// completed tells shells what the arguments and flags of a command may be.
func completed(cmd *cobra.Command) {
	suggest := func(flag string, f cobra.CompletionFunc) {
		if cmd.Flags().Lookup(flag) == nil {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
			panic("tarry: " + err.Error())
		}
	}
	suggest("policy", policyNames)
	suggest("study", files("db"))
	suggest("space", files("yaml", "yml", "json"))
	suggest("enqueue", files("csv"))
	suggest("observe", files("csv"))
	suggest("design", designNames)
	for _, flag := range unnamed {
		suggest(flag, cobra.NoFileCompletions)
	}
	switch {
	case strings.Contains(cmd.Use, " STUDY"):
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > strings.Count(cmd.Use, " ")-1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return files("db")(cmd, args, word)
		}
	case cmd.Name() == "policies":
		cmd.ValidArgsFunction = policyNames
	case cmd.Name() != "tune":
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
}

// files are those with one of the extensions.
func files(extensions ...cobra.Completion) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// designNames are the initial designs.
func designNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{space.Uniform.String(), space.LatinHypercube.String(), space.Halton.String()}, cobra.ShellCompDirectiveNoFileComp
}

// policyNames are the policies, with what they do.
func policyNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var out []cobra.Completion
	for _, e := range policies.All() {
		out = append(out, cobra.CompletionWithDesc(e.Name, e.Summary))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// unquoteUsages takes away what marks the name of a value in the usage of a flag, which only the help texts understand.
func unquoteUsages(cmd *cobra.Command) {
	for _, name := range slices.Concat(named, unnamed) {
		if f := cmd.Flags().Lookup(name); f != nil {
			f.Usage = strings.ReplaceAll(f.Usage, "`", "")
		}
	}
	for _, c := range cmd.Commands() {
		unquoteUsages(c)
	}
}
