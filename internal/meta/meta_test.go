package meta

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The prior worked by hand: a linear mean and two hyperbolic tangents as features.
var (
	handForm = Form{
		Mean:     network.Shape{Inputs: 2, Layers: []int{1}, Plain: true, Linear: true},
		Features: network.Shape{Inputs: 2, Layers: []int{2}, Plain: true},
	}
	handTheta = []float64{0.4, -0.6, 0.05, 0.8, -0.3, 0.2, 1.1, 0.1, -0.2, 0, 0, math.Log(0.05)}
	handTask  = Task{X: []space.Unit{{0.10, 0.20}, {0.40, 0.90}, {0.70, 0.30}, {0.95, 0.60}}, Y: []float64{0.5, -0.3, 1.2, 0.1}}
	otherTask = Task{X: []space.Unit{{0.15, 0.25}, {0.45, 0.95}, {0.75, 0.35}}, Y: []float64{0.2, -0.1, 0.4}}
	handHyper = &Hyper{Radius: 1, Outputscale: 1, Noise: 0.05}
)

func learner(t testing.TB, s Settings, tasks ...Task) *Learner {
	t.Helper()
	return must.Get(NewLearner(s, tasks, rng.New(1, rng.Test, 1)))(t)
}

func TestTheGradientOfATaskWorkedByHand(t *testing.T) {
	l := learner(t, Settings{Form: handForm, Fixed: handHyper}, handTask)
	grad := make([]float64, handForm.Len())
	must.Near(t, "nll", 4*l.Loss(handTheta, grad), 4.49037551808, 1e-11)
	want := []float64{ // of the mean, then of the features
		0.0048648697, 0.7702251034, -0.1702139829,
		-0.2334248828, -0.6183068387, 0.2400086175, -0.5118559090, -0.0704688654, 1.1133810968,
	}
	for i, w := range want {
		must.Near(t, "gradient", 4*grad[i], w, 2e-10)
	}
}

func TestTheLossOverTasksWorkedByHand(t *testing.T) {
	l := learner(t, Settings{Form: handForm, Fixed: handHyper}, handTask, otherTask)
	must.Near(t, "PACOH", l.Loss(handTheta, nil), 0.899543023946, 1e-11)
	for i, want := range []float64{1.1225938795, 0.6764921684} {
		must.Near(t, "task", l.tasks[i].loss(handForm, handTheta, 0, make([]float64, len(handTheta))), want, 1e-10)
	}
	gamma := Gamma([]Task{handTask, otherTask})
	must.Near(t, "gamma", gamma, 1.26315789474, 1e-11)
	harmonic := 1 / (1/gamma - 1./2)
	must.Near(t, "harmonic mean of four values and three", harmonic, 3.42857142857, 1e-10)
	must.Near(t, "gamma of the first PACOH", 1/(1./2+1/(2*harmonic)), 1.54838709677, 1e-10)
	source := handTask
	source.Source = true
	mixed := learner(t, Settings{Form: handForm, Fixed: handHyper, Alpha: 0.3}, source, otherTask)
	must.Near(t, "WFEM", mixed.Loss(handTheta, nil), 0.810322681716, 1e-11)
}

func TestTheGradientOfTheLossAgreesWithDifferences(t *testing.T) {
	form := NewForm(surrogate.Encoding{0, 3}, []int{4, 3}, []int{5, 2})
	a, b := handTask, otherTask
	b.Source = true
	l := learner(t, Settings{Form: form, Alpha: 0.4}, a, b)
	theta, grad := l.belief.draw(form, rng.New(1, rng.Test, 2)), make([]float64, form.Len())
	l.Loss(theta, grad)
	want := fd.Gradient(nil, func(v []float64) float64 { return l.Loss(v, nil) }, theta, &fd.Settings{Formula: fd.Central})
	for i := range want {
		must.Near(t, "gradient", grad[i], want[i], 1e-7)
	}
	belief := make([]float64, form.Len())
	l.belief.addLog(theta, belief)
	want = fd.Gradient(nil, func(v []float64) float64 { return l.belief.addLog(v, make([]float64, len(v))) }, theta, &fd.Settings{Formula: fd.Central})
	for i := range want {
		must.Near(t, "belief", belief[i], want[i], 1e-6)
	}
}

