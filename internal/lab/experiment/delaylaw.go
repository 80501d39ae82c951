package experiment

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "delay-law", Title: "Delays that are learned beside windows that are known", Source: "tarry's own; the problem is that of Verma et al. 2022",
		About: "One query a round on the synthetic problem, under four laws with a mean of 10 rounds that nobody is told of. ucb-sdf has a window of m rounds, " +
			"gp-bucb forgets a query that is without an answer after m rounds, and ucb-sdf with both does either; beside them stand the same policies with what " +
			"they learn of the delays: a query is forgotten when the chance that it is ever heard of is 5 %, and the window holds 90 % of the delays. " +
			"Or it counts by that chance in place of being forgotten. The best m of all is the oracle's, chosen after the fact.",
		Rounds: 300,
		Plan:   planDelayLaw,
	})
}

// lawsToLearn are laws with a mean of 10 rounds.
var lawsToLearn = []struct{ name, law string }{
	{"Poisson(10)", "poisson:10"},
	{"geometric(0.1)", "geometric:0.1"},
	{"Pareto, shape 1.5", "pareto:3.3333,1.5"},
	{"30 % never, else Poisson(10)", "never:0.3+poisson:10"},
}

const (
	forgetChance = 0.05
	windowShare  = 0.9
	armLearned   = "learned"
	armWeighed   = "weighed"
	lawDistance  = "law_distance"
	lawLost      = "law_lost"
)

// fixedRounds are what an oracle chooses from.
var fixedRounds = []int{5, 10, 20, 40, 80}

// learnsDelays is a policy with what it may know of the delays.
type learnsDelays struct {
	policy  string
	arm     string
	window  feedback.Window
	after   int // rounds after which a query is forgotten; 0: never
	learned bool
	weighed bool // in place of being forgotten
}

func (a learnsDelays) adjust(s *sim.Scenario) {
	s.ForgetAfter = time.Duration(a.after) * sim.Tick
	s.WeighPending = a.weighed
	if a.learned && !a.weighed {
		s.Forget = forgetChance
	}
}

// delayArms are the policies with every m, with none, and with what they learn.
func delayArms() (out []learnsDelays) {
	for _, policy := range []string{"ucb-sdf", "gp-bucb"} {
		for _, m := range fixedRounds {
			if policy == "ucb-sdf" {
				out = append(out,
					learnsDelays{policy: policy, arm: fmt.Sprintf("m = %d", m), window: kept(m)},
					learnsDelays{policy: policy, arm: fmt.Sprintf("m = %d, then forgotten", m), window: kept(m), after: m})
				continue
			}
			out = append(out, learnsDelays{policy: policy, arm: fmt.Sprintf("m = %d", m), after: m})
		}
		out = append(out, learnsDelays{policy: policy, arm: "no m"})
		last := learnsDelays{policy: policy, arm: armLearned, learned: true}
		if policy == "ucb-sdf" {
			last.window.Share = windowShare
		}
		weighed := last
		weighed.arm, weighed.weighed = armWeighed, true
		out = append(out, last, weighed)
	}
	return out
}

func planDelayLaw(in Input) (Plan, error) {
	var arms []Arm
	for _, law := range lawsToLearn {
		for _, a := range delayArms() {
			s := study{problem: named("gp1d"), policy: a.policy, law: law.law, rounds: in.Rounds, window: a.window, adjust: a.adjust}
			arms = append(arms, s.arm(a.policy+", "+law.name, a.arm, gp1dInitial, regrets))
		}
	}
	for _, law := range lawsToLearn {
		arms = append(arms, lawArm(law.name, law.law, in.Rounds))
	}
	return Plan{Arms: arms, Facts: gp1dFacts, Show: func(r Results) []Section { return showDelayLaw(r, in.Rounds) }}, nil
}

func lawGroup(law string) string { return "the law, " + law }

// lawArm records, after each query, how far the law that was learned is from the true one.
func lawArm(name, spec string, rounds int) Arm {
	s := study{problem: named("gp1d"), policy: "random", law: spec, rounds: rounds}
	truth := sync.OnceValues(func() ([]float64, error) { return longerThan(spec) })
	return Arm{Group: lawGroup(name), Name: armLearned, Policy: s.policy, Steps: gp1dInitial + rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		scenario, err := s.scenario(seed)
		if err != nil {
			return nil, err
		}
		longer, err := truth()
		if err != nil {
			return nil, err
		}
		r := Record{}
		watch := func(l *loop.Loop, _ loop.Stamped, effects []loop.Effect) error {
			for _, e := range effects {
				if d, ok := e.(loop.Dispatch); ok && d.Evaluation > gp1dInitial {
					law := l.Delays()
					r[lawDistance], r[lawLost] = append(r[lawDistance], distance(law.Longer, longer)), append(r[lawLost], law.Lost)
				}
			}
			return nil
		}
		_, err = sim.Run(ctx, scenario, sim.Dispatches(step), watch)
		return r, err
	}}
}

