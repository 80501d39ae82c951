package experiment

import (
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "forget", Title: "Queries that are lost: forgotten, or given up", Source: "tarry's own; the problem is that of Verma et al. 2022, the laboratory that of delay-lab",
		About: "One query a round on the synthetic problem, of which 10 % are never answered. A query without an answer is never forgotten, or after 20 rounds, " +
			"or when the chance that it is ever heard of is 5 %, as the study learns; or it counts by that chance. Then the laboratory of delays, where eight workers wait for their answers and " +
			"30 % never come: such a query is given up after 40 ticks, or when that chance is 5 or 30 %, which frees its worker; beside it stands the law without losses.",
		Rounds: 300,
		Plan:   planForget,
	})
}

// forgetful are policies with what is said of queries that are silent.
var (
	forgetPolicies = []string{"gp-bucb", "gp-bts", "ucb-sdf", "ts-sdf", "log-ei"}
	forgetArms     = []struct {
		name   string
		adjust func(*sim.Scenario)
	}{
		{"never forgotten", func(*sim.Scenario) {}},
		{"forgotten after 20", func(s *sim.Scenario) { s.ForgetAfter = 20 * sim.Tick }},
		{"forgotten at 5 %", func(s *sim.Scenario) { s.Forget = forgetChance }},
		{armWeighed, func(s *sim.Scenario) { s.WeighPending = true }},
	}
	giveUpPolicies = []string{"gp-bucb", "gp-bts", "auto"}
	giveUpArms     = []struct {
		name, law string
		chance    float64
	}{
		{"none is lost", "poisson:8", 0},
		{"30 % never", "never:0.3+poisson:8", 0},
		{"30 % never, given up at 5 %", "never:0.3+poisson:8", 0.05},
		{"30 % never, given up at 30 %", "never:0.3+poisson:8", 0.3},
	}
)

const (
	lostLaw     = "never:0.1+poisson:10"
	lostGroup   = "10 % never"
	labRounds   = 50
	logInTheEnd = "log_regret_in_the_end" // of virtual time
	logByAnswer = "log_regret_by_answer"
	answered    = "answers"
	sameAnswers = 28 // about as many as there can be by the end of the time where 30 % never come: see docs/delays.md
)

func planForget(in Input) (Plan, error) {
	var arms []Arm
	for _, policy := range forgetPolicies {
		for _, a := range forgetArms {
			s := study{problem: named("gp1d"), policy: policy, law: lostLaw, rounds: in.Rounds, adjust: a.adjust}
			arms = append(arms, s.arm(lostGroup+", "+policy, a.name, gp1dInitial, regrets))
		}
	}
	rounds := min(in.Rounds, labRounds)
	for _, problem := range labProblems {
		p, err := sim.NewProblem(problem, 0)
		if err != nil {
			return Plan{}, err
		}
		spread := sync.OnceValue(p.Spread)
		for _, policy := range giveUpPolicies {
			for _, a := range giveUpArms {
				arms = append(arms, giveUpArm(problem, policy, a.name, a.law, a.chance, rounds, spread))
			}
		}
	}
	facts := append([]Fact{{"the laboratory", fmt.Sprintf("three problems, as in delay-lab; log10 of the regret in standard deviations of the values after %d ticks", rounds)}}, gp1dFacts...)
	return Plan{Arms: arms, Facts: facts, Show: func(r Results) []Section { return showForget(r, in.Rounds, rounds) }}, nil
}

// giveUpGroup is a policy on a problem of the laboratory.
func giveUpGroup(problem, policy string) string { return problem + ", " + policy }

// giveUpArm is a study of the laboratory that gives up what is silent.
func giveUpArm(problem, policy, name, law string, chance float64, rounds int, spread func() sim.Spread) Arm {
	s := study{problem: named(problem), policy: policy, law: law, rounds: rounds, adjust: func(c *sim.Scenario) {
		c.Workers, c.Initial, c.Timeout, c.Low, c.GiveUp = labWorkers, labInitial, labTimeout*sim.Tick, spread().Low, chance
		if c.Noise == 0 {
			c.Noise = labNoise * spread().Stddev
		}
	}}
	return s.arm(giveUpGroup(problem, policy), name, labInitial, func(c sim.Scenario, o sim.Performance) Record {
		curve := labRecord(c, o, spread().Stddev, rounds)[logByTime]
		r := Record{logInTheEnd: curve[len(curve)-1:], answered: make([]float64, len(curve))}
		at := math.NaN()
		for t := range curve {
			for _, e := range o.Result.Evaluations {
				if e.Status.Valued() && e.Ended <= time.Duration(t+1)*sim.Tick {
					r[answered][t]++
				}
			}
			if math.IsNaN(at) && r[answered][t] >= sameAnswers {
				at = curve[t]
			}
		}
		if !math.IsNaN(at) {
			r[logByAnswer] = []float64{at}
		}
		return r
	})
}

func showForget(r Results, rounds, ticks int) []Section {
	lost := Section{Title: "10 % never arrive, and nothing is timed out"}
	for _, policy := range forgetPolicies {
		g := lostGroup + ", " + policy
		lost.Tables = append(lost.Tables, r.table(g, g, regretColumns(rounds)))
	}
	lost.Figures = []Figure{r.figureOf([]string{lostGroup + ", gp-bucb", lostGroup + ", gp-bts", lostGroup + ", ucb-sdf", lostGroup + ", log-ei"},
		"forget", "Simple regret where 10 % of the answers never come", simpleRegret)}
	given := Section{Title: "30 % never arrive, and a worker waits for each", Text: []string{
		fmt.Sprintf("Means over three problems. The last column compares studies at equal numbers of answers: it is the regret when %d answers are there, of the runs that have as many.", sameAnswers),
	}}
	for _, policy := range giveUpPolicies {
		t := Table{Caption: policy + fmt.Sprintf(": log10 of the simple regret after %d ticks", ticks), Head: []string{"setting", "log10 of the regret", "minus that without losses", "answers", fmt.Sprintf("log10 of the regret after %d answers", sameAnswers)}}
		for _, a := range giveUpArms {
			end := r.pooledOver(policy, a.name, logInTheEnd)
			t.Rows = append(t.Rows, []string{a.name, end.String(), r.apartFrom(policy, a.name, giveUpArms[0].name), r.pooledOver(policy, a.name, answered).String(), r.pooledOver(policy, a.name, logByAnswer).String()})
		}
		given.Tables = append(given.Tables, t)
	}
	return []Section{lost, given}
}

// pooledOver is the mean over the problems of the laboratory, seed by seed, of where a curve of a policy ends; of the seeds that have it on
// all of them.
func (r Results) pooledOver(policy, arm, curve string) stat.Estimate {
	return overGroups(r, labProblems, []string{policy}, arm, labView{curve: curve, k: Last})
}

// apartFrom is how much a policy is worse, in the end, than under another setting, seed by seed.
func (r Results) apartFrom(policy, arm, other string) string {
	if arm == other {
		return ""
	}
	sums, whole := make([]float64, r.seeds), make([]bool, r.seeds)
	for i := range sums {
		whole[i] = true
		for _, problem := range labProblems {
			g := giveUpGroup(problem, policy)
			v, ok := at(r.curves(g, arm, logInTheEnd)[i], Last)
			w, also := at(r.curves(g, other, logInTheEnd)[i], Last)
			sums[i], whole[i] = sums[i]+(v-w)/float64(len(labProblems)), whole[i] && ok && also
		}
	}
	var apart []float64
	for i, v := range sums {
		if whole[i] {
			apart = append(apart, v)
		}
	}
	return stat.Of(apart).Signed()
}
