package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "transfer-svm", Title: "A study that knows 49 others", Source: "data of Wistuba et al. 2015; Feurer et al. 2018",
		About: "Fifty classification tasks. A query is one of 288 configurations of a support vector machine, its value the accuracy that was measured for it. Each task is " +
			"tuned in turn, one a seed, by a study that knows the other 49, one of them, or 49 whose values were shuffled, so that they mislead, and by studies that know nothing.",
		Rounds: 40,
		Data:   "the folder tst-svm of the tasks, or the one that holds it (needed)",
		Plan:   planTransfer,
	})
}

// Settings of the transfer experiment.
const (
	transferAlone   = "answers at once"
	transferDelayed = "8 workers, answers after Poisson(8) rounds"
	transferPart    = 50 // values of an earlier study of which only a part is known
)

// transferArms are the methods: their policy, and what the study knows.
var transferArms = []struct {
	name, policy string
	knows        func(t *tasks, task int, stream *rand.Rand) []loop.EarlierStudy
	shuffled     bool // whether the prior is learned of values in another order; it is looked at where the name is one of a prior
}{
	{"auto, 49 studies", policies.EarlierDefault, (*tasks).others, false},
	{"auto, one of them", policies.EarlierDefault, (*tasks).one, false},
	{"auto, 49 shuffled", policies.EarlierDefault, (*tasks).shuffled, false},
	{"rgpe, 49 studies", "rgpe", (*tasks).others, false},
	{"rgpe, 49 studies of 50 values", "rgpe", (*tasks).parts, false},
	{"rgpe, one of them", "rgpe", (*tasks).one, false},
	{"rgpe, 49 shuffled", "rgpe", (*tasks).shuffled, false},
	{"auto, prior of 49 studies", "auto", nil, false},
	{"auto, prior of 49 shuffled", "auto", nil, true},
	{"auto", "auto", nil, false},
	{"gp-bucb", "gp-bucb", nil, false},
	{"random", "random", nil, false},
}

// tasks are those of a folder over one list of configurations, with what was learned of each.
type tasks struct {
	all   []data.Task
	space space.Space
	whole []loop.EarlierStudy

	steps  int         // of learning a prior
	priors [2]sync.Map // by task: what the others teach, and what they teach where their values are shuffled
}

func planTransfer(in Input) (Plan, error) {
	if in.Data == "" {
		return Plan{}, &check.FieldError{Field: "-data", Value: `""`, Want: "the folder " + tasksFolder + " with one file for each task, or the folder that holds it"}
	}
	folder := existing(inFolder(in.Data, tasksFolder), in.Data)
	all, err := data.ReadTasks(folder)
	if err != nil {
		return Plan{}, err
	}
	if len(all) < 2 {
		return Plan{}, fmt.Errorf("%s: %d task, want at least 2", folder, len(all))
	}
	fingerprint, err := data.Fingerprint(folder)
	if err != nil {
		return Plan{}, err
	}
	t, err := newTasks(all)
	if err != nil {
		return Plan{}, err
	}
	t.steps = min(defaultPriorSteps, 25*in.Rounds)
	var arms []Arm
	for _, group := range []string{transferAlone, transferDelayed} {
		for _, a := range transferArms {
			if strings.Contains(a.name, "prior") {
				arms = append(arms, t.taught(group, a.name, a.policy, a.shuffled, in.Rounds))
				continue
			}
			arms = append(arms, t.arm(group, a.name, a.policy, a.knows, in.Rounds))
		}
	}
	facts := []Fact{
		{"data", fmt.Sprintf("%d tasks, %d configurations; the seed says which of them is tuned", len(all), len(all[0].Configs))},
		{"regret", "the best accuracy of the task minus that of the best query whose answer is known, in percent points"},
	}
	return Plan{Arms: arms, Facts: facts, Fingerprint: fingerprint, Show: func(r Results) []Section { return showTransfer(r, in.Rounds) }}, nil
}