// The same for a task of labels, whose loss is that of the classifier which the prior makes.
func TestTheGradientOfTheLossOfLabelsAgreesWithDifferences(t *testing.T) {
	form := NewForm(surrogate.Encoding{0, 3}, []int{4, 3}, []int{5, 2})
	of := handTask
	of.Y, of.Labels = []float64{1, 0, 0, 1}, true
	l := learner(t, Settings{Form: form}, of)
	theta, grad := l.belief.draw(form, rng.New(1, rng.Test, 2)), make([]float64, form.Len())
	loss := l.Loss(theta, grad)
	want := fd.Gradient(nil, func(v []float64) float64 { return l.Loss(v, nil) }, theta, &fd.Settings{Formula: fd.Central})
	for i := range want {
		must.Near(t, "gradient", grad[i], want[i], 1e-6)
	}
	c, ok := NewClassifier(must.Get(form.Prior(theta))(t), of.X, of.Y)
	if !ok {
		t.Fatal("no classifier")
	}
	must.Near(t, "loss", loss, -c.laplace.LogEvidence()/4, 1e-9)
	if a, b := c.Probability(of.X[0]), c.Probability(of.X[1]); !(a > b && b > 0 && a < 1) {
		t.Errorf("probabilities %v and %v of labels 1 and 0", a, b)
	}
	of.Y = []float64{1, 2, 0, 1}
	if _, err := NewLearner(Settings{Form: form}, []Task{of}, rng.New(1, rng.Test, 1)); err == nil {
		t.Error("a label 2 was taken")
	}
}

// The loss is minus the evidence of the prior that Prior returns.
func TestThePriorIsTheOneWhoseLossItIs(t *testing.T) {
	form := NewForm(surrogate.Encoding{0, 3}, []int{4}, []int{5, 2})
	l := learner(t, Settings{Form: form}, handTask)
	theta := l.belief.draw(form, rng.New(1, rng.Test, 3))
	p := must.Get(form.Prior(theta))(t)
	post := must.Get(p.Condition(handTask.X, handTask.Y, nil))(t)
	must.Near(t, "loss", l.Loss(theta, nil), -post.LogEvidence()/4, 1e-10)
}

// slope is a task of a family: a line whose slope and height vary little, in units that vary more.
func family(task uint64, n int, units bool) Task {
	stream := rng.New(2, rng.Test, task)
	a, b := 2+0.1*stream.NormFloat64(), 0.3*stream.NormFloat64()
	shift, scale := 0., 1.
	if units {
		shift, scale = 5+3*stream.NormFloat64(), math.Exp(0.7*stream.NormFloat64())
	}
	var t Task
	for range n {
		x := stream.Float64()
		t.X = append(t.X, space.Unit{x})
		t.Y = append(t.Y, shift+scale*(math.Sin(6*x)*a+b*x+0.05*stream.NormFloat64()))
	}
	return t
}

func rmse(t *testing.T, p surrogate.Prior, of Task, seen int) float64 {
	t.Helper()
	post := must.Get(p.Condition(of.X[:seen], of.Y[:seen], nil))(t)
	var square float64
	for i := seen; i < len(of.X); i++ {
		d := post.Mean(of.X[i]) - of.Y[i]
		square += d * d / float64(len(of.X)-seen)
	}
	return math.Sqrt(square)
}

func TestALearnedPriorPredictsATaskItHasNotSeen(t *testing.T) {
	form := NewForm(surrogate.Encoding{0}, []int{16, 16}, []int{16, 4})
	for _, particles := range []int{1, 4} {
		var tasks []Task
		for i := range uint64(12) {
			tasks = append(tasks, family(i, 8, false))
		}
		l := learner(t, Settings{Form: form, Particles: particles, Steps: 600}, tasks...)
		for range 600 {
			l.Step()
		}
		all, _ := l.Result()
		if len(all) != particles || l.Failures() != 0 {
			t.Fatalf("%d particles, %d failures", len(all), l.Failures())
		}
		var learned, plain float64
		for i := range uint64(10) {
			of := family(100+i, 30, false)
			learned += rmse(t, must.Get(form.Prior(all[0]))(t), of, 2) / 10
			plain += rmse(t, surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3}, Outputscale: 2}, Noise: 0.01}, of, 2) / 10
		}
		if !(learned < 0.25*plain) {
			t.Errorf("%d particles: error %v after two values, a prior that knows nothing %v", particles, learned, plain)
		}
	}
}

