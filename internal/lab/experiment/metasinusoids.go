package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/meta"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func init() {
	add(Experiment{
		Name: "meta-sinusoids", Title: "A prior learned on sinusoids, some of them from elsewhere", Source: "Zhang 2024, ch. 3",
		About: "A line and a sinusoid are added, whose parameters differ little from task to task. Of thirty tasks five values each are known, and a prior is learned of them, by " +
			"which new tasks are predicted from five values. Some of the thirty come from an environment in which the phase is shifted, and count less (WFEM) or are left out (PACOH). " +
			"Varied are the shift, the number of tasks, the share of tasks from elsewhere and what they count for.",
		Rounds: 1000, Unit: "steps of the learning",
		Plan: planSinusoids,
	})
}

// The setting of the source.
const (
	sinusoidTasks  = 30
	sinusoidValues = 5
	sinusoidNoise  = 0.1
	sinusoidNew    = 20 // tasks that are predicted
	sinusoidHeld   = 50 // values of each of them
	sinusoidRMSE   = "rmse"
)

// sinusoidCase is what is varied.
type sinusoidCase struct {
	tasks       int
	shift       float64 // of the mean phase of the target environment
	alpha, beta float64 // what source tasks count for, and their share
}

// sinusoidFigure varies one of them.
type sinusoidFigure struct {
	group, label string
	places       []float64
	at           func(place float64) sinusoidCase
	particles    []int
}

var sinusoidFigures = []sinusoidFigure{
	{"shift, half of the tasks from elsewhere", "shift of the phase", []float64{0, 0.375, 0.75, 1.125, 1.5}, func(v float64) sinusoidCase { return sinusoidCase{sinusoidTasks, v, 0.5, 0.5} }, []int{1, 10}},
	{"number of tasks, a fifth from elsewhere, shift 0.5", "tasks", []float64{10, 20, 30, 40}, func(v float64) sinusoidCase { return sinusoidCase{int(v), 0.5, 0.2, 0.2} }, []int{1}},
	{"share from elsewhere, shift 0.75", "share of tasks, and their weight", []float64{0.1, 0.3, 0.5, 0.7, 0.9}, func(v float64) sinusoidCase { return sinusoidCase{sinusoidTasks, 0.75, v, v} }, []int{1}},
	{"weight of those from elsewhere, share 0.4, shift 0.75", "weight α", []float64{0.05, 0.1, 0.2, 0.4, 0.6, 0.8}, func(v float64) sinusoidCase { return sinusoidCase{sinusoidTasks, 0.75, v, 0.4} }, []int{1}},
}

// sinusoidMethods choose of what is learned: all tasks of the target environment, (1-β)N of them, or these with βN of the source.
var sinusoidMethods = []struct {
	name  string
	tasks func(c sinusoidCase, target, source []meta.Task) []meta.Task
}{
	{"WFEM", func(c sinusoidCase, target, source []meta.Task) []meta.Task {
		n := int(math.Round(c.beta * float64(c.tasks)))
		return append(append([]meta.Task(nil), target[:c.tasks-n]...), source[:n]...)
	}},
	{"PACOH, (1-β)N tasks", func(c sinusoidCase, target, _ []meta.Task) []meta.Task {
		return target[:c.tasks-int(math.Round(c.beta*float64(c.tasks)))]
	}},
	{"PACOH, N tasks", func(c sinusoidCase, target, _ []meta.Task) []meta.Task { return target[:c.tasks] }},
}

// sinusoid is a function of a task.
type sinusoid struct{ a, b, c, d float64 }

func drawSinusoid(phase float64, stream *rand.Rand) sinusoid {
	return sinusoid{0.5 + 0.2*stream.NormFloat64(), 0.7 + 0.6*stream.Float64(), phase + 0.1*stream.NormFloat64(), 5 + 0.1*stream.NormFloat64()}
}

func (s sinusoid) at(x float64) float64 { return s.a*x + s.b*math.Sin(1.5*(x-s.c)) + s.d }

// Points are x/5, in [-1, 1], and targets (y - 5)/2.
const sinusoidHalf, sinusoidCenter, sinusoidScale = 5.0, 5.0, 2.0

func (s sinusoid) task(values int, noise float64, stream *rand.Rand) (t meta.Task) {
	for range values {
		u := 2*stream.Float64() - 1
		t.X = append(t.X, space.Unit{u})
		t.Y = append(t.Y, (s.at(sinusoidHalf*u)+noise*stream.NormFloat64()-sinusoidCenter)/sinusoidScale)
	}
	return t
}

