package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/internal/lab/tournament"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// compareCommand is the command of that name.
func compareCommand() console.Command {
	return console.Flagged("compare", "judge policies over many problems, conditions and seeds", newCompare, compare)
}

// compareRequest is what the flags of a tournament say.
type compareRequest struct {
	session
	problems, half, noise, delays, workers string
	policies, reference, data              string
	budget                                 int
	floor                                  float64
	list                                   bool
}

// usualReference is the policy that the others are held against where the user names none.
const usualReference = "gp-bucb"

// everything means all there is, of problems, halves and policies.
const everything = "all"

func newCompare() (*compareRequest, *console.Flags) {
	r := &compareRequest{session: newSession(), problems: everything, half: tournament.Both, policies: everything, budget: 80, floor: 1e-4}
	f := console.NewFlags("compare", compareHelp)
	r.addFlags(f, "compare")
	f.Text(&r.problems, "problems", "`LIST` of problems and families, separated by commas; all means all of them (-list names them)")
	f.Text(&r.half, "half", "`HALF` of the problems: tuning, judging or both; or those apart, reserve or wide")
	f.Text(&r.noise, "noise", "`LIST` of kinds of noise; without this, -delays and -workers each problem meets two conditions of a fixed choice")
	f.Text(&r.delays, "delays", "`LIST` of kinds of delays")
	f.Text(&r.workers, "workers", "`LIST` of numbers of workers; 0 means one query every tick, whatever is pending")
	f.Text(&r.policies, "policies", "`LIST` of policies, separated by commas; all means all of them but batch, which waits")
	f.Text(&r.reference, "reference", "`POLICY` that the others are held against; empty means "+usualReference+" where it is among them, else the first of them")
	f.Whole(&r.budget, "budget", 2, maxExpRounds, "`QUERIES` of a run, initial ones included")
	f.Flag(option.Number(&r.floor, option.Range{High: 1, OpenLow: true, OpenHigh: true}), "floor", "least `REGRET`, above 0 and below 1, in units of what ten random points leave; what is below counts as this")
	f.Text(&r.data, "data", "`FOLDER` "+tournament.DataFolder+" of measured configurations, or the one that holds it; empty leaves out the lists")
	f.Text(&r.json, "json", "`FILE` for all that tables and pictures show, as one JSON object; - means standard output")
	f.Toggle(&r.list, "list", "print the problems, kinds of noise and of delays, and the cells that the other flags choose, and do nothing")
	return r, f
}

// field is what a request asks for: who meets what.
type field struct {
	cells      []tournament.Cell
	contenders []console.Contender
	terms      tournament.Terms
}

// compare is the command compare.
func compare(ctx context.Context, r *compareRequest, f *console.Flags, k console.Streams) error {
	wanted, err := r.settle(f)
	if err != nil {
		return err
	}
	if r.list {
		return tournament.WriteCells(k.Stdout, wanted.cells)
	}
	e, plan := tournament.Experiment(), tournament.Plan(wanted.cells, wanted.contenders, wanted.terms)
	header, version, err := experiment.NewHeader(e, plan, 0)
	if err != nil {
		return err
	}
	report := experiment.Report{Experiment: e, Plan: plan, Header: header, Version: version, Command: r.commandLine(), Pictures: tournament.Pictures()}
	return r.perform(ctx, report, r.inReport(e), k, func(report experiment.Report, k console.Streams) error {
		return r.publish(report, tournament.Summarize(wanted.cells, wanted.contenders, wanted.terms, report.Results), k)
	})
}

// settle finds out what is wanted. The error is usage with everything that is wrong.
func (r *compareRequest) settle(f *console.Flags) (field, error) {
	var out field
	folder := ""
	if r.data != "" {
		folder = tournament.Folder(r.data)
	}
	problems, missing, err := tournament.Problems(folder)
	f.Errs.Join(console.Blame("-data", err))
	if err == nil {
		problems, missing = r.chosen(&f.Errs, problems, missing)
	}
	out.cells = r.cells(&f.Errs, problems)
	var wrong check.List
	out.contenders = console.ReadPolicies(&wrong, r.policyList())
	f.Errs.Join(wrong.Err())
	out.terms = tournament.Terms{Reference: r.referenceOf(out.contenders), Floor: r.floor, Missing: missing}
	if wrong.Err() == nil { // else the reference may be the one that is wrong
		f.Errs.Join(out.terms.Validate(out.contenders))
	}
	for _, c := range out.contenders {
		own := c.Policy.Traits().Barrier
		f.Errs.Require(own <= 1, "-policies", c.Name, "a policy that does not wait for batches")
	}
	if folder != "" && err == nil {
		out.terms.Data, err = data.Fingerprint(folder)
		f.Errs.Join(console.Blame("-data", err))
	}
	if r.json != "" && r.json != console.ToStdout {
		f.Errs.Join(console.Writable("-json", r.json))
	}
	if r.list {
		return out, f.Refusal()
	}
	if f.Errs.Err() == nil {
		f.Errs.Join(tournament.Possible("-policies", out.cells, out.contenders, r.seed))
	}
	r.check(f, tournament.Experiment(), "compare")
	return out, f.Refusal()
}