const (
	lawDraws = 200_000
	lawSpan  = 100 // ticks over which laws are compared
)

// longerThan is the chance that an answer takes longer than 1, 2, … ticks, by many draws: with one query a round an answer that takes d
// ticks, rounded up, is there half a tick earlier, or with the next tick.
func longerThan(spec string) ([]float64, error) {
	law, err := delay.ParseLaw(spec)
	if err != nil {
		return nil, err
	}
	stream := rng.New(1, rng.Delay, 0)
	longer := make([]float64, lawSpan)
	for range lawDraws {
		d, comes := law.Draw(stream, delay.Case{})
		d = math.Max(math.Ceil(d), 1)
		for t := range longer {
			if !comes || d > float64(t+1) {
				longer[t] += 1. / lawDraws
			}
		}
	}
	return longer, nil
}

// distance is the greatest difference between the chances of a longer delay (Kolmogorov).
func distance(learned func(time.Duration) float64, truth []float64) (most float64) {
	for t, want := range truth {
		most = math.Max(most, math.Abs(learned(time.Duration(t+1)*sim.Tick)-want))
	}
	return most
}

func showDelayLaw(r Results, rounds int) []Section {
	law := Section{Title: "What is learned of the law"}
	picture := chart.Figure{Title: "Distance of the law that was learned from the true one", Note: r.note()}
	for _, l := range lawsToLearn {
		picture.Panels = append(picture.Panels, r.panel(lawGroup(l.name), measure{lawDistance, "greatest difference of the chances", chart.Linear, false}))
	}
	law.Figures = []Figure{{"delay-law", picture.Title + ": greatest difference between the chances that an answer takes longer than so many rounds.", picture}}
	for _, m := range []measure{{lawDistance, "greatest difference between the chances of a longer delay", 0, false}, {lawLost, "share that is never answered, as learned", 0, false}} {
		t := Table{Caption: m.label, Head: []string{"law"}}
		for _, k := range stat.Checkpoints(rounds) {
			t.Head = append(t.Head, "after "+whole(k))
		}
		for _, l := range lawsToLearn {
			row := []string{l.name}
			for _, k := range stat.Checkpoints(rounds) {
				row = append(row, r.At(lawGroup(l.name), armLearned, m.curve, k).String())
			}
			t.Rows = append(t.Rows, row)
		}
		law.Tables = append(law.Tables, t)
	}
	regret := Section{Title: "Regret with what is learned beside every m", Tables: []Table{r.oracle()}}
	for _, l := range lawsToLearn {
		for _, policy := range []string{"ucb-sdf", "gp-bucb"} {
			g := policy + ", " + l.name
			regret.Tables = append(regret.Tables, r.table(g, g, []column{{"simple regret", simpleRegret, Last}, {"cumulative regret", cumulativeRegret, Last}}))
		}
	}
	return []Section{law, regret}
}

// oracle compares the cumulative regret of what is learned with that of the best m.
func (r Results) oracle() Table {
	t := Table{Caption: "cumulative regret with what is learned over that of the best m", Head: []string{"policy and law", "best m", "its regret", "learned", "ratio", "at most 1.05 within two errors", "weighed", "weighed over forgotten"}}
	for _, l := range lawsToLearn {
		for _, policy := range []string{"ucb-sdf", "gp-bucb"} {
			g := policy + ", " + l.name
			best, least := "", math.Inf(1)
			for _, arm := range r.Arms(g) {
				if mean := r.At(g, arm, CumulativeRegret, Last).Mean; arm != armLearned && arm != armWeighed && mean < least {
					best, least = arm, mean
				}
			}
			ratio := r.ratio(g, armLearned, best, CumulativeRegret)
			verdict := "no"
			if ratio.Mean <= 1.05+2*ratio.SE {
				verdict = "yes"
			}
			t.Rows = append(t.Rows, []string{g, best, r.At(g, best, CumulativeRegret, Last).String(), r.At(g, armLearned, CumulativeRegret, Last).String(), ratio.String(), verdict,
				r.At(g, armWeighed, CumulativeRegret, Last).String(), r.ratio(g, armWeighed, armLearned, CumulativeRegret).String()})
		}
	}
	return t
}

// ratio is the ratio of the mean ends of a curve of two arms, with the standard error that follows from the seeds they share.
func (r Results) ratio(group, a, b, curve string) stat.Estimate {
	above, below := r.At(group, a, curve, Last), r.At(group, b, curve, Last)
	out := stat.Estimate{Mean: above.Mean / below.Mean}
	var apart []float64
	other := r.curves(group, b, curve)
	for i, c := range r.curves(group, a, curve) {
		v, ok := at(c, Last)
		w, also := at(other[i], Last)
		if ok && also {
			apart = append(apart, v-out.Mean*w)
		}
	}
	out.N, out.SE = len(apart), stat.Of(apart).SE/below.Mean
	return out
}
