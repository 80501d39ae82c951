package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/internal/serve"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// dialogue is the command line of asktell.
type dialogue struct {
	space, file string
	points      string   // file of a list; empty: all points of the space
	sequence    string   // file of what was learned; empty: there is none
	taught      string   // file of what a bandit was taught; empty: there is none
	earlier     []string // files of earlier studies
	prior       string   // file of a prior
	door        door
	live        *serve.Live
	named       bool // whether a policy was named
	noted       bool // whether the study has a note of the session
	study       loop.Config
	options     tarry.Options
}

func newAskTell() *cobra.Command {
	var d dialogue
	d.study.Traits.Name, d.study.Budget = tarry.DefaultPolicy, tarry.MaxBudget
	cmd := &cobra.Command{
		Use:   "asktell --space FILE [FLAGS]",
		Short: "Answer ask and tell, one JSON object a line",
		Long:  askTellHelp + exitCodes, Example: askTellExamples,
		Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd) },
	}
	optionFlags(cmd, d.study.Options())
	optionFlags(cmd, runOptions(&d.options), "max-time")
	f := cmd.Flags()
	f.StringVar(&d.space, "space", "", "`FILE` with the parameters, JSON or YAML; a study that is there has its own")
	f.StringVar(&d.points, "points", "", pointsUsage)
	f.StringVar(&d.file, "study", "", "`FILE` that holds or will hold the study; without one it ends with the session")
	f.StringVar(&d.sequence, "sequence", "", learnedUsage)
	f.StringVar(&d.taught, "taught", "", taughtUsage)
	f.StringSliceVar(&d.earlier, "learn-from", nil, earlierUsage)
	f.StringVar(&d.prior, "prior", "", priorUsage)
	d.door.flags(f, "")
	for _, name := range []string{"budget", "budget-cost", "target"} {
		f.Lookup(name).Usage += "; of a study that is there, from now on"
	}
	f.Lookup("sequence").Usage += "; of a study that is there, from now on" + rememberedUsage
	f.Lookup("budget-cost").Usage += ", and more than 0 where it has such a limit"
	completed(cmd)
	return cmd
}

