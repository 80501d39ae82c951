// Command tarry tunes any command, and answers ask and tell for programs in any language. Everything that happens is in one
// SQLite file, from which a study goes on after whatever ended the process.
//
//	tarry tune --space space.yaml --budget 100 --study s.db -- ./train.sh --lr {lr} --layers {layers}
//	tarry resume s.db      # goes on where it was
//	tarry inspect s.db     # what was found
//	tarry report s.db      # a page to be sent to somebody
//	tarry replay s.db --policy log-ei   # where another policy would have chosen otherwise
//	tarry asktell --space space.json --study s.db
//	tarry serve studies    # ask and tell over HTTP
//	tarry work -- ./train.sh --lr {lr}   # on another machine
//
// tarry help tune has the rest.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/journal"
)

// Exit codes.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitNoValue     = 3
	exitInUse       = 4
	exitInterrupted = 130
)

const exitCodes = `
Exit codes:
  0    done
  1    failure: what was acknowledged is in the study
  2    wrong command line, space file or study
  3    the budget or the time is spent, and no evaluation has a value
  4    another process has the study open
  130  interrupted; the study can be resumed`

func main() {
	signal.Ignore(syscall.SIGPIPE) // a reader that is gone is an error of the output like any other
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program but for the process: it returns the exit code.
func run(args []string, in io.Reader, out, log io.Writer) int {
	root := newRoot(in, out, log)
	root.SetArgs(args)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		unquoteUsages(root)
	}
	err := root.Execute()
	if err == nil {
		return exitOK
	}
	var e exit
	if !errors.As(err, &e) {
		e = exit{exitUsage, worded(err)} // cobra's own: flags and arguments
	}
	for line := range strings.SplitSeq(visible(e.Error()), "\n") {
		fmt.Fprintln(log, "tarry:", strings.TrimPrefix(line, "tarry: "))
	}
	return e.code
}

// version is what the program is, as far as a study depends on it.
func version() string {
	p := journal.ThisProgram()
	text := p.Tarry + " " + p.Go + " " + p.Arch
	if p.Level != "" {
		text += " " + p.Level
	}
	return text
}

func newRoot(in io.Reader, out, log io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "tarry",
		Short: "Optimize expensive things whose answers come late",
		Long: `tarry chooses what to try next while many evaluations run at once and each answer comes when it comes, or never. It tunes
any command (tune), or lets a program in any language ask and tell (asktell, and serve over HTTP). A study is one SQLite file; whatever ends
the process, the study goes on from there (resume).
` + exitCodes,
		Version:       version(),
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	root.SetVersionTemplate("tarry {{.Version}}\n")
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(log)
	root.AddCommand(newTune(), newResume(), newInspect(), newReport(), newReplay(), newVerify(), newBackup(), newPrune(), newLearn(), newAskTell(), newServe(), newWork(), newCertify(), newPolicies())
	return root
}
