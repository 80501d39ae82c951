package experiment

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
)

func init() {
	add(Experiment{
		Name: "workers", Title: "How many workers pay off", Source: "tarry's own; the laboratory is that of delay-lab",
		About: "The problems of the laboratory of delays with 1 to 32 workers, each of which waits for its answer. What a study says of its slots by the delays that it has learned stands beside what came, " +
			"and the regret after some time beside that after some answers: with more workers more is known by the same time, and each query is chosen without the answers of more.",
		Rounds: labRounds, Unit: "ticks of virtual time",
		Plan: planWorkers,
	})
}

var (
	workerCounts = []int{1, 2, 4, 8, 16, 32}
	workerLaws   = []struct {
		name, law string
		giveUp    float64
	}{{"none is lost", "poisson:8", 0}, {"30 % never, given up at 5 %", "never:0.3+poisson:8", forgetChance}}
)

const (
	workersPolicy = "gp-bucb"
	workersDelay  = 8  // ticks, the mean
	fewAnswers    = 24 // after which regrets are compared too: about what four workers have by the end
	bySlots       = "by_slots"
	slotsIdle     = "idle"
)

func workersArm(count int) string { return fmt.Sprint(count) }

func planWorkers(in Input) (Plan, error) {
	var arms []Arm
	for _, problem := range labProblems {
		p, err := sim.NewProblem(problem, 0)
		if err != nil {
			return Plan{}, err
		}
		spread := sync.OnceValue(p.Spread)
		for _, law := range workerLaws {
			for _, count := range workerCounts {
				s := study{problem: named(problem), policy: workersPolicy, law: law.law, rounds: max(2*count*in.Rounds/workersDelay, 2*fewAnswers) - labInitial, adjust: func(c *sim.Scenario) {
					c.Workers, c.Initial, c.Timeout, c.Low, c.GiveUp = count, labInitial, labTimeout*sim.Tick, spread().Low, law.giveUp
					if c.Noise == 0 {
						c.Noise = labNoise * spread().Stddev
					}
				}}
				arms = append(arms, s.slotsArm(labGroup(problem, law.name), count, in.Rounds, spread))
			}
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"policy", workersPolicy}, {"virtual time", fmt.Sprintf("%d ticks, of which an answer takes %d on average", in.Rounds, workersDelay)},
	}, Show: func(r Results) []Section { return showWorkers(r, in.Rounds) }}, nil
}

// slotsArm is a study that runs for some ticks, with what it says of its slots at the end of them.
func (s study) slotsArm(group string, count, ticks int, spread func() sim.Spread) Arm {
	return Arm{Group: group, Name: workersArm(count), Policy: s.policy, Steps: labInitial + s.rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		scenario, err := s.scenario(seed)
		if err != nil {
			return nil, err
		}
		r, end := Record{bySlots: {math.NaN()}, slotsIdle: {math.NaN()}}, time.Duration(ticks)*sim.Tick
		over := false
		watch := func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
			if over || e.At < end {
				return nil
			}
			over = true
			if slots := l.DelayReport().Slots; slots != nil {
				r[bySlots] = []float64{float64(count) * end.Seconds() / slots.Every().Seconds()}
				r[slotsIdle] = []float64{100 * slots.Idle}
			}
			return nil
		}
		outcome, err := sim.Run(ctx, scenario, sim.Dispatches(step), watch)
		if err != nil {
			return nil, err
		}
		curve := labRecord(scenario, outcome, spread().Stddev, ticks)[logByTime]
		r[logInTheEnd], r[answered] = curve[len(curve)-1:], []float64{0}
		for _, e := range outcome.Result.Evaluations {
			if e.Status.Valued() && e.Ended <= end {
				r[answered][0]++
			}
		}
		long := labRecord(scenario, outcome, spread().Stddev, 60*ticks)[logByTime]
		r[logByAnswer] = []float64{afterAnswers(outcome, long, fewAnswers)}
		return r, nil
	}}
}

// afterAnswers is where a curve over ticks is when so many answers are there; NaN if there are never as many.
func afterAnswers(o sim.Performance, curve []float64, count int) float64 {
	for t := range curve {
		there := 0
		for _, e := range o.Result.Evaluations {
			if e.Status.Valued() && e.Ended <= time.Duration(t+1)*sim.Tick {
				there++
			}
		}
		if there >= count {
			return curve[t]
		}
	}
	return math.NaN()
}

func showWorkers(r Results, ticks int) []Section {
	s := Section{Title: "What more workers bring", Text: []string{"Means over three problems."}}
	for _, law := range workerLaws {
		t := Table{Caption: law.name, Head: []string{"workers", "answers", "by the law that was learned", "time of lost queries, %", fmt.Sprintf("log10 of the regret after %d ticks", ticks), fmt.Sprintf("after %d answers", fewAnswers)}}
		for _, count := range workerCounts {
			row := []string{workersArm(count)}
			for _, curve := range []string{answered, bySlots, slotsIdle, logInTheEnd, logByAnswer} {
				row = append(row, overGroups(r, labProblems, []string{law.name}, workersArm(count), labView{curve: curve, k: Last}).String())
			}
			t.Rows = append(t.Rows, row)
		}
		s.Tables = append(s.Tables, t)
	}
	picture := chart.Figure{Title: "Regret by the end of the time, by how many workers there are", Note: r.note()}
	for _, law := range workerLaws {
		curve := chart.Curve{Policy: workersPolicy}
		for _, count := range workerCounts {
			curve.X = append(curve.X, math.Log2(float64(count)))
			curve.Y = append(curve.Y, overGroups(r, labProblems, []string{law.name}, workersArm(count), labView{curve: logInTheEnd, k: Last}))
		}
		picture.Panels = append(picture.Panels, chart.Panel{Title: law.name, X: "log2 of the workers", Y: fmt.Sprintf("log10 of the regret after %d ticks", ticks), Curves: []chart.Curve{curve}})
	}
	s.Figures = []Figure{{"workers", picture.Title + ".", picture}}
	return []Section{s}
}
