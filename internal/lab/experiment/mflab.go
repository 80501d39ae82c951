package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/sim/fidelity"
	"github.com/tarry-bo/tarry/space"
)

// What experiments with fidelities share: a budget in cost, and what is recommended at shares of it.

// family is a problem with fidelities of which each seed draws a task.
type family struct {
	group string
	draw  func(seed uint64, task int) (fidelity.Problem, error)
	// budget in cost; 0: that of the problem.
	budget float64
	share  float64 // of it that is there
	// judged turns the value of the recommended point, without noise, into what is reported, given the greatest value, NaN where it is not known.
	judged func(value, optimum float64) float64
	shown  measure
	// measured says that what is judged is what a study itself recommends: a point that was measured at the greatest fidelity. Otherwise it is the
	// point of which the model expects most there, wherever it was measured.
	measured bool
}

// levelledMeasure is the curve that is recorded: what is recommended, by shares of the budget.
const levelledMeasure = "recommended"

// levelledArm is a method: a policy, which chooses fidelities or queries the greatest alone.
type levelledArm struct{ name, policy string }

var levelledArms = []levelledArm{
	{"mf-mes", "mf-mes"},
	{"auto", "auto"},
	{"mes, full", "mes"},
	{"gp-bucb, full", "gp-bucb"},
	{"random, full", "random"},
}

const (
	costShares      = 20   // of the budget at which what is recommended is judged
	levelledQueries = 1000 // of a run at most; the budget in cost ends it before
)

// pace is how evaluations arrive.
type pace struct {
	name    string
	workers int // 0: rounds
	law     string
}

// levelled is one query at a time, and several under way.
var levelledPaces = []pace{{"one at a time", 1, "fixed:0"}, {"4 workers", 4, "exponential:1"}}

// levelledRounds are the rounds with which a budget is that of the problem, which pays for about as many evaluations of the greatest
// fidelity: with fewer rounds it is less.
const (
	levelledRounds = 20
	levelledUnit   = "twentieths of the budget"
)

// levelledShareOf is how much of the budget there is.
func levelledShareOf(in Input) float64 { return float64(in.Rounds) / levelledRounds }

// levelledBudget is what there is of a budget, as groups are called.
func levelledBudget(in Input, budget float64) string {
	return strconv.FormatFloat(budget*float64(in.Rounds)/levelledRounds, 'g', -1, 64)
}

// levelledFact says what the budget is.
func levelledFact(in Input) Fact {
	text := "in cost, the same for all: an evaluation costs what its fidelity does"
	if in.Rounds != levelledRounds {
		text += fmt.Sprintf("; here %d/%d of those that are named above", in.Rounds, levelledRounds)
	}
	return Fact{"budget", text}
}

// planLevelled has an arm for each family, pace and method, and one for each method of a sequence of tasks.
func planLevelled(in Input, families []family, paces []pace, title string, sequences ...sequence) Plan {
	var arms []Arm
	for _, s := range sequences {
		s.share = levelledShareOf(in)
		for _, a := range s.arms {
			arms = append(arms, s.arm(a))
		}
	}
	for _, f := range families {
		f.share = levelledShareOf(in)
		for _, p := range paces {
			for _, a := range levelledArms {
				arms = append(arms, f.arm(p, a))
			}
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		levelledFact(in),
		{"initial queries", "2 d + 2 for d parameters, or as many as half of the budget pays for; over all fidelities in turn for a method that chooses them"},
		{"recommended", recommendedAs(families[0].measured)},
	}, Show: func(r Results) []Section { return showLevelled(r, families[0].shown, title, sequences) }}
}

// recommendedAs says what is judged.
func recommendedAs(measured bool) string {
	if measured {
		return "of the points that were measured at the greatest fidelity, that which the study recommends. Judged without noise"
	}
	return "of the points that were queried, at whatever fidelity, that of which the model expects most at the greatest; without a model the best that was measured there. Judged without noise"
}

