// Package comparison is the command sim: policies x problems x seeds in virtual time, judged by regret and by accuracy.
package comparison

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

// comparison is a request that was found sound: problems x policies x seeds. Of one problem and seed, all policies meet
// the same objective, initial points, noise and delays.
type comparison struct {
	request
	problems []subject
	policies []console.Contender
	law      delay.Law
	faults   delay.Faults
	noise    noise
}

// job is one run, by its places in the lists.
type job struct{ problem, policy, seed int }

// newComparison judges a request. The error lists every violation.
func newComparison(r request) (comparison, error) {
	var l check.List
	c := comparison{request: r}
	c.problems = readProblems(&l, r)
	c.policies = console.ReadPolicies(&l, r.policyList)
	c.noise = readNoise(&l, r.noiseSpec)
	var err error
	c.law, err = delay.ParseLaw(r.lawSpec)
	l.Join(console.Blame("-delay", err))
	c.faults, err = delay.ParseFaults(r.faultSpec)
	l.Join(console.Blame("-faults", err))
	last := uint64(max(r.seeds, 1) - 1)
	l.Require(r.seed+last >= r.seed, "-seed", r.seed, fmt.Sprintf("seed + %d below 2^64, since %d seeds are wanted", last, r.seeds))
	numbers := float64(r.rounds) * float64(len(c.jobs()))
	l.Require(numbers <= maxNumbers, "-rounds", r.rounds, fmt.Sprintf("at most %d rounds in all runs together; there are %d runs", maxNumbers, len(c.jobs())))
	if l.Err() == nil {
		l.Join(c.validate())
	}
	return c, l.Err()
}

// validate asks the simulator and the loop about every pair of problem and policy.
func (c comparison) validate() error {
	var l check.List
	for _, s := range c.problems {
		for _, p := range c.policies {
			scenario := c.bare(s.first, p.On(s.first), c.seed)
			scenario.Noise = c.noise.sd // in what units does not matter here
			if own := scenario.Policy.Traits().Barrier; c.batch > 0 && own > 1 {
				l.Add("-batch", c.batch, fmt.Sprintf("0 with policy %s, which makes batches of %d itself", p.Name, own))
			}
			l.Join(console.Blame("", scenario.Validate()))
			l.Join(console.Blame("", scenario.Config().Validate()))
		}
	}
	return l.Err()
}

// bare is a scenario but for what must be measured on the problem first.
func (c comparison) bare(problem sim.Problem, policy policies.Policy, seed uint64) sim.Scenario {
	return sim.Scenario{
		Problem:    problem,
		Policy:     policy,
		Delay:      c.law,
		Rounds:     c.rounds,
		Initial:    c.initial,
		Seed:       seed,
		Window:     feedback.Window{Rounds: c.window, Share: c.share, Strict: c.strict},
		Faults:     c.faults,
		Workers:    c.workers,
		Barrier:    c.batch,
		Timeout:    time.Duration(c.timeout * float64(sim.Tick)),
		Retries:    c.retries,
		Contextual: c.contextual,

		Forget: c.forget, WeighPending: c.weigh, GiveUp: c.giveUp,
	}
}

// scenario is everything about one run.
func (c comparison) scenario(j job) (sim.Scenario, error) {
	seed := c.seed + uint64(j.seed)
	problem, err := sim.NewProblem(c.problems[j.problem].name, seed)
	if err != nil {
		return sim.Scenario{}, err
	}
	s := c.bare(problem, c.policies[j.policy].On(problem), seed)
	measure := sync.OnceValue(problem.Spread)
	if problem.Trains { // expensive, and the same for every seed
		measure = c.problems[j.problem].spread
	}
	switch {
	case c.noise.own:
		s.Noise = problem.Noise
	case c.noise.relative:
		s.Noise = c.noise.sd * measure().Stddev
	default:
		s.Noise = c.noise.sd
	}
	if strings.Contains(c.law.String(), "value:") {
		s.Low = measure().Low
	}
	return s, nil
}

// jobs lists the runs in the order of the output: by problem, then policy, then seed.
func (c comparison) jobs() []job {
	out := make([]job, 0, len(c.problems)*len(c.policies)*c.seeds)
	for problem := range c.problems {
		for policy := range c.policies {
			for seed := range c.seeds {
				out = append(out, job{problem, policy, seed})
			}
		}
	}
	return out
}

// queries is the number of evaluations of all runs, initial ones included.
func (c comparison) queries() int {
	n := 0
	for _, s := range c.problems {
		n += c.initials(s) + c.rounds
	}
	return n * len(c.policies) * c.seeds
}

// initials is the number of initial queries of a run.
func (c comparison) initials(s subject) int {
	return c.bare(s.first, c.policies[0].Policy, c.seed).Config().Initial
}

// conditions says in words under which conditions the policies meet a problem.
func (c comparison) conditions(s subject) string {
	parts := []string{"delay " + c.law.String()}
	if c.window > 0 {
		window := fmt.Sprintf("window %d", c.window)
		if c.strict {
			window += " (strict)"
		}
		parts = append(parts, window)
	}
	if c.workers > 0 {
		parts = append(parts, console.Plural(c.workers, "worker"))
	}
	if c.batch > 1 {
		parts = append(parts, fmt.Sprintf("batches of %d", c.batch))
	}
	if c.contextual {
		parts = append(parts, "contextual")
	}
	if c.faults != (delay.Faults{}) {
		parts = append(parts, "faults "+c.faults.String())
	}
	return strings.Join(append(parts, c.noise.on(s.first)), ", ")
}
