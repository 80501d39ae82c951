package experiment

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "conditional", Title: "Parameters that depend on another one", Source: "tarry's own",
		About: "Three kinds, and two parameters for each of them of which the others take no notice. The same objective is searched with these " +
			"conditions and without, as seven parameters side by side. Delays are fixed at 8 rounds, so that 8 queries pend. A query repeats when " +
			"an earlier one had the same kind and the same values of its two parameters: nothing is learned from it.",
		Rounds: 140,
		Plan:   planConditional,
	})
}

const (
	conditionalInitial = 10
	conditionalRepeats = "repeats"
)

// The groups: whether the parameters of a kind have few values.
var conditionalGroups = []struct {
	name string
	step float64
}{{"nine values each, 243 configurations", 0.125}, {"real numbers", 0}}

func planConditional(in Input) (Plan, error) {
	var arms []Arm
	for _, g := range conditionalGroups {
		for _, policy := range []string{"auto", "gp-bucb", "log-ei", "random"} {
			for _, flat := range []bool{false, true} {
				s := study{problem: branches(g.step, flat), policy: policy, law: "fixed:8", rounds: in.Rounds}
				s.adjust = func(c *sim.Scenario) { c.Initial = conditionalInitial }
				name := policy + ", with conditions"
				if flat {
					name = policy + ", without"
				}
				arms = append(arms, s.arm(g.name, name, conditionalInitial, repeatsAndRegret))
			}
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"objective", "a hill of the width 0.15 for each kind, at a random place, 1, 0.9 and 0.7 high; another for each seed"},
		{"noise", "none"},
		{"initial queries", fmt.Sprintf("%d, uniform; regret is counted after them, repeats from the first", conditionalInitial)},
	}, Show: func(r Results) []Section {
		section := Section{Title: "Regret and repeats with and without conditions", Figures: []Figure{r.figure("conditional", "Parameters that depend on another one: simple regret", simpleRegret)}}
		for _, g := range r.Groups() {
			table := r.table(g, g, checkpoints(simpleRegret, in.Rounds))
			table.Head = append(table.Head, fmt.Sprintf("repeats of %d queries", conditionalInitial+in.Rounds))
			for i, arm := range r.Arms(g) {
				table.Rows[i] = append(table.Rows[i], r.At(g, arm, conditionalRepeats, Last).String())
			}
			section.Tables = append(section.Tables, table)
		}
		return []Section{section}
	}}, nil
}

// branches is a problem of three kinds with two parameters each, in steps where step is not 0; flat: without conditions.
func branches(step float64, flat bool) func(seed uint64) (sim.Problem, error) {
	const width = 0.15
	kinds, heights := []string{"a", "b", "c"}, []float64{1, 0.9, 0.7}
	return func(seed uint64) (sim.Problem, error) {
		parameters := []space.Parameter{space.Categorical("kind", kinds...)}
		for _, kind := range kinds {
			for _, name := range []string{"1", "2"} {
				p := space.Float(kind+name, 0, 1).Stepped(step)
				if !flat {
					p = p.When("kind", kind)
				}
				parameters = append(parameters, p)
			}
		}
		s, err := space.New(parameters...)
		if err != nil {
			return sim.Problem{}, err
		}
		stream := rng.New(seed, rng.Problem, 0)
		order := stream.Perm(len(kinds))
		var tops [][2]float64
		for range kinds {
			top := [2]float64{stream.Float64(), stream.Float64()}
			for j := range top {
				top[j] = parameters[1].Exact(parameters[1].Value(parameters[1].Unit(top[j])))
			}
			tops = append(tops, top)
		}
		p := sim.Problem{Name: "branches", Space: s, Maximum: 1}
		p.Value = func(x space.Point) float64 {
			k := int(x[0])
			d := math.Hypot(x[1+2*k]-tops[k][0], x[2+2*k]-tops[k][1]) / width
			return heights[order[k]] * math.Exp(-d*d/2)
		}
		return p, nil
	}
}

// repeatsAndRegret records the simple regret, and how many queries an earlier one had made superfluous.
func repeatsAndRegret(s sim.Scenario, o sim.Performance) Record {
	seen := map[[3]float64]bool{}
	repeats := 0.0
	for _, e := range o.Result.Evaluations {
		x := s.Problem.Space.Value(e.X)
		k := int(x[0])
		key := [3]float64{x[0], x[1+2*k], x[2+2*k]}
		if seen[key] {
			repeats++
		}
		seen[key] = true
	}
	r := regrets(s, o)
	return Record{SimpleRegret: r[SimpleRegret], conditionalRepeats: {repeats}}
}
