package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// tuneRequest is what the flags of the command tune say, each read but not yet judged against the others.
type tuneRequest struct {
	problemName, policySpec, lawSpec string
	workers                          int
	allowance, timeout               time.Duration
	seed                             uint64
	plot, log                        string
}

// tuning is a request that was found sound.
type tuning struct {
	tuneRequest
	problem sim.Problem
	law     delay.Law
	methods []method
}

// Limits of the times of a method and of an attempt.
const (
	minAllowance = 100 * time.Millisecond
	maxAllowance = 24 * time.Hour
)

func newTune() (*tuneRequest, *flags) {
	r := &tuneRequest{
		problemName: "svm-breast", policySpec: tarry.DefaultPolicy, lawSpec: "exponential:0.6",
		workers: 8, allowance: 7500 * time.Millisecond, seed: 1,
	}
	f := newFlags("tune", tuneHelp)
	f.text(&r.problemName, "problem", "`NAME` of what to tune: "+strings.Join(heldOutProblems(), " or "))
	f.text(&r.policySpec, "policy", "`POLICY` that tunes; options follow a colon, as in ucb-sdf:nu=1 ('demo policies' lists all)")
	f.whole(&r.workers, "workers", 1, tarry.MaxWorkers, "`W` evaluations at once")
	f.text(&r.lawSpec, "wait", "`LAW` of the wait that is added to each training, in seconds: "+strings.Join(delay.Laws(), ", "))
	f.duration(&r.allowance, "time", minAllowance, maxAllowance, "`DURATION` of each method")
	f.duration(&r.timeout, "timeout", 0, maxAllowance, "`DURATION` after which an evaluation is given up; 0s means never")
	f.seed(&r.seed, "seed", "`SEED` of the initial points, of the policies and of the waits")
	f.text(&r.plot, "plot", "picture `FILE` that ends in .png or .svg; both are written; empty means demo-PROBLEM.png")
	f.text(&r.log, "log", "`FILE` for one JSON object a line for each event; empty means none")
	return r, f
}

// settle turns a request into a tuning that can run. The error is usage with every violation.
func (r *tuneRequest) settle(f *flags) (tuning, error) {
	l := &f.errs
	t := tuning{tuneRequest: *r}
	if t.plot == "" {
		t.plot = r.usualPlot()
	}
	var err error
	t.problem, err = sim.NewProblem(r.problemName, r.seed)
	l.Join(blame("-problem", err))
	if err == nil && t.problem.HeldOut == nil {
		l.Add("-problem", r.problemName, fmt.Sprintf("a problem with held-out data, one of %s ('demo sim' takes the others)", strings.Join(heldOutProblems(), ", ")))
	}
	policy, err := policies.Parse(r.policySpec, t.problem.Options...)
	l.Join(blame("-policy", err))
	t.law, err = delay.ParseLaw(r.lawSpec)
	l.Join(blame("-wait", err))
	if isPicture(l, t.plot) {
		drawable(l, pictureBase(t.plot))
	}
	if r.log != "" {
		l.Join(writable("-log", r.log))
	}
	if l.Err() == nil {
		t.methods, err = methodsOf(*r, policy)
		l.Join(err)
		l.Join(t.validate())
	}
	return t, f.refusal()
}

// usualPlot is where the picture goes when nobody says where.
func (r tuneRequest) usualPlot() string { return "demo-" + fileName(r.problemName) + ".png" }

// validate asks the engine, and the simulator about answers that never come.
func (t tuning) validate() error {
	var l check.List
	for _, m := range t.methods {
		l.Join(blame("", t.options(m).Validate(t.problem.Space)))
		scenario := sim.Scenario{Problem: t.problem, Policy: m.policy, Delay: t.law, Rounds: 1, Workers: m.workers, Timeout: t.timeout}
		l.Join(blame("", scenario.Validate()))
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
func (r tuneRequest) commandLine() string {
	args := []string{"go run ./cmd/demo",
		"-problem", quoted(r.problemName), "-policy", quoted(r.policySpec), "-workers", strconv.Itoa(r.workers),
		"-wait", quoted(r.lawSpec), "-time", brief(r.allowance), "-seed", strconv.FormatUint(r.seed, 10),
	}
	if r.plot != r.usualPlot() {
		args = append(args, "-plot", quoted(r.plot))
	}
	if r.timeout > 0 {
		args = append(args, "-timeout", brief(r.timeout))
	}
	if r.log != "" {
		args = append(args, "-log", quoted(r.log))
	}
	return strings.Join(args, " ")
}
