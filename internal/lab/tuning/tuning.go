package tuning

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/check"
	_ "github.com/tarry-bo/tarry/internal/lab/classifiers" // problems that can be asked for
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// request is what the flags of the command tune say, each read but not yet judged against the others.
type request struct {
	problemName, policySpec, lawSpec string
	workers                          int
	allowance, timeout               time.Duration
	seed                             uint64
	plot, log                        string
}

// tuning is a request that was found sound.
type tuning struct {
	request
	problem sim.Problem
	law     delay.Law
	methods []method
}

// Limits of the times of a method and of an attempt.
const (
	minAllowance = 100 * time.Millisecond
	maxAllowance = 24 * time.Hour
)

func newTune() (*request, *console.Flags) {
	r := &request{
		problemName: "svm-breast", policySpec: tarry.DefaultPolicy, lawSpec: "exponential:0.6",
		workers: 8, allowance: 7500 * time.Millisecond, seed: 1,
	}
	f := console.NewFlags("tune", helpText)
	f.End = "Other commands: 'demo help'.\n"
	f.Text(&r.problemName, "problem", "`NAME` of what to tune: "+strings.Join(heldOutProblems(), " or "))
	f.Text(&r.policySpec, "policy", "`POLICY` that tunes; options follow a colon, as in ucb-sdf:nu=1 ('demo policies' lists all)")
	f.Whole(&r.workers, "workers", 1, tarry.MaxWorkers, "`W` evaluations at once")
	f.Text(&r.lawSpec, "wait", "`LAW` of the wait that is added to each training, in seconds: "+strings.Join(delay.Laws(), ", "))
	f.Duration(&r.allowance, "time", minAllowance, maxAllowance, "`DURATION` of each method")
	f.Duration(&r.timeout, "timeout", 0, maxAllowance, "`DURATION` after which an evaluation is given up; 0s means never")
	f.Seed(&r.seed, "seed", "`SEED` of the initial points, of the policies and of the waits")
	f.Text(&r.plot, "plot", "picture `FILE` that ends in .png or .svg; both are written; empty means demo-PROBLEM.png")
	f.Text(&r.log, "log", "`FILE` for one JSON object a line for each event; empty means none")
	return r, f
}

// settle turns a request into a tuning that can run. The error is usage with every violation.
func (r *request) settle(f *console.Flags) (tuning, error) {
	l := &f.Errs
	t := tuning{request: *r}
	if t.plot == "" {
		t.plot = r.usualPlot()
	}
	var err error
	t.problem, err = sim.NewProblem(r.problemName, r.seed)
	l.Join(console.Blame("-problem", err))
	if err == nil && t.problem.HeldOut == nil {
		l.Add("-problem", r.problemName, fmt.Sprintf("a problem with held-out data, one of %s ('demo sim' takes the others)", strings.Join(heldOutProblems(), ", ")))
	}
	policy, err := policies.Parse(r.policySpec, t.problem.Options...)
	l.Join(console.Blame("-policy", err))
	t.law, err = delay.ParseLaw(r.lawSpec)
	l.Join(console.Blame("-wait", err))
	if console.IsPicture(l, t.plot) {
		console.Drawable(l, console.PictureBase(t.plot))
	}
	if r.log != "" {
		l.Join(console.Writable("-log", r.log))
	}
	if l.Err() == nil {
		t.methods, err = methodsOf(*r, policy)
		l.Join(err)
		l.Join(t.validate())
	}
	return t, f.Refusal()
}

// usualPlot is where the picture goes when nobody says where.
func (r request) usualPlot() string { return "demo-" + console.FileName(r.problemName) + ".png" }

// validate asks the engine, and the simulator about answers that never come.
func (t tuning) validate() error {
	var l check.List
	l.Require(t.problem.Measure == nil, "-problem", t.problem.Name, "a problem without constraints")
	for _, m := range t.methods {
		l.Join(console.Blame("", t.options(m).Validate(t.problem.Space)))
		scenario := sim.Scenario{Problem: t.problem, Policy: m.policy, Delay: t.law, Rounds: 1, Workers: m.workers, Timeout: t.timeout}
		l.Join(console.Blame("", scenario.Validate()))
	}
	return l.Err()
}

// heldOutProblems are the problems whose configurations can be judged on held-out data.
func heldOutProblems() []string {
	var out []string
	for _, name := range sim.ProblemNames() {
		if p, err := sim.NewProblem(name, 0); err == nil && p.HeldOut != nil {
			out = append(out, name)
		}
	}
	return out
}

// commandLine is the command that does the same again.
func (r request) commandLine() string {
	args := []string{"go run ./cmd/demo",
		"-problem", console.Quoted(r.problemName), "-policy", console.Quoted(r.policySpec), "-workers", strconv.Itoa(r.workers),
		"-wait", console.Quoted(r.lawSpec), "-time", console.Brief(r.allowance), "-seed", strconv.FormatUint(r.seed, 10),
	}
	if r.plot != r.usualPlot() {
		args = append(args, "-plot", console.Quoted(r.plot))
	}
	if r.timeout > 0 {
		args = append(args, "-timeout", console.Brief(r.timeout))
	}
	if r.log != "" {
		args = append(args, "-log", console.Quoted(r.log))
	}
	return strings.Join(args, " ")
}
