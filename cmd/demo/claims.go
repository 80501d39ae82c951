package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/claims"
	"github.com/tarry-bo/tarry/internal/lab/console"
)

// claimsCommand is the command of that name.
func claimsCommand() console.Command {
	return console.Flagged("claims", "measure the figures of README and docs again", newClaims, measureClaims)
}

// claimsRequest is what the flags of claims say, each read but not yet judged.
type claimsRequest struct {
	list, slow, all  bool
	write            bool
	only, data, root string
}

func newClaims() (*claimsRequest, *console.Flags) {
	r := &claimsRequest{root: "."}
	f := console.NewFlags("claims", claimsHelp)
	f.Toggle(&r.list, "list", "list the claims and measure none")
	f.Toggle(&r.slow, "slow", "measure also what takes longer than "+console.Brief(claims.Slow))
	f.Toggle(&r.all, "all", "show also the figures that agree to the digit")
	f.Toggle(&r.write, "write", "put what was measured in the place of the figures that differ, claim by claim")
	f.Text(&r.only, "only", "`PATTERN`, a regular expression found in FILE:LINE of a claim or in its command")
	f.Text(&r.data, "data", "`FOLDER` with the data of experiments that read some; without it they are skipped")
	f.Text(&r.root, "root", "`FOLDER` of the module, where README.md and docs lie")
	return r, f
}

const claimsHelp = `go run ./cmd/demo claims [FLAGS]

Measures the figures of README and docs again and prints old beside new. Which command gives them stands in comments
around them ('go doc ./internal/lab/claims' has the form). What follows from a seed has to be the same, to the digits that
stand there; times have to be within the factor of their claim, and hold for a machine that has nothing else to do.

  go run ./cmd/demo claims                                  all that takes up to ten minutes, one after the other
  go run ./cmd/demo claims -list                            what there is, and how long it takes
  go run ./cmd/demo claims -only README                     those of one file
  go run ./cmd/demo claims -only 'exp sdf-svm' -data data   those of one command, which reads data/pima-diabetes.csv
  go run ./cmd/demo claims -slow                            also those of hours
  go run ./cmd/demo claims -only 'exp follows' -write       and put those that differ into the files

It fails when a figure that does not depend on the machine is another one that was not written, or when a command gives no
figure. Sentences that were drawn from a table are for a reader, as are ranges and what is marked as best: their lines are
named where their table has changed. Times are never written.

Flags:
`

// measureClaims is the command claims.
func measureClaims(ctx context.Context, r *claimsRequest, f *console.Flags, k console.Streams) error {
	o, all, err := r.settle(&f.Errs)
	if err := f.Refusal(); err != nil {
		return err
	}
	if err != nil {
		return err
	}
	o.Progress = k.Stderr
	if r.list {
		return listClaims(k.Stdout, o, all)
	}
	return claims.Show(ctx, all, o, claims.View{W: k.Stdout, All: r.all, Write: r.write})
}

// settle reads the claims. What is wrong with the flags goes to the list.
func (r *claimsRequest) settle(l *check.List) (o claims.Options, all []claims.Claim, err error) {
	o = claims.Options{Root: r.root, Slow: r.slow, Data: r.data}
	l.Require(!r.list || !r.write, "-write", "yes", "no -list beside it, which measures nothing")
	if r.only != "" {
		o.Only, err = regexp.Compile(r.only)
		l.Require(err == nil, "-only", r.only, "a regular expression")
	}
	_, err = os.Stat(filepath.Join(r.root, "go.mod"))
	l.Require(err == nil, "-root", r.root, "the folder of the module, with go.mod")
	if r.data != "" {
		_, err := os.Stat(r.data)
		l.Require(err == nil, "-data", r.data, "a folder that is there")
	}
	paths, err := claims.Guides(r.root)
	if err != nil {
		return o, nil, err
	}
	all, err = claims.Read(paths...)
	if err == nil && l.Err() == nil && o.Only != nil {
		l.Require(slices.ContainsFunc(all, o.Wanted), "-only", r.only, fmt.Sprintf("a pattern that is found in FILE:LINE or in the command of one of %s (-list shows them)", console.Plural(len(all), "claim")))
	}
	return o, all, err
}

// listClaims shows what there is.
func listClaims(w io.Writer, o claims.Options, all []claims.Claim) error {
	t := console.NewTable()
	t.AppendHeader(table.Row{"claim", "takes", "skipped", "command"})
	for _, c := range all {
		t.AppendRow(table.Row{c.Where(), console.Brief(c.Takes), o.Reason(c), c.Run})
	}
	_, err := fmt.Fprintln(w, t.Render())
	return err
}