func newTasks(all []data.Task) (*tasks, error) {
	t := &tasks{all: all}
	var parameters []space.Parameter
	for j := range all[0].Configs[0] {
		low, high := extent(all[0].Configs, j)
		parameters = append(parameters, space.Float(fmt.Sprintf("config%d", j+1), low, high))
	}
	var err error
	if t.space, err = space.List(space.PointsOf(all[0].Configs), parameters...); err != nil {
		return nil, err
	}
	for k := range all {
		study, err := t.study(k, t.space.UnitPoints(), all[k].Accuracy)
		if err != nil {
			return nil, err
		}
		t.whole = append(t.whole, study)
	}
	return t, nil
}

// study is what was learned of some values of a task.
func (t *tasks) study(task int, points []space.Unit, values []float64) (loop.EarlierStudy, error) {
	return loop.EarlierStudy{Name: t.all[task].Name, Points: points, Values: values}.Learn(t.space, false)
}

// others are all studies but that of the task.
func (t *tasks) others(task int, _ *rand.Rand) []loop.EarlierStudy {
	return slices.Concat(t.whole[:task], t.whole[task+1:])
}

// one is a study of them at random.
func (t *tasks) one(task int, stream *rand.Rand) []loop.EarlierStudy {
	all := t.others(task, stream)
	k := stream.IntN(len(all))
	return all[k : k+1]
}

// parts are the other studies, of each of which only some values at random are known.
func (t *tasks) parts(task int, stream *rand.Rand) (out []loop.EarlierStudy) {
	points := t.space.UnitPoints()
	for k := range t.all {
		if k == task {
			continue
		}
		var x []space.Unit
		var y []float64
		for _, i := range stream.Perm(len(points))[:min(transferPart, len(points))] {
			x, y = append(x, points[i]), append(y, t.all[k].Accuracy[i])
		}
		if s, err := t.study(k, x, y); err == nil { // all alike: nothing to learn
			out = append(out, s)
		}
	}
	return out
}

// shuffled are the other studies with their values in another order.
func (t *tasks) shuffled(task int, stream *rand.Rand) (out []loop.EarlierStudy) {
	for k := range t.all {
		if k == task {
			continue
		}
		y := slices.Clone(t.all[k].Accuracy)
		stream.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
		if s, err := t.study(k, t.space.UnitPoints(), y); err == nil {
			out = append(out, s)
		}
	}
	return out
}

// defaultPriorSteps are those of a prior, but for few rounds, as in tests.
const defaultPriorSteps = 1000

// prior is what all tasks but one teach, once for all runs.
func (t *tasks) prior(task int, shuffled bool) (*loop.Prior, error) {
	index := 0
	if shuffled {
		index = 1
	}
	learn, _ := t.priors[index].LoadOrStore(task, sync.OnceValues(func() (*loop.Prior, error) {
		stream := rng.New(uint64(task), rng.Meta, uint64(index))
		var past []loop.Past
		for k, other := range t.all {
			if k == task {
				continue
			}
			y := slices.Clone(other.Accuracy)
			if shuffled {
				stream.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
			}
			past = append(past, loop.Past{Name: other.Name, Space: t.space, Points: space.PointsOf(other.Configs), Values: percent(y)})
		}
		lesson, _, err := loop.NewPriorLesson(t.space, false, loop.PriorSettings{Steps: t.steps, Seed: uint64(task), Folds: -1}, past...)
		if err != nil {
			return nil, err
		}
		if err := lesson.Learn(0, func(int, float64) bool { return true }); err != nil {
			return nil, err
		}
		return lesson.Prior()
	}))
	return learn.(func() (*loop.Prior, error))()
}

// percent are values times 100.
func percent(y []float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = 100 * v
	}
	return out
}

// taught tunes the task of the seed by a policy, with what the others taught.
func (t *tasks) taught(group, name, policy string, shuffled bool, rounds int) Arm {
	a := t.tuned(group, name, policy, rounds, func(c *sim.Scenario) {
		c.Prior, _ = t.prior(t.of(c.Seed), shuffled) // Prepare has seen it
	})
	a.Prepare = func(seed uint64) error {
		_, err := t.prior(t.of(seed), shuffled)
		return err
	}
	return a
}

// of is the task of a seed.
func (t *tasks) of(seed uint64) int { return int((seed - 1) % uint64(len(t.all))) }

