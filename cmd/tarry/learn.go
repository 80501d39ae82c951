package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/internal/spacefile"
)

// learning is the command line of learn.
type learning struct {
	out, space string
	source     []string // files
	minimize   bool
	quiet      bool
	stated     bool // whether --minimize was given
	sensed     bool // or a study has a sense
	options    tarry.PriorOptions
}

func newLearn() *cobra.Command {
	var l learning
	cmd := &cobra.Command{
		Use:   "learn FILE... -o PRIOR",
		Short: "Learn a prior from many studies, for the next ones",
		Long: `Learn what studies of functions that are alike say of the next one, and write it to a file: --prior of tune and asktell begins
with it. The prior is a Gaussian process whose mean and kernel are networks that all studies taught (PACOH-GP). It is for many
studies, from ten on; a few are better used by --learn-from, which weighs each of them.

A FILE is a study, or comma-separated values as inspect --csv writes them: a first line with the names of the parameters and
value, which wants --space. Where there is a column study it says to which study a line belongs.

The space is that of --space, or of the first study. Parameters are matched by their names; what does not match is said. Studies
of another environment, such as last year's hardware, are named by --source. They count for --alpha together, and help where
others are few. The studies are divided into --folds parts, and each is predicted by what the others taught: tarry inspect PRIOR shows
how well, beside a model that knows of no other study.
` + exitCodes,
		Example: `  printf 'parameters:\n- {name: lr, type: float, low: 1e-5, high: 1, log: true}\n' > space.yaml
  for task in 1.8 2.0 2.2; do
    tarry tune --space space.yaml --budget 12 --study task-$task.db --quiet -- awk "BEGIN {{ print 1 - (log({lr})/log(10)+$task)^2/4 }"
  done
  tarry learn task-*.db -o prior.json --steps 200
  tarry inspect prior.json
  tarry tune --space space.yaml --budget 6 --study next.db --prior prior.json -- awk 'BEGIN {{ print 1 - (log({lr})/log(10)+2.1)^2/4 }'

  tarry inspect next.db --csv > old.csv                     # what has no study file
  tarry learn old.csv task-*.db --space space.yaml -o prior.json --steps 200`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			l.stated = cmd.Flags().Changed("minimize")
			l.sensed = l.stated
			if err := l.judge(); err != nil {
				return err
			}
			return l.run(cmd, args)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&l.out, "output", "o", "", "`FILE` that will hold the prior; one that is there is replaced")
	f.StringVar(&l.space, "space", "", "`FILE` with the parameters, JSON or YAML; without it they are those of the first study")
	f.BoolVar(&l.minimize, "minimize", false, "the smallest value is the best; without it what the first study says")
	f.StringSliceVar(&l.source, "source", nil, "study `FILES` between commas, of another environment, which count less")
	f.Float64Var(&l.options.Alpha, "alpha", 0.2, "`WEIGHT` of all studies of --source together")
	f.IntVar(&l.options.Particles, "particles", 1, "`NUMBER` of networks, among which a study chooses; several take as many times longer")
	f.IntVar(&l.options.Steps, "steps", 0, "`STEPS` of the learning; 0 for 1000")
	f.IntVar(&l.options.Folds, "folds", 0, "`PARTS` of the studies that are left out in turn; 0 for 5, -1 for none")
	f.Uint64Var(&l.options.Seed, "seed", 0, "`SEED` of every random choice")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "no progress")
	completed(cmd)
	cmd.ValidArgsFunction = files("db", "csv")
	return cmd
}

// judge returns why the flags cannot be meant, or the file not be written.
func (l learning) judge() error {
	var c check.List
	c.Require(l.out != "", "--output", `""`, "the name of a file, as in -o prior.json")
	c.Between("--particles", l.options.Particles, 1, tarry.MaxPriorParticles)
	c.Between("--steps", l.options.Steps, 0, tarry.MaxPriorSteps)
	c.Require(l.options.Alpha > 0 && l.options.Alpha < 1, "--alpha", l.options.Alpha, "0 < alpha < 1")
	c.Between("--folds", l.options.Folds, -1, 100)
	var closed error
	if l.out != "" {
		if _, missing := os.Stat(filepath.Dir(l.out)); missing != nil {
			closed = fmt.Errorf("--output: %w", missing)
		} else if not := command.Writable(l.out); not != nil {
			closed = fmt.Errorf("--output: %w", not)
		}
	}
	if err := c.Err(); err != nil {
		return usage(errors.Join(err, closed))
	}
	return writing(closed)
}

