package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/meta"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

func init() {
	add(Experiment{
		Name: "meta-classify", Title: "A classifier of few examples that learned on others", Source: "Zhang 2024, ch. 3; the images are ours",
		About: "A Gaussian process tells two handwritten digits apart by five examples of each. Its mean and kernel are learned on pairs of digits before, half of them from another " +
			"environment: upright digits from 0 to 4, where the pairs to come are of digits from 5 to 9 that lie on their side. Varied is the number of tasks.",
		Rounds: 500, Unit: "steps of the learning",
		Plan: planClassify,
	})
}

// The setting of the source, and what is ours: the images, and networks for 64 pixels.
const (
	classifyExamples = 5 // of each class
	classifyShare    = 0.5
	classifyNew      = 20 // tasks that are judged
	classifyHeld     = 20 // images of each class of them
	classifyAccuracy = "accuracy"
	classifyLog      = "log_probability"
	classifyGroup    = "pairs of digits"
	classifyOwn      = 5 // digits of an environment
)

var classifyTasks = []float64{4, 10, 20, 40}

// digits are images by label, as points of [0,1]^64.
type digits struct {
	upright, turned [10][]space.Unit
}

func newDigits() (*digits, error) {
	all, err := data.Digits()
	if err != nil {
		return nil, err
	}
	d := &digits{}
	side := all.Width
	for i, label := range all.Y {
		image := all.X[i]
		x, y := make(space.Unit, len(image)), make(space.Unit, len(image))
		for k, v := range image {
			row, column := k/side, k%side
			x[k], y[column*side+side-1-row] = v, v
		}
		d.upright[label], d.turned[label] = append(d.upright[label], x), append(d.turned[label], y)
	}
	return d, nil
}

// pair is a task of two digits of an environment, with images that follow in its order of each digit.
func (d *digits) pair(source bool, examples int, stream *rand.Rand) (seen, others meta.Task) {
	images, first := d.turned, classifyOwn
	if source {
		images, first = d.upright, 0
	}
	two := stream.Perm(classifyOwn)[:2]
	seen.Labels, seen.Source, others.Labels = true, source, true
	for label, digit := range two {
		of := images[first+digit]
		for k, i := range stream.Perm(len(of))[:classifyExamples+examples] {
			t := &seen
			if k >= classifyExamples {
				t = &others
			}
			t.X, t.Y = append(t.X, of[i]), append(t.Y, float64(label))
		}
	}
	return seen, others
}

// classifyMethods learn on the pairs of the environment, on as many as there are with those from elsewhere in place of half of them, or on all.
var classifyMethods = []struct {
	name string
	// of the tasks: how many of the environment, and how many from elsewhere
	count func(n int) (target, source int)
}{
	{"WFEM", func(n int) (int, int) { return n - n/2, n / 2 }},
	{"PACOH, half of the tasks", func(n int) (int, int) { return n - n/2, 0 }},
	{"PACOH, all tasks from here", func(n int) (int, int) { return n, 0 }},
}

func planClassify(in Input) (Plan, error) {
	d, err := newDigits()
	if err != nil {
		return Plan{}, err
	}
	var arms []Arm
	for _, particles := range []int{1, 10} {
		for m, method := range classifyMethods {
			name := method.name + ", MAP"
			if particles > 1 {
				name = method.name + ", SVGD"
			}
			arms = append(arms, classifyArm(name, func(n int, seed uint64) ([]surrogate.Prior, error) { return d.learn(m, n, particles, in.Rounds, seed) }, d))
		}
	}
	arms = append(arms, classifyArm(classifyPlain, func(int, uint64) ([]surrogate.Prior, error) { return plainClassifiers(), nil }, d))
	return Plan{Arms: arms, Facts: []Fact{
		{"images", "8 × 8 pixels of the embedded digits, a stand-in for photographs of the source; upright 0 to 4 elsewhere, 5 to 9 turned by a quarter here"},
		{"tasks", fmt.Sprintf("two digits at random, five images of each; judged are %d other tasks by %d images of each digit. With five digits the pairs of a task that is judged were met before, with other images", classifyNew, classifyHeld)},
		{"prior", "networks with two layers of 32 hyperbolic tangents for the mean, and the same with 8 outputs for the kernel; MAP by Adam, or ten particles by SVGD whose probabilities are averaged"},
		{classifyPlain, "no task before: mean zero, a squared-exponential kernel over the pixels, whose lengthscale of 1, 2, 4 or 8 and outputscale of 1, 4 or 16 have the greatest evidence"},
	}, Show: showClassify}, nil
}

