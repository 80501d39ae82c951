package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func newReport() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "report STUDY",
		Short: "Write a page about a study, to be sent to somebody",
		Long: `Write one HTML file about a study that tune, asktell, serve or a program has kept: what was tuned, by which policy, what was found, the
best value over time, when evaluations were under way, the values over each parameter, what the model expects along each
parameter, how forecasts did, failures with their reasons, and what is needed to do it again. The file needs no network and no
script, follows the light or dark of its reader, and can be printed and read on a telephone.

The study is not changed, and another process may be going on with it meanwhile. Of more than 3000 evaluations some are drawn; the page
says which. The file is written beside where the command runs, under the name of the study, unless -o says otherwise; one that is
there already is replaced.
` + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n' > space.yaml
  tarry tune --space space.yaml --budget 10 --study s.db -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 }'

  tarry report s.db                   # s.html
  tarry report s.db -o report.html
  tarry report s.db -o - > page.html`,
		Args: exactly("STUDY"),
		RunE: func(cmd *cobra.Command, args []string) error { return report(cmd, args[0], output) },
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`FILE` to be written; - is standard output; STUDY.html unless given")
	completed(cmd)
	return cmd
}

func report(cmd *cobra.Command, path, output string) error {
	if err := located(path, "STUDY"); err != nil {
		return usage(err)
	}
	if isLearned(path) {
		return usage(fmt.Errorf("%s is what studies have learned: tarry inspect shows it", path))
	}
	var page bytes.Buffer
	if err := reportTo(&page, path); err != nil {
		return opening(err)
	}
	if output == "-" {
		_, err := cmd.OutOrStdout().Write(page.Bytes())
		return failure(err)
	}
	output = cmp.Or(output, strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))+".html")
	if same(path, output) {
		return usage(fmt.Errorf("-o %s: that is the study", output))
	}
	if err := command.Replaceable(output); err != nil {
		return usage(fmt.Errorf("-o: %w", err))
	}
	if err := replace(output, page.Bytes()); err != nil {
		return writing(fmt.Errorf("-o: %w", err))
	}
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s: %d kB\n", output, (page.Len()+999)/1000)
	return failure(err)
}

// replace writes a file at once: who reads it meanwhile has the old one or the new one.
func replace(path string, text []byte) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, text, 0o666) // a pipe or a terminal
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".report-*")
	if failed := (*fs.PathError)(nil); errors.As(err, &failed) {
		failed.Path = path // which the user knows
	}
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	err = cmp.Or(err, file.Chmod(0o644), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// reportTo writes the page about the study of a file.
func reportTo(w io.Writer, path string) error {
	s, err := inspect(path)
	if err != nil {
		return err
	}
	of, sketch := s.study(), portrait.NewSketch()
	sketch.Follow(of.Loop)
	p := sketch.Portrait(of, portrait.ReportRange)
	p.Complete(of, sketch)
	if p.Events, err = s.recent(); err != nil {
		return err
	}
	return portrait.WriteReport(w, p)
}

// study is what a portrait is made of.
func (s *inspected) study() portrait.Study {
	name := strings.TrimSuffix(filepath.Base(s.path), filepath.Ext(s.path))
	out := portrait.Study{Name: name, Header: s.header, Loop: s.loop, Begun: s.begun, Elapsed: s.now, Holder: s.holder}
	if s.task != nil {
		out.Command, out.Workers, out.Target = s.task.Command, s.task.Workers, s.task.Target
	}
	if s.ended() == "" {
		if out.GoOn = s.resumption(); s.loop.Unbegun() {
			out.GoOn = ""
		}
		if s.holder != "" { // it goes on: ages are those of now
			out.Elapsed = max(s.now, time.Since(s.begun))
		}
	}
	return out
}

// recent are the latest events.
func (s *inspected) recent() (out []portrait.Event, err error) {
	store, err := sqlite.Read(s.path)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	const most = 25
	for r, err := range store.RecordsAfter(max(s.events, most) - most) {
		if err != nil {
			return nil, err
		}
		if r.Event.Seq <= s.events { // another process may have gone on
			out = append(out, portrait.EventOf(r.Event))
		}
	}
	return out, nil
}