func (l learning) run(cmd *cobra.Command, paths []string) error {
	log := cmd.ErrOrStderr()
	var again []string
	all := slices.Concat(paths, l.source)
	if i := slices.IndexFunc(all, func(path string) bool { return same(path, l.out) }); i >= 0 {
		return usage(fmt.Errorf("--output: %s is learned from: want another name", all[i]))
	}
	for i, path := range all {
		for _, other := range all[:i] {
			if same(path, other) {
				again = append(again, path)
			}
		}
	}
	if len(again) > 0 {
		return usage(fmt.Errorf("%s: given twice", strings.Join(again, ", ")))
	}
	where, past, said, err := l.read(all, len(paths))
	if err != nil {
		return usage(err)
	}
	ctx, end := interruptible()
	defer end()
	show, shown := l.progress(log)
	l.options.Progress = show
	prior, notes, err := tarry.LearnPrior(ctx, where, l.minimize, l.options, past...)
	shown()
	for _, note := range append(said, notes...) {
		fmt.Fprintln(log, "tarry: learn:", plain(note))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return exit{exitInterrupted, errors.New("interrupted: nothing was written")}
	case err != nil:
		return usage(err)
	}
	text, err := json.Marshal(prior)
	if err == nil {
		err = command.WriteWhole(l.out, append(text, '\n'), learnedMode)
	}
	if err != nil {
		return failure(err)
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %v%s\n", l.out, *prior, predicts(*prior))
	return failure(err)
}

// read returns the space and what all files have measured, with what does not match in tables; those behind the first few are from elsewhere.
func (l *learning) read(paths []string, here int) (where tarry.Space, past []tarry.Past, notes []string, err error) {
	if l.space != "" {
		description, err := spacefile.Read(l.space)
		if err != nil {
			return where, nil, nil, err
		}
		where = description.Space
	}
	var errs []error
	for i, path := range paths {
		if !isTable(path) && where.Dim() == 0 {
			s, err := inspect(path)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			c := s.loop.Config()
			if where = c.Space; !l.sensed {
				l.minimize, l.sensed = c.Minimize, true
			}
		}
		if isTable(path) && where.Dim() == 0 {
			errs = append(errs, fmt.Errorf("%s: comma-separated values want --space, or a study before them", path))
			continue
		}
		some, said, err := pastsOf(path, "", where, l.minimize, l.stated)
		notes = append(notes, said...)
		if err != nil {
			errs = append(errs, err)
		}
		for _, p := range some {
			p.Source = i >= here
			past = append(past, p)
		}
	}
	return where, past, notes, errors.Join(errs...)
}

// progress returns a function that shows how the learning goes, on a terminal as a bar and anywhere else as a line for each tenth, and one that ends that.
func (l learning) progress(log io.Writer) (show func(done, of int, loss float64), end func()) {
	if l.quiet {
		return nil, func() {}
	}
	if f, ok := log.(*os.File); ok && os.Getenv("TERM") != "dumb" && cwriter.IsTerminal(int(f.Fd())) {
		var mutex sync.Mutex
		text := ""
		bars := mpb.New(mpb.WithOutput(log), mpb.WithWidth(50))
		bar := bars.AddBar(1, mpb.PrependDecorators(decor.Name("learning ")), mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			mutex.Lock()
			defer mutex.Unlock()
			return text
		})))
		return func(done, of int, loss float64) {
			mutex.Lock()
			text = fmt.Sprintf(" loss %.3f", loss)
			mutex.Unlock()
			bar.SetTotal(int64(of), false)
			bar.SetCurrent(int64(done))
		}, func() { bar.Abort(false); bars.Wait() }
	}
	tenths := 0
	return func(done, of int, loss float64) {
		if k := 10 * done / of; k > tenths {
			tenths = k
			fmt.Fprintf(log, "tarry: learn: %d %%, loss %.3f\n", 10*k, loss)
		}
	}, func() {}
}
