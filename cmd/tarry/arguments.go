package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

// exactly wants one argument for each name.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(names); {
		case len(args) < n:
			return fmt.Errorf("%s is missing: want %s", names[len(args)], cmd.UseLine())
		case len(args) > n:
			return fmt.Errorf("%q is one argument too many: want %s", args[n], cmd.UseLine())
		}
		return nil
	}
}
