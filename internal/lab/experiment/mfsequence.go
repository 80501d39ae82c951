package experiment

import (
	"context"
	"fmt"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// Sequences of tasks: each is a study of its own, which begins with what those before have learned.

// sequenceMeasure is the curve that is recorded: what is recommended at the end of each task.
const sequenceMeasure = "by task"

// sequence is a family whose tasks come one after another.
type sequence struct {
	family
	tasks int
	arms  []levelledArm
}

// sequenceArms are the methods of the source, with what beta weighs and how many particles there are, and what they are measured against.
func sequenceArms(beta float64, particles int) []levelledArm {
	few := ""
	if particles != 10 {
		few = fmt.Sprintf(":particles=%d", particles)
	}
	with := fmt.Sprintf("%s:beta=%v", few, beta)
	return []levelledArm{{"mf-mes", "mf-mes"}, {"continual-mf-mes", "continual-mf-mes" + few}, {"mft-mes", "mft-mes" + with}}
}

func (s sequence) arm(a levelledArm) Arm {
	return Arm{Group: s.name(), Name: a.name, Policy: a.policy, Steps: s.tasks, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		return s.run(ctx, a, seed, step)
	}}
}

func (s sequence) name() string {
	return fmt.Sprintf("a sequence of %d tasks, one query at a time", s.tasks)
}

// run performs the studies, one after another.
func (s sequence) run(ctx context.Context, arm levelledArm, seed uint64, step func()) (Record, error) {
	policy, err := policies.Parse(arm.policy)
	if err != nil {
		return nil, err
	}
	curve := make([]float64, s.tasks)
	var learned *loop.Learned
	for task := range curve {
		problem, err := s.draw(seed, task)
		if err != nil {
			return nil, err
		}
		a := assignment{problem, seed, task, learned}
		last, err := s.study(ctx, a, levelledPaces[0], arm.policy)
		if err != nil {
			return nil, err
		}
		curve[task] = s.jury(a).of(last)
		step()
		if policy.Traits().Particles == 0 || task == len(curve)-1 {
			continue
		}
		next, err := last.Result().Lesson.Learn(fmt.Sprint("task ", task+1))
		if err != nil {
			return nil, err
		}
		learned = &next
	}
	return Record{sequenceMeasure: curve}, nil
}

// show is what is recommended at the end of each task.
func (s sequence) show(r Results) Section {
	m := s.shown
	m.curve, m.steps = sequenceMeasure, false
	drawing := r.chart([]string{s.name()}, "One task after another", m)
	for i := range drawing.Panels {
		drawing.Panels[i].X = "task"
	}
	columns := []column{{"task 1", m, 1}, {"task 2", m, 2}, {fmt.Sprint("task ", s.tasks/2), m, s.tasks / 2}, {fmt.Sprint("task ", s.tasks), m, Last}}
	return Section{
		Title:   "One task after another",
		Figures: []Figure{{Name: "mf-tasks", Caption: "What is recommended at the end of each task, by the number of the task.", Drawing: drawing}},
		Tables:  []Table{r.table(s.name(), s.name()+": "+m.label, columns)},
	}
}
