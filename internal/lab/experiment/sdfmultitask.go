package experiment

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "sdf-multitask", Title: "A contextual bandit over the tuning of 50 SVMs", Source: "Verma et al. 2022, sec. 6 (contextual); data of Wistuba et al. 2015",
		About: "Up to fifty classification tasks one after the other, in another order for each seed, 30 queries each. A query is one of 288 configurations of a " +
			"support vector machine, its value the accuracy that was measured for it. Six meta-features of the task are the context, and one model learns from all " +
			"tasks. Delays are Poisson with mean 3 rounds, m = 6, and late answers are thrown away by ucb-sdf and ts-sdf.",
		Rounds: 50*queriesPerTask - paperInitial,
		Data:   "the folder tst-svm of the tasks, or the one that holds it (needed)",
		Plan:   planMultitask,
	})
}

const (
	queriesPerTask  = 30
	tasksFolder     = "tst-svm"
	contextFeatures = 6
	contextDelay    = "poisson:3"
	contextWindow   = 6
)

func planMultitask(in Input) (Plan, error) {
	if in.Data == "" {
		return Plan{}, &check.FieldError{Field: "-data", Value: `""`, Want: "the folder " + tasksFolder + " with one file for each task, or the folder that holds it"}
	}
	folder := inFolder(in.Data, tasksFolder)
	tasks, err := data.ReadTasks(existing(folder, in.Data))
	if err != nil {
		return Plan{}, err
	}
	b, err := newTaskList(tasks)
	if err != nil {
		return Plan{}, err
	}
	fingerprint, err := data.Fingerprint(existing(folder, in.Data))
	if err != nil {
		return Plan{}, err
	}
	facts := []Fact{
		{"data", fmt.Sprintf("%d tasks, %d configurations of %d numbers, %d meta-features as context", len(tasks), len(tasks[0].Configs), len(tasks[0].Configs[0]), contextFeatures)},
		metOneByOne("tasks", in.Rounds, len(tasks)), {"regret", "the best accuracy of the task minus that of the query, in percent points"},
	}
	if b.twins > 0 {
		facts = append(facts, Fact{"equal contexts", fmt.Sprintf("%d tasks have the same meta-features as another one; a difference of %g, which no model notices, tells them apart", b.twins, twinStep)})
	}
	arms := contextualArms(b.problem, in.Rounds)
	return Plan{Arms: arms, Facts: append(facts, paperModel...), Fingerprint: fingerprint, Show: func(r Results) []Section {
		return showContextual(r, "sdf-multitask", "Cumulative regret over the tasks", in.Rounds)
	}}, nil
}

// taskList is a finite list of configurations whose values depend on the task.
type taskList struct {
	tasks    []data.Task
	contexts []space.Point // of each task, no two alike
	best     []float64     // greatest accuracy of each task
	space    space.Space
	twins    int // tasks whose context had to be moved
}

// twinStep moves the context of a task that is like another's, in units of the range of its first number.
const twinStep = 1e-9

// spanOf is the width of the range of the first numbers, 1 where they are all alike.
func spanOf(rows [][]float64) float64 {
	for _, r := range rows {
		if len(r) == 0 {
			return 1
		}
	}
	low, high := extent(rows, 0)
	return high - low
}

func newTaskList(tasks []data.Task) (*taskList, error) {
	b := &taskList{tasks: tasks}
	var first [][]float64
	for _, t := range tasks {
		first = append(first, t.Meta[:min(1, len(t.Meta))])
	}
	width := spanOf(first)
	for _, t := range tasks {
		if len(t.Meta) < contextFeatures {
			return nil, fmt.Errorf("task %s: %d meta-features, want at least %d", t.Name, len(t.Meta), contextFeatures)
		}
		z := slices.Clone(t.Meta[:contextFeatures])
		for slices.ContainsFunc(b.contexts, func(other space.Point) bool { return slices.Equal(other, z) }) {
			z[0] = max(z[0]+twinStep*width, math.Nextafter(z[0], math.Inf(1)))
			b.twins++
		}
		b.contexts, b.best = append(b.contexts, z), append(b.best, slices.Max(t.Accuracy))
	}
	var parameters []space.Parameter
	for j := range tasks[0].Configs[0] {
		low, high := extent(tasks[0].Configs, j)
		parameters = append(parameters, space.Float(fmt.Sprintf("config%d", j+1), low, high))
	}
	for j := range contextFeatures {
		low, high := extent(b.contexts, j)
		parameters = append(parameters, space.Float(fmt.Sprintf("meta%d", j+1), low, high).AsContext())
	}
	var err error
	b.space, err = space.List(space.PointsOf(tasks[0].Configs), parameters...)
	return b, err
}

// extent is the range of a column; one of a single value gets some width.
func extent[R ~[]float64](rows []R, column int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		low, high = min(low, r[column]), max(high, r[column])
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

// problem is the problem of a seed, which decides the order of the tasks.
func (b *taskList) problem(seed uint64) (sim.Problem, error) {
	order := rng.New(seed, rng.Problem, 0).Perm(len(b.tasks))
	actions := len(b.tasks[0].Configs[0])
	floor := 0.0
	return sim.Problem{
		Name: "multitask", Space: b.space, Maximum: 1, Initial: paperInitial, Floor: &floor, Range: 1,
		Model: loop.Model{Kernel: "se"}, Options: []string{"sigma=predictive"},
		Value: func(x space.Point) float64 {
			t := b.tasks[b.nearest(x[actions:])]
			for k, c := range t.Configs {
				if slices.Equal(c, x[:actions]) {
					return t.Accuracy[k]
				}
			}
			return math.NaN()
		},
		BestIn: func(context space.Point) float64 { return b.best[b.nearest(context)] },
		ContextOf: func(_ uint64, round int) space.Point {
			return b.contexts[order[(round-1)/queriesPerTask%len(order)]]
		},
	}, nil
}

// nearest is the task whose context is nearest: the way through the unit cube may have changed the last digits.
func (b *taskList) nearest(context space.Point) int {
	best, least := 0, math.Inf(1)
	for t, z := range b.contexts {
		sum := 0.0
		for j, v := range z {
			sum += math.Abs(v - context[j])
		}
		if sum < least {
			best, least = t, sum
		}
	}
	return best
}
