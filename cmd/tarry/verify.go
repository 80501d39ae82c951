package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func newVerify() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify STUDY",
		Short: "Replay a study and compare every digest",
		Long: `Check the file of a study: every page and every checksum, and then the study itself, which is replayed event by event and
must come to every state that was recorded on the way. Nothing is changed, and the study may be going on meanwhile.
` + exitCodes,
		Example: `  tarry verify s.db`,
		Args:    exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := located(args[0], "STUDY"); err != nil {
				return usage(err)
			}
			store, err := sqlite.Read(args[0])
			if err != nil {
				return opening(err)
			}
			defer store.Close()
			fileErr := store.Verify()
			report, err := journal.Verify(store)
			if fileErr != nil && err != nil && err.Error() == fileErr.Error() {
				err = nil // it came to the same place
			}
			if err := errors.Join(fileErr, err); err != nil {
				return failure(fmt.Errorf("%s: %w", args[0], err))
			}
			snapshot := "no snapshot yet"
			if report.Snapshot {
				snapshot = "the snapshot agrees"
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d events, %d evaluations, %d digests agree, %s\n",
				args[0], report.Events, len(report.Loop.Evaluations()), report.Digests, snapshot)
			if err == nil && len(report.Different) > 0 {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "written by another program: %s\n", strings.Join(report.Different, ", "))
			}
			return failure(err)
		},
	}
	completed(cmd)
	return cmd
}