func sinusoidWorld(phase float64, count int, stream *rand.Rand) []meta.Task {
	var all []meta.Task
	for range count {
		all = append(all, drawSinusoid(phase, stream).task(sinusoidValues, sinusoidNoise, stream))
	}
	return all
}

// sinusoidForm is mean and kernel: four layers of 32 hyperbolic tangents each.
func sinusoidForm() meta.Form {
	deep := []int{32, 32, 32, 32}
	f := meta.NewForm(surrogate.Encoding{0}, deep, deep)
	f.Features = network.Shape{Inputs: 1, Layers: deep}
	return f
}

func (c sinusoidCase) rmse(seed uint64, method, particles, steps int) (float64, error) {
	const most = 40
	target := sinusoidWorld(c.shift, most, rng.New(seed, rng.Task, 1))
	source := sinusoidWorld(0, most, rng.New(seed, rng.Task, 2))
	for i := range source {
		source[i].Source = true
	}
	form := sinusoidForm()
	learner, err := meta.NewLearner(meta.Settings{
		Form: form, Particles: particles, Steps: steps, Alpha: c.alpha,
		Fixed: &meta.Hyper{Radius: 1, Outputscale: 0.5, Noise: sinusoidNoise * sinusoidNoise / sinusoidScale / sinusoidScale},
	}, sinusoidMethods[method].tasks(c, target, source), rng.New(seed, rng.Meta, 0))
	if err != nil {
		return 0, err
	}
	for range steps {
		learner.Step()
	}
	theta, _ := learner.Result()
	return sinusoidError(form, theta, c.shift, rng.New(seed, rng.Task, 3))
}

// sinusoidError is the error of the mean of the particles' predictions at new tasks.
func sinusoidError(form meta.Form, theta [][]float64, phase float64, stream *rand.Rand) (float64, error) {
	var priors []surrogate.Prior
	for _, numbers := range theta {
		p, err := form.Prior(numbers)
		if err != nil {
			return 0, err
		}
		priors = append(priors, p)
	}
	var square float64
	for range sinusoidNew {
		f := drawSinusoid(phase, stream)
		seen, others := f.task(sinusoidValues, sinusoidNoise, stream), f.task(sinusoidHeld, 0, stream)
		sums := make([]float64, len(others.X))
		for _, p := range priors {
			post, err := p.Condition(seen.X, seen.Y, nil)
			if err != nil {
				return 0, err
			}
			for i, x := range others.X {
				sums[i] += post.Mean(x) / float64(len(priors))
			}
		}
		for i, sum := range sums {
			miss := sinusoidScale * (sum - others.Y[i])
			square += miss * miss / sinusoidNew / sinusoidHeld
		}
	}
	return math.Sqrt(square), nil
}

func planSinusoids(in Input) (Plan, error) {
	var arms []Arm
	for _, f := range sinusoidFigures {
		for _, particles := range f.particles {
			for m := range sinusoidMethods {
				arms = append(arms, f.arm(m, particles, in.Rounds))
			}
		}
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"functions", "a x + b sin(1.5 (x - c)) + d on [-5, 5]; a ~ N(0.5, 0.2²), b ~ U(0.7, 1.3), c ~ N(shift, 0.1²), d ~ N(5, 0.1²), and c ~ N(0, 0.1²) elsewhere; noise 0.1"},
		{"error", fmt.Sprintf("root of the mean square at %d values without noise of each of %d new tasks, from %d values of it", sinusoidHeld, sinusoidNew, sinusoidValues)},
		{"prior", "networks of four layers of 32 hyperbolic tangents for mean and features, k = 0.5 exp(-|ψ - ψ'|²), the noise known; weights N(0, 3²) before any task, which count as much as " +
			"the sum of all values does; MAP by Adam, or ten particles by SVGD whose predictions are averaged"},
	}, Show: showSinusoids}, nil
}

// sinusoidName is a method as MAP, or of some particles.
func sinusoidName(method, particles int) string {
	name := sinusoidMethods[method].name
	if particles > 1 {
		name += fmt.Sprintf(", %d particles", particles)
	}
	return name
}

func (f sinusoidFigure) arm(method, particles, steps int) Arm {
	return Arm{
		Group: f.group, Name: sinusoidName(method, particles), Steps: len(f.places),
		Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
			var curve []float64
			for _, place := range f.places {
				v, err := f.at(place).rmse(seed, method, particles, steps)
				if err != nil {
					return nil, err
				}
				curve = append(curve, v)
				step()
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
			return Record{sinusoidRMSE: curve}, nil
		},
	}
}
