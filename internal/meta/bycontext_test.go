package meta

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// kinds are tasks of two kinds, which a context tells apart: sines, and the same with the other sign.
func kinds(count, values int) (tasks []Task, contexts [][]float64) {
	for k := range count {
		stream := rng.New(3, rng.Test, uint64(k))
		sign := float64(1 - 2*(k%2))
		var t Task
		for range values {
			x := stream.Float64()
			t.X, t.Y = append(t.X, space.Unit{x}), append(t.Y, sign*2*math.Sin(6*x)+0.05*stream.NormFloat64())
		}
		tasks, contexts = append(tasks, t), append(contexts, []float64{float64(k % 2), float64(1 - k%2)})
	}
	return tasks, contexts
}

func TestAPriorByContextTellsKindsOfTasksApart(t *testing.T) {
	form := NewForm(surrogate.Encoding{0}, []int{16, 16}, []int{16, 4})
	tasks, contexts := kinds(12, 8)
	l := learner(t, Settings{Form: form, Steps: 400}, tasks...)
	for range 400 {
		l.Step()
	}
	b := must.Get(l.ByContext(bandit.Contexts{Features: contexts}))(t)
	for range 400 {
		b.Step()
	}
	all, _ := l.Result()
	var known, unknown float64
	test, of := kinds(20, 30)
	for i, task := range test[12:] {
		known += rmse(t, must.Get(form.Prior(b.At(of[12+i])))(t), task, 0) / 8
		unknown += rmse(t, must.Get(form.Prior(all[0]))(t), task, 0) / 8
	}
	if !(known < 0.3*unknown) {
		t.Errorf("error %v by context before any value, %v without", known, unknown)
	}
	if _, err := l.ByContext(bandit.Contexts{Features: contexts[1:]}); err == nil {
		t.Error("too few contexts were taken")
	}
}

// The gradient is that of the log posterior of the tasks by the numbers of the mapping.
func TestTheGradientByTheMappingAgreesWithDifferences(t *testing.T) {
	form := NewForm(surrogate.Encoding{0}, []int{3}, []int{3, 2})
	tasks, contexts := kinds(2, 5)
	l := learner(t, Settings{Form: form, Batch: 2, Gamma: 0.01, Fixed: &Hyper{1, 1, 1}, Deviation: 0.5}, tasks...) // nothing is clipped
	b := must.Get(l.ByContext(bandit.Contexts{Features: contexts, Rank: 2}))(t)
	at := b.swarm.Particle(0)
	want := fd.Gradient(nil, func(v []float64) float64 {
		before := append([]float64(nil), at...)
		copy(at, v)
		defer copy(at, before)
		var sum float64
		for i := range tasks {
			theta := b.At(contexts[i])
			sum -= 0.01 * l.tasks[i].loss(form, theta, 0, make([]float64, len(theta))) / 2
			sum += l.belief.addLog(theta, make([]float64, len(theta))) / 2
		}
		return sum
	}, append([]float64(nil), at...), &fd.Settings{Formula: fd.Central})
	got := make([]float64, len(at))
	b.gradient(got)
	if d := floats.Distance(got, want, math.Inf(1)); d > 1e-6 {
		t.Errorf("gradient off by %v", d)
	}
}
