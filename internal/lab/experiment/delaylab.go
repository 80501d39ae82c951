package experiment

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "delay-lab", Title: "Every policy under every kind of delay",
		About: "Eight workers, each busy until its answer comes, or for 40 ticks: then the query is given up and has failed. The kinds of delay have a " +
			"mean of 8 ticks, those by input and by value at uniform ones, so that about one query starts every tick; they differ in shape: constant, light " +
			"and heavy tails (2 % of the lognormal and Pareto delays are given up), by the input or by the value. Where 30 % never come, a worker is " +
			"busy for 18 ticks on average. Hyperparameters are learned, but for gp1d.",
		Rounds: 50,
		Plan:   planLab,
	})
}

// labLaws are the laws of the laboratory, all with a mean of 8 ticks.
var labLaws = []struct{ name, law string }{
	{"constant", "fixed:8"},
	{"Poisson", "poisson:8"},
	{"exponential", "exponential:8"},
	{"lognormal", "lognormal:1.5,1.08"},
	{"Pareto", "pareto:2.6667,1.5"},
	{"by input", "input:0,16"},
	{"good is fast", "value:16,0"},
	{"good is slow", "value:0,16"},
	{"30 % never", "never:0.3+poisson:8"},
}

// labProblems are the problems of the laboratory.
var labProblems = []string{"gp1d", "branin", "hartmann6"}

const (
	labWorkers = 8
	labTimeout = 40 // ticks
	labWindow  = 16 // rounds
	labInitial = 10
	labNoise   = 0.02 // of the standard deviation of the values, where a problem has none of its own
	labFloor   = 1e-3 // regret below this share of the standard deviation counts as this
)

// Curves of the laboratory: the decimal logarithm of the simple regret in standard deviations of the values.
const (
	logByQueries = "log_regret_by_queries"
	logByTime    = "log_regret_by_time"
)

// labPolicies are all registered ones that serve any study, but for those of many models, which would take half of the time: baselines that fit some
// at every query, and what learns over tasks; batches are as large as there are workers.
func labPolicies() []string {
	var out []string
	for _, name := range policies.General() {
		switch name {
		case "warped", "ensemble", "continual-mf-mes", "mft-mes":
		case "batch":
			out = append(out, fmt.Sprintf("batch:q=%d", labWorkers))
		default:
			out = append(out, name)
		}
	}
	return out
}

func planLab(in Input) (Plan, error) {
	var arms []Arm
	for _, problem := range labProblems {
		p, err := sim.NewProblem(problem, 0)
		if err != nil {
			return Plan{}, err
		}
		spread := sync.OnceValue(p.Spread)
		for _, law := range labLaws {
			for _, policy := range labPolicies() {
				arms = append(arms, labArm(problem, law.name, law.law, policy, in.Rounds, spread))
			}
		}
	}
	return Plan{Arms: arms, Facts: labFacts(in.Rounds), Show: func(r Results) []Section { return showLab(r, in.Rounds) }}, nil
}

func labFacts(rounds int) []Fact {
	return []Fact{
		{"queries", fmt.Sprintf("%d initial ones, uniform, and %d chosen", labInitial, rounds)},
		{"policies", "all but warped and ensemble, which fit models of their own at every query"},
		{"noise", "standard deviation of 2 % of that of the values; variance 1e-4 for gp1d"},
		{"windows", fmt.Sprintf("m = %d rounds for the policies that censor; late answers are kept", labWindow)},
		{"regret", fmt.Sprintf("in standard deviations of the values, not less than %g", labFloor)},
	}
}

// labGroup is the setting of a problem under a law.
func labGroup(problem, law string) string { return problem + ", " + law }

func labArm(problem, lawName, law, policy string, rounds int, spread func() sim.Spread) Arm {
	s := study{problem: named(problem), policy: policy, law: law, rounds: rounds, window: kept(labWindow)}
	s.adjust = func(c *sim.Scenario) {
		c.Workers, c.Initial, c.Timeout, c.Low = labWorkers, labInitial, labTimeout*sim.Tick, spread().Low
		if c.Noise == 0 {
			c.Noise = labNoise * spread().Stddev
		}
	}
	return s.arm(labGroup(problem, lawName), policy, labInitial, func(c sim.Scenario, o sim.Performance) Record {
		return labRecord(c, o, spread().Stddev, rounds)
	})
}

// labRecord measures a run by queries and by virtual time.
func labRecord(s sim.Scenario, o sim.Performance, sd float64, rounds int) Record {
	r := Record{logByQueries: make([]float64, len(o.SimpleRegret)), logByTime: regretByTime(s, o, rounds)}
	copy(r[logByQueries], o.SimpleRegret)
	for _, curve := range r {
		for i, v := range curve {
			curve[i] = math.Log10(max(v/sd, labFloor)) // NaN stays
		}
	}
	return r
}

// regretByTime is the least regret of the queries whose answers had come after 1, 2, … ticks; until the first, that of
// the worst value.
func regretByTime(s sim.Scenario, o sim.Performance, horizon int) []float64 {
	best := make([]float64, horizon)
	for t := range best {
		best[t] = s.Problem.Maximum - s.Low
	}
	for _, e := range o.Result.Evaluations {
		if !e.Status.Valued() {
			continue
		}
		regret := s.Problem.Maximum - s.Problem.Value(s.Problem.Space.Value(e.X))
		for t := range best {
			if e.Ended <= time.Duration(t+1)*sim.Tick {
				best[t] = min(best[t], regret)
			}
		}
	}
	return best
}