// groupOf names the arms that are compared with each other.
func (f family) groupOf(p pace) string {
	if f.group == "" {
		return p.name
	}
	return f.group + ", " + p.name
}

func (f family) arm(p pace, a levelledArm) Arm {
	return Arm{Group: f.groupOf(p), Name: a.name, Policy: a.policy, Steps: costShares, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		problem, err := f.draw(seed, 0)
		if err != nil {
			return nil, err
		}
		return f.run(ctx, problem, p, a, seed, step)
	}}
}

// simulated is the problem with its fidelity as the last coordinate.
func simulated(p fidelity.Problem) (sim.Problem, error) {
	s, err := space.New(append(slices.Clone(p.Parameters), space.Ordered(p.Fidelity, p.Levels...).AsFidelity(p.Costs...))...)
	return sim.Problem{Name: p.Name, Space: s, Value: p.At, Noise: p.Noise}, err
}

// run performs a study and judges what is recommended as the budget is spent.
func (f family) run(ctx context.Context, problem fidelity.Problem, pace pace, arm levelledArm, seed uint64, step func()) (Record, error) {
	a := assignment{problem, seed, 0, nil}
	j := judge{jury: f.jury(a), budget: f.cost(problem), step: step}
	last, err := f.study(ctx, a, pace, arm.policy, j.watch)
	if err != nil {
		return nil, err
	}
	for len(j.curve) < costShares {
		j.next(last)
	}
	return Record{levelledMeasure: j.curve}, nil
}

// cost is the budget of a study.
func (f family) cost(p fidelity.Problem) float64 { return cmp.Or(f.budget, p.Budget) * f.share }

// assignment is a task of a family, with what was learned of those before.
type assignment struct {
	problem fidelity.Problem
	seed    uint64
	task    int
	learned *loop.Learned
}

// taskSeeds is by how much the seeds of studies of consecutive tasks differ.
const taskSeeds = 1 << 32

// study performs a study and returns the loop at its end.
func (f family) study(ctx context.Context, a assignment, pace pace, name string, watch ...sim.Observer) (*loop.Loop, error) {
	p, err := simulated(a.problem)
	if err != nil {
		return nil, err
	}
	policy, err := policies.Parse(name)
	if err != nil {
		return nil, err
	}
	law, err := delay.ParseLaw(pace.law)
	if err != nil {
		return nil, err
	}
	budget := f.cost(a.problem)
	s := sim.Scenario{
		Problem: p, Policy: policy, Delay: law, Workers: pace.workers, Rounds: levelledQueries, Initial: levelledInitial(a.problem, policy, budget),
		Seed: a.seed + taskSeeds*uint64(a.task), Noise: a.problem.Noise, BudgetCost: budget, FitBeside: pace.workers > 1, Learned: a.learned,
	}
	var last *loop.Loop
	keep := func(l *loop.Loop, _ loop.Stamped, _ []loop.Effect) error { last = l; return nil }
	_, err = sim.Run(ctx, s, append(watch, keep)...)
	return last, err
}

// jury judges what is recommended.
type jury struct {
	value   func(x space.Point) float64
	judged  func(value, optimum float64) float64
	optimum float64
	found   func(l *loop.Loop) space.Point
}

func (f family) jury(a assignment) jury {
	found := expectedPoint
	if f.measured {
		found = recommendedPoint
	}
	return jury{once(a.problem.At), f.judged, optimumOf(a.problem, a.seed, a.task), found}
}

func (j jury) of(l *loop.Loop) float64 { return j.judged(j.value(j.found(l)), j.optimum) }

// judge follows a study.
type judge struct {
	jury
	budget float64
	step   func()
	curve  []float64
}

// watch judges whenever another share of the budget was spent on what has answered.
func (j *judge) watch(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
	if _, answered := e.Event.(loop.FeedbackArrived); !answered {
		return nil
	}
	for len(j.curve) < costShares-1 && answeredCost(l) >= j.budget*float64(len(j.curve)+1)/costShares {
		j.next(l)
	}
	return nil
}