const classifyPlain = "GP that learned nothing"

// plainClassifiers are those that a task chooses from which knows of no other one.
func plainClassifiers() (all []surrogate.Prior) {
	for _, length := range []float64{1, 2, 4, 8} {
		for _, scale := range []float64{1, 4, 16} {
			l := make([]float64, 64)
			for i := range l {
				l[i] = length
			}
			all = append(all, surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: l, Outputscale: scale}, Noise: 1e-4})
		}
	}
	return all
}

func (d *digits) learn(method, n, particles, steps int, seed uint64) ([]surrogate.Prior, error) {
	target, source := classifyMethods[method].count(n)
	here, elsewhere := rng.New(seed, rng.Task, 1), rng.New(seed, rng.Task, 2)
	var tasks []meta.Task
	for range target {
		t, _ := d.pair(false, 0, here)
		tasks = append(tasks, t)
	}
	for range source {
		t, _ := d.pair(true, 0, elsewhere)
		tasks = append(tasks, t)
	}
	form := meta.NewForm(make(surrogate.Encoding, 64), []int{32, 32}, []int{32, 32, 8})
	l, err := meta.NewLearner(meta.Settings{Form: form, Particles: particles, Steps: steps, Alpha: classifyShare}, tasks, rng.New(seed, rng.Meta, 0))
	if err != nil {
		return nil, err
	}
	for range steps {
		l.Step()
	}
	theta, _ := l.Result()
	var priors []surrogate.Prior
	for _, numbers := range theta {
		p, err := form.Prior(numbers)
		if err != nil {
			return nil, err
		}
		priors = append(priors, p)
	}
	return priors, nil
}

func classifyArm(name string, learn func(n int, seed uint64) ([]surrogate.Prior, error), d *digits) Arm {
	return Arm{
		Group: classifyGroup, Name: name, Steps: len(classifyTasks),
		Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
			out := Record{}
			for _, n := range classifyTasks {
				priors, err := learn(int(n), seed)
				if err != nil {
					return nil, err
				}
				accuracy, log := d.judge(priors, name == classifyPlain, rng.New(seed, rng.Task, 3))
				out[classifyAccuracy], out[classifyLog] = append(out[classifyAccuracy], 100*accuracy), append(out[classifyLog], log)
				step()
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
			}
			return out, nil
		},
	}
}

// judge returns the share of images that are told right, and the mean log probability of the right label. The probabilities of several priors are averaged, or that of the
// greatest evidence is taken.
func (d *digits) judge(priors []surrogate.Prior, choose bool, stream *rand.Rand) (accuracy, log float64) {
	const n = classifyNew * 2 * classifyHeld
	for range classifyNew {
		seen, others := d.pair(false, classifyHeld, stream)
		var all []*meta.Classifier
		for _, p := range priors {
			if c, ok := meta.NewClassifier(p, seen.X, seen.Y); ok {
				all = append(all, c)
			}
		}
		if choose {
			best := all[0]
			for _, c := range all {
				if c.LogEvidence() > best.LogEvidence() {
					best = c
				}
			}
			all = []*meta.Classifier{best}
		}
		for i, x := range others.X {
			var one float64
			for _, c := range all {
				one += c.Probability(x) / float64(len(all))
			}
			right := one
			if others.Y[i] == 0 {
				right = 1 - one
			}
			if right > 0.5 {
				accuracy += 1. / n
			}
			log += math.Log(math.Max(right, 1e-12)) / n
		}
	}
	return accuracy, log
}
