package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func newBackup() *cobra.Command {
	var salvage bool
	cmd := &cobra.Command{
		Use:   "backup STUDY COPY",
		Short: "Copy a study, also while it goes on",
		Long: `Copy a study as it is at this moment to a new file, also while another process goes on with it. All of the copy is read and
checked before it appears. What is at COPY already stays as it is, and the logs of the commands are not copied.

While a study goes on, and after a crash, its latest events are in STUDY-wal: STUDY copied by itself is refused by every
command, and so is one whose STUDY-wal was cut off or exchanged. Bring back what is missing if you can. --salvage keeps
what is there without it, in a new file, and says what was left behind; the study itself is not touched.
` + exitCodes,
		Example: `  tarry backup s.db copy.db
  tarry inspect copy.db`,
		Args: exactly("STUDY", "COPY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(located(args[0], "STUDY"), located(args[1], "COPY")); err != nil {
				return usage(err)
			}
			return backUp(cmd, args[0], args[1], salvage)
		},
	}
	cmd.Flags().BoolVar(&salvage, "salvage", false, "keep what there is of a study whose log is missing or damaged")
	completed(cmd)
	return cmd
}

func backUp(cmd *cobra.Command, study, to string, salvage bool) error {
	events, err := sqlite.Backup(study, to)
	var lost error
	if salvage && errors.Is(err, journal.ErrCorruptJournal) {
		events, lost, err = sqlite.Salvage(study, to)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return usage(err)
	case err != nil:
		return opening(err)
	}
	if lost != nil {
		why, _, _ := strings.Cut(lost.Error(), "\n")
		fmt.Fprintln(cmd.ErrOrStderr(), "tarry: left behind:", why)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d events of %s, every checksum agrees\n", to, events, study)
	return failure(err)
}