func (j *judge) next(l *loop.Loop) {
	j.curve = append(j.curve, j.of(l))
	j.step()
}

// levelledInitial is the number of initial points.
func levelledInitial(p fidelity.Problem, policy policies.Policy, budget float64) int {
	n := 2*len(p.Parameters) + 2
	if policy.Traits().Fidelities {
		return n
	}
	return max(1, min(n, int(budget/2/p.Costs[len(p.Costs)-1])))
}

// answeredCost is what the evaluations cost that have an outcome.
func answeredCost(l *loop.Loop) float64 {
	total, s := 0.0, l.Config().Space
	for _, e := range l.Evaluations() {
		if e.Status != loop.Pending {
			total += s.Cost(e.X)
		}
	}
	return total
}

// optima remembers the greatest values of problems, by name, seed and task: all arms look for the same.
var optima sync.Map

// optimumOf is the greatest value of a task that the seed drew; NaN where it is not known.
func optimumOf(p fidelity.Problem, seed uint64, task int) float64 {
	if p.Optimum == nil {
		return math.NaN()
	}
	found, _ := optima.LoadOrStore(fmt.Sprint(p.Name, " ", seed, " ", task), sync.OnceValue(func() float64 { _, value := p.Optimum(); return value }))
	return found.(func() float64)()
}

// once is a function of points that is computed once at each; NaN at nil.
func once(f func(x space.Point) float64) func(x space.Point) float64 {
	known := map[string]float64{}
	return func(x space.Point) float64 {
		if x == nil {
			return math.NaN()
		}
		key := fmt.Sprint(x)
		v, ok := known[key]
		if !ok {
			v = f(x)
			known[key] = v
		}
		return v
	}
}

// recommendedPoint is what the study recommends; nil without any value at the greatest fidelity.
func recommendedPoint(l *loop.Loop) space.Point {
	if r := l.Result().Recommended; r != nil {
		return l.Config().Space.Value(r.X)
	}
	return nil
}

// expectedPoint is the point that was queried, at the greatest fidelity, of which the model expects most there, or the best that was
// measured there; nil without any.
func expectedPoint(l *loop.Loop) (best space.Point) {
	greatest, where := math.Inf(-1), l.Config().Space
	for _, e := range l.Evaluations() {
		if !e.Status.Valued() {
			continue
		}
		x := where.Value(where.AtTarget(e.X))
		if expected, err := l.Predict(x); err == nil && expected.Mean > greatest {
			greatest, best = expected.Mean, x
		}
	}
	if measured := l.Best(); best == nil && measured != nil {
		best = where.Value(measured.X)
	}
	return best
}

// showLevelled shows what is recommended over the cost, and at some shares of the budget.
func showLevelled(r Results, m measure, title string, sequences []sequence) []Section {
	name := "mf"
	groups := r.Groups()[len(sequences):]
	drawing := r.chart(groups, title, m)
	for i := range drawing.Panels {
		drawing.Panels[i].X = fmt.Sprintf("cost, in shares of 1/%d of the budget", costShares)
	}
	section := Section{Title: title, Figures: []Figure{{Name: name, Caption: title + ", by the cost of the evaluations that have answered.", Drawing: drawing}}}
	for _, g := range groups {
		section.Tables = append(section.Tables, r.table(g, g+": "+m.label, []column{
			{"a quarter of the budget", m, costShares / 4}, {"half", m, costShares / 2}, {"all", m, Last},
		}))
	}
	sections := []Section{section}
	for _, s := range sequences {
		sections = append(sections, s.show(r))
	}
	return sections
}

var levelledRegret = measure{levelledMeasure, "log10 regret of what is recommended", chart.Linear, true}

// logRegretOf is the decimal logarithm of the regret, not below a floor.
func logRegretOf(floor float64) func(value, optimum float64) float64 {
	return func(value, optimum float64) float64 { return math.Log10(max(optimum-value, floor)) }
}
