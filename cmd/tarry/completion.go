package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarry-bo/tarry/policies"
)

// completed tells shells what the arguments and flags of a command may be. Of a file that is written, anything.
func completed(cmd *cobra.Command) {
	known := map[string]cobra.CompletionFunc{
		"policy": policyNames, "study": files("db"), "space": files("yaml", "yml", "json"), "enqueue": files("csv"), "points": files("csv"), "observe": files("csv"), "plot": nil, "output": nil, "source": files("db", "csv"),
		"init": nil, "role": cobra.FixedCompletions([]cobra.Completion{"admin", "worker", "asker", "viewer"}, cobra.ShellCompDirectiveNoFileComp),
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		suggest, is := known[f.Name]
		if o, ok := f.Value.(flagValue); ok && !is {
			suggest = cobra.FixedCompletions(o.Words, cobra.ShellCompDirectiveNoFileComp)
		} else if !is {
			suggest = cobra.NoFileCompletions
		}
		if suggest == nil {
			return
		}
		if err := cmd.RegisterFlagCompletionFunc(f.Name, suggest); err != nil {
			panic("tarry: " + err.Error())
		}
	})
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

// oneFolder completes the one argument of a command, which is a folder.
func oneFolder(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
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
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = strings.ReplaceAll(f.Usage, "`", "") })
	for _, c := range cmd.Commands() {
		unquoteUsages(c)
	}
}