// arm tunes the task of the seed by a policy, with what it knows of others.
func (t *tasks) arm(group, name, policy string, knows func(*tasks, int, *rand.Rand) []loop.EarlierStudy, rounds int) Arm {
	return t.tuned(group, name, policy, rounds, func(c *sim.Scenario) {
		if knows != nil {
			c.Earlier = &loop.Earlier{Studies: knows(t, t.of(c.Seed), rng.New(c.Seed, rng.Earlier, 0))}
			return
		}
		if l, err := loop.New(loop.Config{Space: t.space, Traits: c.Policy.Traits(), Budget: rounds}); err == nil {
			c.Initial = l.Config().Initial // that of a study which says nothing of it
			c.Rounds = rounds - c.Initial
		}
	})
}

// tuned is a study of the task of the seed, which adjust tells what it knows.
func (t *tasks) tuned(group, name, policy string, rounds int, adjust func(*sim.Scenario)) Arm {
	problem := func(seed uint64) (sim.Problem, error) {
		task := t.all[t.of(seed)]
		points := t.space.UnitPoints()
		value := func(x space.Point) float64 {
			u, _ := t.space.Unit(x)
			return 100 * task.Accuracy[slices.IndexFunc(points, func(p space.Unit) bool { return slices.Equal(p, u) })]
		}
		return sim.Problem{Name: task.Name, Space: t.space, Value: value, Maximum: 100 * slices.Max(task.Accuracy)}, nil
	}
	law := "fixed:1"
	if group == transferDelayed {
		law = "poisson:8"
	}
	s := study{problem: problem, policy: policy, law: law, rounds: rounds, adjust: func(c *sim.Scenario) {
		if group == transferDelayed {
			c.Workers = 8
		}
		adjust(c)
	}}
	return s.arm(group, name, 0, func(c sim.Scenario, o sim.Performance) Record {
		return Record{SimpleRegret: fromTheFirst(c, o, rounds)}
	})
}

// fromTheFirst is the simple regret by all queries, initial ones included: that of the best whose answer is known when the next would be chosen;
// of nothing before the first answer it is that of the worst configuration.
func fromTheFirst(c sim.Scenario, o sim.Performance, rounds int) []float64 {
	worst := math.Inf(1)
	for _, x := range c.Problem.Space.UnitPoints() {
		worst = min(worst, c.Problem.Value(c.Problem.Space.Value(x)))
	}
	out := make([]float64, rounds)
	for k := range out {
		best := worst
		for _, e := range o.Result.Evaluations {
			if e.Counts() && e.Seen <= k+2 {
				best = max(best, e.Value)
			}
		}
		out[k] = c.Problem.Maximum - best
	}
	return out
}

// showTransfer shows the regrets, and what each method has more or less than the default that knows nothing.
func showTransfer(r Results, rounds int) []Section {
	drawing := r.chart(r.Groups(), "Regret of the best configuration known, percent points", simpleRegret)
	for i := range drawing.Panels {
		drawing.Panels[i].X = "queries, from the first"
	}
	s := Section{Title: "Regret by queries", Text: []string{
		"Queries are counted from the first. Before the first answer the worst configuration stands. Differences are to auto, task by task.",
	}, Figures: []Figure{{Name: "transfer-svm", Caption: drawing.Title + ".", Drawing: drawing}}}
	places := []int{5, 10, 20, rounds}
	for _, g := range r.Groups() {
		t := Table{Caption: g + ": regret, percent points", Head: []string{"method"}}
		for _, k := range places {
			t.Head = append(t.Head, "after "+whole(k))
		}
		for _, k := range places {
			t.Head = append(t.Head, "minus auto after "+whole(k))
		}
		for _, arm := range r.Arms(g) {
			row := []string{arm}
			for _, k := range places {
				row = append(row, r.At(g, arm, SimpleRegret, k).String())
			}
			for _, k := range places {
				if arm == "auto" {
					row = append(row, "")
				} else {
					row = append(row, r.Difference(g, arm, "auto", SimpleRegret, k).Signed())
				}
			}
			t.Rows = append(t.Rows, row)
		}
		s.Tables = append(s.Tables, t)
	}
	return []Section{s}
}