// referenceOf is the policy that the others are held against.
func (r *compareRequest) referenceOf(contenders []console.Contender) string {
	usual := func(c console.Contender) bool { return c.Name == usualReference }
	switch {
	case r.reference != "" || len(contenders) == 0:
		return r.reference
	case slices.ContainsFunc(contenders, usual):
		return usualReference
	}
	return contenders[0].Name
}

// chosen are the problems of the half and the list, in the order of the tables, and those of them that are missing.
func (r *compareRequest) chosen(l *check.List, all []*tournament.Problem, absent []string) (out []*tournament.Problem, missing []string) {
	l.Require(slices.Contains(tournament.Selections, r.half), "-half", r.half, "tuning, judging, both, reserve or wide")
	wanted := map[string]bool{}
	for word := range strings.SplitSeq(r.problems, ",") {
		known, here := word == everything, word == everything
		for _, p := range all {
			if word == everything || word == p.Name || word == p.Family {
				known, here, wanted[p.Name] = true, here || p.In(r.half), true
			}
		}
		if known && !here {
			r.elsewhere(l, all, word)
		}
		if slices.Contains(absent, word) || word == tournament.Lists && len(absent) > 0 {
			l.Add("-problems", word, "a problem that is there: this one needs -data, the folder "+tournament.DataFolder)
			continue
		}
		l.Require(known, "-problems", word, "all, a family ("+strings.Join(tournament.Families(all), ", ")+") or a problem ('demo compare -list' names them)")
	}
	for _, p := range all {
		if wanted[p.Name] && p.In(r.half) {
			out = append(out, p)
		}
	}
	if r.problems == everything {
		for _, name := range absent {
			if r.half == tournament.Both || strings.HasSuffix(name, r.half) {
				missing = append(missing, name)
			}
		}
	}
	return out, missing
}

// elsewhere records that no problem of that name or family is in the half, and where the first is, unless the half is none.
func (r *compareRequest) elsewhere(l *check.List, all []*tournament.Problem, word string) {
	i := slices.IndexFunc(all, func(p *tournament.Problem) bool { return word == p.Name || word == p.Family })
	switch half := all[i].Half; {
	case !slices.Contains(tournament.Selections, r.half):
	case half == tournament.Reserve, half == tournament.Wide:
		l.Add("-half", r.half, fmt.Sprintf("%s, since -problems %s is in neither half", half, word))
	default:
		l.Add("-half", r.half, fmt.Sprintf("%s or %s, since -problems %s is in the half for %s", half, tournament.Both, word, half))
	}
}

// cells are the usual ones unless the user names conditions.
func (r *compareRequest) cells(l *check.List, problems []*tournament.Problem) []tournament.Cell {
	if r.noise == "" && r.delays == "" && r.workers == "" {
		return tournament.Usual(problems, r.budget)
	}
	noises := tournament.ReadKinds(l, "-noise", orElse(r.noise, "no"), tournament.Noises)
	delays := tournament.ReadKinds(l, "-delays", orElse(r.delays, "poisson"), tournament.Delays)
	var workers []int
	for text := range strings.SplitSeq(orElse(r.workers, "8"), ",") {
		n, err := strconv.Atoi(text)
		l.Require(err == nil && n >= 0 && n <= loop.MaxWorkers, "-workers", text, fmt.Sprintf("whole numbers from 0 to %d", loop.MaxWorkers))
		l.Require(err != nil || !slices.Contains(workers, n), "-workers", text, "each number once: this one is repeated")
		workers = append(workers, n)
	}
	if l.Err() != nil {
		return nil
	}
	return tournament.Product(problems, noises, delays, workers, r.budget)
}

func orElse(text, usual string) string {
	if text == "" {
		return usual
	}
	return text
}

// policyList is the list of policies, spelled out.
func (r *compareRequest) policyList() string {
	if r.policies != everything {
		return r.policies
	}
	var names []string
	for _, name := range policies.General() {
		if name != "batch" {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// publish writes the tables, the report and the summary for machines.
func (r *compareRequest) publish(report experiment.Report, s tournament.Summary, k console.Streams) error {
	w := console.Human(r.json, k)
	if err := r.write(w, report, "All of it but the milliseconds follows from the command."); err != nil {
		return err
	}
	write := func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", " ")
		return e.Encode(s)
	}
	switch r.json {
	case "":
		return nil
	case console.ToStdout:
		return write(k.Stdout)
	}
	return experiment.Replace(r.json, write)
}

// commandLine is the command that does it again.
func (r *compareRequest) commandLine() string {
	args := []string{"go", "run", "./cmd/demo", "compare", "-seeds", strconv.Itoa(r.seeds), "-seed", strconv.FormatUint(r.seed, 10), "-budget", strconv.Itoa(r.budget)}
	usual, _ := newCompare()
	for _, a := range []struct{ name, text, usual string }{
		{"-problems", r.problems, usual.problems}, {"-half", r.half, usual.half}, {"-noise", r.noise, ""}, {"-delays", r.delays, ""}, {"-workers", r.workers, ""},
		{"-policies", r.policies, usual.policies}, {"-reference", r.reference, usual.reference}, {"-floor", console.Short(r.floor), console.Short(usual.floor)},
		{"-data", r.data, ""}, {"-json", r.json, ""}, {"-report", r.report, "compare"},
	} {
		if a.text != a.usual {
			args = append(args, a.name, console.Quoted(a.text))
		}
	}
	return strings.Join(args, " ")
}
