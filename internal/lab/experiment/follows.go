package experiment

import (
	"context"
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/workers"
)

func init() {
	add(Experiment{
		Name: "follows", Title: "Answers that follow: how many queries pend", Source: "tarry's own",
		About: "An objective that only sets something in motion returns at once, and its worker is free for the next query: nothing but " +
			"Options.Pending keeps a study from choosing all its queries before the first answer. Each answer comes when as many queries pend " +
			"as may, the oldest first. The engine runs as a program would run it; beside it the simulator, one query a round with delays of 20 " +
			"rounds, and random search.",
		Rounds: 195,
		Plan:   planFollows,
	})
}

const (
	followsInitial = 5  // queries
	followsDelay   = 20 // rounds
	followsPolicy  = "gp-bucb"
)

// The arms, but for random search.
const (
	armSimulated = followsPolicy + ", simulated, 20 pend"
	armEngine    = followsPolicy + ", 20 pend"
	armDefault   = followsPolicy + ", the default number"
	armFlood     = followsPolicy + ", all pend"
)

func planFollows(in Input) (Plan, error) {
	var arms []Arm
	for _, problem := range []string{"branin", "hartmann6", "levy"} {
		s := study{problem: named(problem), policy: followsPolicy, law: fmt.Sprintf("fixed:%d", followsDelay), rounds: in.Rounds}
		budget := followsInitial + in.Rounds
		arms = append(arms,
			s.arm(problem, armSimulated, followsInitial, inTheEnd), s.live(problem, armEngine, followsDelay),
			s.live(problem, armDefault, 0), s.live(problem, armFlood, budget))
		s.policy = "random"
		arms = append(arms, s.arm(problem, "random", followsInitial, inTheEnd))
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"objectives", "without noise; the last regret is that of all answers"}, {"initial queries", fmt.Sprintf("%d, uniform; queries are counted after them", followsInitial)},
		{"the default number", "20 queries may pend, or half the budget where that is less, and one more for every four answers"},
	}, Show: func(r Results) []Section {
		section := Section{Title: "Regret by the number of queries that pend", Figures: []Figure{r.figure("follows", "Answers that follow: simple regret", simpleRegret)}}
		for _, g := range r.Groups() {
			section.Tables = append(section.Tables, r.table(g, g, checkpoints(simpleRegret, in.Rounds)))
		}
		return []Section{section}
	}}, nil
}

// live makes the study an arm of the engine, with answers that follow. So many queries may pend; 0: the engine's default.
func (s study) live(group, name string, pending int) Arm {
	return Arm{Group: group, Name: name, Policy: s.policy, Steps: followsInitial + s.rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		scenario, err := s.scenario(seed)
		if err != nil {
			return nil, err
		}
		result, err := follow(ctx, scenario, pending, step)
		if err != nil {
			return nil, err
		}
		return inTheEnd(scenario, sim.Judge(scenario, result)), nil
	}}
}

// inTheEnd records both regrets of a run; the last simple one is that of all answers, also of those that came after the last
// query was chosen.
func inTheEnd(s sim.Scenario, o sim.Performance) Record {
	r, least := regrets(s, o), math.Inf(1)
	for _, e := range o.Result.Evaluations {
		least = min(least, s.Problem.Maximum-s.Problem.Value(s.Problem.Space.Value(e.X)))
	}
	r[SimpleRegret][len(r[SimpleRegret])-1] = max(least, 0)
	return r
}

// follow runs a study in which every answer follows: the oldest that is awaited comes when as many are as may be.
func follow(ctx context.Context, s sim.Scenario, pending int, step func()) (loop.Result, error) {
	c := actors.Config{Study: s.Config(), Policy: s.Policy, Workers: 1}
	c.Study.Pending = pending
	shown := make(chan workers.Task, c.Study.Budget)
	c.Objective = func(_ context.Context, q workers.Task) (float64, error) {
		shown <- q
		return 0, workers.ErrAnswerFollows
	}
	e, err := actors.Start(ctx, c)
	if err != nil {
		return loop.Result{}, err
	}
	defer e.Stop("no more is wanted")
	var awaited []workers.Task
	for chosen, told := 0, 0; told < c.Study.Budget; {
		most := pending
		if most == 0 {
			most = max(loop.DefaultPending(c.Study.Budget, told), c.Study.Initial)
		}
		if len(awaited) < most && chosen < c.Study.Budget {
			select {
			case q := <-shown:
				awaited = append(awaited, q)
				chosen++
				step()
			case <-e.Ended():
				return loop.Result{}, e.Wait().Err
			}
			continue
		}
		q := awaited[0]
		if err := e.Tell(q.Evaluation, q.Attempt, s.Problem.Value(q.X)); err != nil {
			return loop.Result{}, err
		}
		awaited = awaited[1:]
		told++
	}
	end := e.Wait()
	return end.Result, end.Err
}
