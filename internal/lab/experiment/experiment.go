// Package experiment runs experiments: arms times seeds, in parallel, with a record of every run that survives an
// interruption, and a report with tables and pictures.
//
//	e, err := experiment.Get("sdf-delays")
//	plan, err := e.Plan(experiment.Input{})
//	results, err := plan.Perform(ctx, experiment.Options{Seed: 1, Seeds: 20, Store: store})
//	for _, section := range plan.Show(results) { … }
//
// An experiment is one file: it fills an Experiment and adds it to the list in its init function. All arms of an
// experiment meet the same objective, initial points, noise and delays under the same seed.
package experiment

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Experiment is an entry of the list.
type Experiment struct {
	Name   string
	Title  string
	Source string // where it comes from, as in "Verma et al. 2022, Fig. 1a"; empty: it is ours
	About  string // what is varied, and what stays the same
	Rounds int    // queries of a run after the initial ones, unless Input says otherwise
	Unit   string // what Rounds counts; empty: queries after the initial ones
	Data   string // what -data names; empty: no data are read
	// Plan says what will be done, or why it cannot be.
	Plan func(Input) (Plan, error)
}

// Length says how long a run of so many rounds is.
func (e Experiment) Length(rounds int) string {
	unit := e.Unit
	if unit == "" {
		unit = "queries after the initial ones"
	}
	return fmt.Sprintf("%d %s", rounds, unit)
}

// Input is what the user may choose about an experiment besides the seeds.
type Input struct {
	Rounds int    // 0: those of the experiment
	Data   string // path; empty: none
}

// Plan is an experiment that was found possible.
type Plan struct {
	Arms  []Arm
	Facts []Fact // about the set-up, for the head of the report
	// Show makes tables and pictures of what the arms gave. It must do with the runs that there are.
	Show func(Results) []Section
	// Fingerprint stands for the data that were read; empty: none.
	Fingerprint string
}

// Fact is one line about the set-up.
type Fact struct{ Name, Text string }

// Arm is one method under one setting.
type Arm struct {
	Group  string // the setting; arms of one group are compared with each other
	Name   string // the method, unique in its group: the policy, with what is varied about it
	Policy string // as policies.Parse reads it: it decides the color; empty: the method is none
	Steps  int    // steps of a run, for the progress
	// Prepare makes what the run needs and other arms share, before the clock of the run starts; nil: there is nothing.
	Prepare func(seed uint64) error
	// Run performs a run and calls step for each of its steps. What it returns follows from the seed alone.
	Run func(ctx context.Context, seed uint64, step func()) (Record, error)
}

// Record is what one run measured: curves by name. A single number is a curve of one. NaN is unknown.
type Record map[string][]float64

// Names of curves that many experiments share.
const (
	SimpleRegret     = "simple_regret"     // by queries after the initial ones
	CumulativeRegret = "cumulative_regret" // by queries after the initial ones
	Accuracy         = "accuracy"          // of the best answered query, in percent, by queries after the initial ones
)

var list []Experiment

// add puts an experiment on the list.
func add(e Experiment) { list = append(list, e) }

// All returns every experiment, sorted by name.
func All() []Experiment {
	all := slices.Clone(list)
	slices.SortFunc(all, func(a, b Experiment) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Names returns the names of all experiments, sorted.
func Names() []string {
	var names []string
	for _, e := range All() {
		names = append(names, e.Name)
	}
	return names
}

// Get returns the experiment of that name. The error lists those that exist.
func Get(name string) (Experiment, error) {
	for _, e := range list {
		if e.Name == name {
			return e, nil
		}
	}
	return Experiment{}, &check.FieldError{Field: "experiment", Value: fmt.Sprintf("%q", name), Want: "one of " + strings.Join(Names(), ", ")}
}

// Prepare validates the input and returns the plan of the experiment.
func (e Experiment) Prepare(in Input) (Plan, error) {
	var l check.List
	l.Between("-rounds", in.Rounds, 0, maxRounds)
	if e.Data == "" && in.Data != "" {
		l.Add("-data", in.Data, fmt.Sprintf("no path, since %s reads no data; those that do are %s", e.Name, strings.Join(readers(), ", ")))
	}
	if err := l.Err(); err != nil {
		return Plan{}, err
	}
	if in.Rounds == 0 {
		in.Rounds = e.Rounds
	}
	p, err := e.Plan(in)
	return p, e.blameData(in, err)
}

// blameData names the flag, what it says and what is wanted, where data that were named cannot be used.
func (e Experiment) blameData(in Input, err error) error {
	if err == nil || in.Data == "" {
		return err
	}
	if strings.Contains(err.Error(), "want ") {
		return fmt.Errorf("-data %s: %w", in.Data, err)
	}
	wanted, _, _ := strings.Cut(e.Data, ";")
	return fmt.Errorf("-data %s: %w: want %s", in.Data, err, wanted)
}

// maxRounds bounds the queries of a run.
const maxRounds = 10_000

// readers are the experiments that read data.
func readers() []string {
	var names []string
	for _, e := range All() {
		if e.Data != "" {
			names = append(names, e.Name)
		}
	}
	return names
}