// Tasks in units of their own: the law of the units is learned with the prior, and two values of another task tell its own.
func TestUnitsOfTasksAreLearned(t *testing.T) {
	form := NewForm(surrogate.Encoding{0}, []int{16, 16}, []int{16, 4})
	var tasks []Task
	for i := range uint64(20) {
		tasks = append(tasks, family(i, 12, true))
	}
	l := learner(t, Settings{Form: form, Steps: 600, Units: true}, tasks...)
	for range 600 {
		l.Step()
	}
	all, law := l.Result()
	p := must.Get(form.Prior(all[0]))(t)
	var share float64
	for i := range uint64(10) {
		of := family(100+i, 30, true)
		shift, scale, _, err := p.Units(law, of.X[:4], of.Y[:4])
		if err != nil {
			t.Fatal(err)
		}
		u := Task{X: of.X, Y: slices.Clone(of.Y)}
		for k := range u.Y {
			u.Y[k] = (u.Y[k] - shift) / scale
		}
		share += rmse(t, p, u, 4) * scale / stat.PopStdDev(of.Y, nil) / 10
	}
	if !(share < 0.3) {
		t.Errorf("error %v of a standard deviation after four values, law %+v", share, law)
	}
}

func TestALearnerDependsOnTheStreamAlone(t *testing.T) {
	run := func() []float64 {
		l := learner(t, Settings{Form: handForm, Particles: 3, Units: true}, handTask, otherTask, family(1, 5, true).wide())
		for range 150 {
			l.Step()
		}
		all, _ := l.Result()
		return slices.Concat(all...)
	}
	if !slices.Equal(run(), run()) {
		t.Error("equal streams, different priors")
	}
}

// wide has a second coordinate.
func (t Task) wide() Task {
	for i, x := range t.X {
		t.X[i] = space.Unit{x[0], 0.5}
	}
	return t
}

func TestBadTasksAndSettingsAreRefused(t *testing.T) {
	good := Settings{Form: handForm}
	bad := map[string]func() (*Learner, error){
		"no task":  func() (*Learner, error) { return NewLearner(good, nil, rng.New(1, rng.Test, 1)) },
		"no value": func() (*Learner, error) { return NewLearner(good, []Task{{}}, rng.New(1, rng.Test, 1)) },
		"not finite": func() (*Learner, error) {
			return NewLearner(good, []Task{{X: handTask.X[:1], Y: []float64{math.NaN()}}}, rng.New(1, rng.Test, 1))
		},
		"lengths": func() (*Learner, error) {
			return NewLearner(good, []Task{{X: handTask.X, Y: []float64{1}}}, rng.New(1, rng.Test, 1))
		},
		"no form": func() (*Learner, error) { return NewLearner(Settings{}, []Task{handTask}, rng.New(1, rng.Test, 1)) },
		"alpha": func() (*Learner, error) {
			return NewLearner(Settings{Form: handForm, Alpha: 2}, []Task{handTask}, rng.New(1, rng.Test, 1))
		},
		"hyper": func() (*Learner, error) {
			return NewLearner(Settings{Form: handForm, Fixed: &Hyper{}}, []Task{handTask}, rng.New(1, rng.Test, 1))
		},
		"many points": func() (*Learner, error) {
			return NewLearner(Settings{Form: handForm, Particles: 1000}, []Task{handTask}, rng.New(1, rng.Test, 1))
		},
	}
	for name, f := range bad {
		if _, err := f(); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if _, err := handForm.Prior([]float64{1}); err == nil {
		t.Error("a short θ was taken")
	}
	nan := slices.Clone(handTheta)
	nan[0] = math.NaN()
	if _, err := handForm.Prior(nan); err == nil {
		t.Error("a θ that is no number was taken")
	}
}
