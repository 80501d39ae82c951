// Package soak is the command soak: it throws hostile data at the study loop and checks that it holds.
package soak

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// Command is the command of that name.
func Command() console.Command {
	return console.Flagged("soak", "throw hostile data at the study loop and check that it holds", newSoak, conduct)
}

// request is what the flags of soak say, each read but not yet judged.
type request struct {
	tells, large, largeSize, size, parallel, study int
	seed                                           uint64
	policyList, only, json                         string
}

const maxTells = 1_000_000_000

func newSoak() (*request, *console.Flags) {
	r := &request{tells: 1_000_000, large: 10, largeSize: 10_000, size: 100, seed: 1, policyList: strings.Join(modelled(), ",")}
	f := console.NewFlags("soak", helpText)
	f.Whole(&r.tells, "tells", 1, maxTells, "`EVALUATIONS` of all studies together; studies whose points run out have fewer")
	f.Whole(&r.large, "large", 0, maxTells, "`NUMBER` of large studies, or as many as there are evaluations for; they come first")
	f.Whole(&r.largeSize, "large-size", 2, loop.MaxBudget, "`EVALUATIONS` of a large study")
	f.Whole(&r.size, "size", 2, loop.MaxBudget, "`EVALUATIONS` of each of the others")
	f.Seed(&r.seed, "seed", "`SEED` that decides every study")
	f.Whole(&r.parallel, "parallel", 0, console.MaxParallel, "`STUDIES` at once; 0 means one for each core")
	f.Text(&r.policyList, "policies", "`LIST` of policies, separated by commas; "+policies.Default+", if it is there, has most of the studies")
	f.Text(&r.only, "only", "`KIND` of values of all studies: "+strings.Join(hostile.Names(), ", "))
	f.Whole(&r.study, "study", 0, maxTells, "`NUMBER` of the one study to run; 0 means all")
	f.Text(&r.json, "json", "`FILE` for one JSON object a line for each study; - means standard output")
	return r, f
}

// modelled names the policies that look at a model.
func modelled() []string {
	return slices.DeleteFunc(policies.General(), func(name string) bool {
		p, err := policies.Parse(name)
		return err != nil || !p.Traits().Model
	})
}

// conduct is the command of that name: hostile data for the study loop.
func conduct(ctx context.Context, r *request, f *console.Flags, k console.Streams) error {
	s := newSoaking(*r, &f.Errs)
	if err := f.Refusal(); err != nil {
		return err
	}
	return s.perform(ctx, k)
}

// soaking is a request that was found sound.
type soaking struct {
	request
	policies []console.Contender
	kinds    []hostile.Kind
	studies  int // in all
}

// newSoaking judges a request; violations go to the list.
func newSoaking(r request, l *check.List) soaking {
	s := soaking{request: r, kinds: hostile.Kinds()}
	s.policies = console.ReadPolicies(l, r.policyList)
	if r.only != "" {
		kind, found := hostile.Find(r.only)
		l.Require(found, "-only", r.only, "one of "+strings.Join(hostile.Names(), ", "))
		s.kinds = []hostile.Kind{kind}
	}
	s.large = min(r.large, r.tells/r.largeSize)
	s.studies = s.large + (r.tells-s.large*r.largeSize+r.size-1)/r.size
	l.Require(r.study <= s.studies, "-study", r.study, "at most "+strconv.Itoa(s.studies)+", the number of studies")
	if r.json != "" && r.json != console.ToStdout {
		l.Join(console.Writable("-json", r.json))
	}
	if s.parallel == 0 {
		s.parallel = min(runtime.NumCPU(), console.MaxParallel)
	}
	return s
}

// numbers are the studies to run.
func (s soaking) numbers() []int {
	if s.study > 0 {
		return []int{s.study}
	}
	out := make([]int, s.studies)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

// evaluations is the budget of a study. The last one has what is left.
func (s soaking) evaluations(number int) int {
	switch {
	case number <= s.large:
		return s.largeSize
	case number == s.studies:
		return s.tells - s.large*s.largeSize - (number-s.large-1)*s.size
	}
	return s.size
}

// commandLine is the command that repeats the soak, or just one study of it, as far as it does not depend on the machine.
func (r request) commandLine(study int) string {
	args := []string{"go", "run", "./cmd/demo", "soak"}
	add := func(name, text string) { args = append(args, "-"+name, console.Quoted(text)) }
	add("tells", strconv.Itoa(r.tells))
	add("large", strconv.Itoa(r.large))
	add("large-size", strconv.Itoa(r.largeSize))
	add("size", strconv.Itoa(r.size))
	add("seed", strconv.FormatUint(r.seed, 10))
	add("policies", r.policyList)
	if r.only != "" {
		add("only", r.only)
	}
	if study > 0 {
		add("study", strconv.Itoa(study))
	}
	return strings.Join(args, " ")
}

const helpText = `go run ./cmd/demo soak [FLAGS]

Throws hostile data at the study loop and checks that it holds: values that are constant, huge, heavy-tailed or no
numbers at all, points that coincide, spaces from one to a hundred dimensions, answers that are late, repeated,
contradictory or unknown, workers that leave. Each study draws its conditions from the seed and its number and is played
in virtual time. After every proposal: the point is in the space, and forecast and model are finite there. At the end: the
state is consistent, and the best value is one. Every 20th small study is replayed from its journal and must come to the
same state. What breaks a rule is printed with the command that repeats just that study, and the exit code is 1.

  go run ./cmd/demo soak                                a million evaluations: hours
  go run ./cmd/demo soak -tells 20000 -large 0          minutes
  go run ./cmd/demo soak -tells 5000 -only outliers -policies gp-bucb,ts-sdf
  go run ./cmd/demo soak -study 17                      the 17th study of the million

Flags:
`