func (d *dialogue) run(cmd *cobra.Command) (returned error) {
	if err := d.door.ajar(cmd.ErrOrStderr()); err != nil {
		return err
	}
	defer d.door.shut()
	d.live = serve.NewLive(strings.TrimSuffix(filepath.Base(d.file), ".db"), d.file)
	if d.door.listener != nil {
		d.options.OnEvent = d.live.Heard
	}
	study, store, err := d.open(cmd)
	if err != nil {
		return err
	}
	if store != nil {
		defer closing(store, &returned)
	}
	if study == nil {
		return nil // remote workers evaluate it
	}
	defer study.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	signals := make(chan os.Signal, 1)
	listen(signals)
	defer signal.Stop(signals)
	go func() {
		select {
		case <-signals:
			stop()
		case <-ctx.Done():
		}
	}()
	server := &asktell.Server{Study: study}
	if d.door.listener != nil {
		d.live.Asked(server, d.study)
		leave, err := d.door.serve(cmd.ErrOrStderr(), d.live)
		if err != nil {
			return err
		}
		defer func() {
			if left := leave(); returned == nil {
				returned = failure(left)
			}
		}()
	}
	err = server.Serve(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
	if ctx.Err() != nil {
		return exit{exitInterrupted, d.interrupted()}
	}
	if err == nil && d.sequence != "" {
		err = d.passOn(cmd, store, study)
	}
	if r := study.Result(); err == nil && r.Best == nil && slices.Contains([]string{tarry.ReasonBudget, tarry.ReasonPatience, tarry.ReasonPoints, tarry.ReasonNone}, r.Reason) {
		return exit{exitNoValue, fmt.Errorf("%w: %s", tarry.ErrNoValue, r.Reason)}
	}
	return failure(err)
}

// open begins the study, or goes on with the one that is there; nil where all that was to be done is done.
func (d *dialogue) open(cmd *cobra.Command) (*tarry.Study, *sqlite.Store, error) {
	d.named = cmd.Flags().Changed("policy")
	if !cmd.Flags().Changed("study") {
		study, err := d.begin(cmd.ErrOrStderr())
		return study, nil, err
	}
	if err := located(d.file, "--study"); err != nil {
		return nil, nil, usage(err)
	}
	store, err := sqlite.OpenOrCreate(d.file)
	if err != nil {
		return nil, nil, opening(err)
	}
	var study *tarry.Study
	switch _, none := store.Header(); {
	case !errors.Is(none, sqlite.ErrNoStudy):
		study, err = d.resume(cmd, store)
	case d.space == "":
		err = usage(fmt.Errorf("there is no study at %s: to begin one give --space FILE", d.file))
	default:
		d.options.Journal = store
		if study, err = d.begin(cmd.ErrOrStderr()); err == nil { // a name that was mistyped is seen by this
			fmt.Fprintln(cmd.ErrOrStderr(), "tarry: a new study begins in", plain(d.file))
		}
	}
	if err != nil {
		store.Close()
		return nil, nil, err
	}
	return study, store, nil
}

func (d *dialogue) begin(log io.Writer) (*tarry.Study, error) {
	description, err := describe(log, d.space, d.points)
	if err != nil {
		return nil, usage(err)
	}
	space := description.Space
	d.study.Constraints, d.study.Seeds = description.Constraints, description.Seeds
	if d.sequence, d.study.Learned, err = openLearned(d.sequence); err != nil {
		return nil, usage(err)
	}
	if d.study.Taught, err = openTaught(d.taught); err != nil {
		return nil, usage(err)
	}
	if d.study.Prior, err = openPrior(d.prior); err != nil {
		return nil, usage(err)
	}
	if d.study.Earlier, err = learnFrom(log, d.earlier, d.file, space, d.study.Minimize); err != nil {
		return nil, usage(err)
	}
	if d.study.Earlier != nil {
		d.study.Traits.Name = taughtBy(d.study.Traits.Name, d.named)
	}
	o := d.options
	o.AnyProgram = false
	option.Copy(&o, &d.study)
	if o.Policy, err = tarry.ParsePolicy(d.study.Traits.Name); err != nil {
		return nil, usage(err)
	}
	if err := cmp.Or(teaches(d.sequence, o.Policy.Traits()), flagged(o.Validate(space))); err != nil {
		return nil, usage(err)
	}
	if store, kept := o.Journal.(*sqlite.Store); kept {
		if err := (note{d.options.Target, d.sequence}).keep(store); err != nil {
			return nil, failure(err)
		}
		d.noted = true
	}
	d.study.Space = space
	study, err := tarry.NewStudy(space, o)
	if err == nil {
		remark(log, space)
	}
	return study, failure(err)
}

func (d *dialogue) resume(cmd *cobra.Command, store *sqlite.Store) (*tarry.Study, error) {
	text, err := store.Kept(taskName)
	if err != nil {
		return nil, failure(err)
	}
	if text != nil {
		return nil, usage(fmt.Errorf("study %s runs a command: go on with it by\n  %s", d.file, resumption(d.file)))
	}
	if crewed, err := d.rebudget(cmd, store); crewed || err != nil {
		return nil, err
	}
	header, err := store.Header()
	if err != nil {
		return nil, failure(err)
	}
	if err := strange(d.file, header.Config.Traits.Name); err != nil {
		return nil, usage(err)
	}
	limit, err := d.limit(cmd, store, header)
	if err != nil {
		return nil, failure(err)
	}
	if err := d.agrees(cmd, header, limit); err != nil {
		return nil, usage(flagged(err))
	}
	before, noted, err := noteOf(store)
	if err != nil {
		return nil, failure(err)
	}
	if err := errors.Join(sameEarlier(d.earlier, d.file, header.Config), samePrior(d.prior, d.file, header.Config), d.follow(cmd, store, header, before)); err != nil {
		return nil, usage(err)
	}
	now := note{Target: cmp.Or(d.options.Target, before.Target), Sequence: d.sequence}
	o := d.options
	o.Target = now.Target
	if cmd.Flags().Changed("budget") {
		o.Budget = cmp.Or(d.study.Budget, tarry.MaxBudget) // 0 with a budget in cost, which alone bounds it
	}
	o.BudgetCost = d.study.BudgetCost
	study, err := tarry.ResumeStudy(store, o)
	if err != nil {
		return nil, advice(err)
	}
	if d.noted = noted; noted && now != before { // not before: a resume that is refused leaves the study as it was
		if err := now.keep(store); err != nil {
			study.Close()
			return nil, failure(err)
		}
	}
	d.study = header.Config
	warnOf(cmd.ErrOrStderr(), header.Program.Differences(journal.ThisProgram()))
	return study, nil
}
