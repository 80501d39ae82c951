package tarry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// The most of what PriorOptions say.
const (
	MaxPriorParticles = loop.MaxPriorParticles // particles of a prior
	MaxPriorSteps     = loop.MaxPriorSteps     // steps of its learning
)

// PriorOptions say how LearnPrior learns. The zero value of each field means its default.
type PriorOptions struct {
	Particles int   // particles of the networks; 0 means 1, the likeliest. More are moved by Stein variational gradient descent; a study chooses among them
	Steps     int   // of the learning; 0 means 1000
	Mean      []int // widths of the hidden layers of the network that is the mean; nil means 32, 32
	Features  []int // widths of the layers of the network whose outputs the kernel compares; nil means 32, 32, 8
	Seed      uint64
	Alpha     float64 // what studies from elsewhere (Past.Source) count for together, from 0 to 1; 0 means 0.2 (WFEM, Zhang 2024, eq. 3.12)
	// Contexts are what is known of each study beforehand, as features, such as bandit.Degrees of a graph, and Next is that of the study to come: the prior is
	// then one for that context, in which studies count whose contexts are alike, by the cosine (Zhang 2024, sec. 4.4). It takes twice the steps. nil: nothing is known.
	Contexts [][]float64
	Next     []float64
	Folds    int // parts into which the studies are divided, each left out in turn to see how well the others predict it; 0 means 5, negative none
	Workers  int // parts that are learned at once; 0 means as many as there are processors
	// Progress is told how much of the work is done, in steps, and the loss of the prior itself: the mean negative log density of a value. It is called from
	// several goroutines, one at a time; nil: nobody asks.
	Progress func(done, of int, loss float64)
}

// validate reports every field out of range, for so many studies, each as an error that wraps ErrInvalidOption.
func (o PriorOptions) validate(studies int) error {
	var l check.List
	l.Between("PriorOptions.Particles", o.Particles, 0, MaxPriorParticles)
	l.Between("PriorOptions.Steps", o.Steps, 0, MaxPriorSteps)
	widths := func(field string, layers []int, least int) {
		wrong := slices.ContainsFunc(layers, func(n int) bool { return n < 1 || n > loop.MaxPriorWidth })
		l.Require(layers == nil || !wrong && len(layers) >= least && len(layers) <= loop.MaxPriorLayers, field, layers,
			fmt.Sprintf("widths of %d to %d layers, each from 1 to %d", least, loop.MaxPriorLayers, loop.MaxPriorWidth))
	}
	widths("PriorOptions.Mean", o.Mean, 0)
	widths("PriorOptions.Features", o.Features, 1)
	l.Within("PriorOptions.Alpha", o.Alpha, 0, 1)
	l.Between("PriorOptions.Workers", o.Workers, 0, math.MaxInt)
	if o.Contexts == nil {
		l.Require(o.Next == nil, "PriorOptions.Next", o.Next, "nil without Contexts")
		return l.Err()
	}
	l.Require(o.Particles <= 1, "PriorOptions.Particles", o.Particles, "at most 1 with Contexts")
	l.Require(len(o.Contexts) == studies, "PriorOptions.Contexts", fmt.Sprintf("%d contexts", len(o.Contexts)), fmt.Sprintf("one for each of %d studies", studies))
	want := 0
	if len(o.Contexts) > 0 {
		want = len(o.Contexts[0])
	}
	features := func(field string, context []float64) {
		l.Require(len(context) == want && outcome.Finite(context...), field, context, fmt.Sprintf("%d finite numbers, as the first context has", want))
	}
	for i, context := range o.Contexts {
		features(fmt.Sprintf("PriorOptions.Contexts[%d]", i), context)
	}
	features("PriorOptions.Next", o.Next)
	return l.Err()
}

// LearnPrior learns what studies of functions that are alike say of the next one over a space, for Options.Prior: a Gaussian process whose mean and kernel are
// networks, so that a study begins where functions of this kind are good. Points are matched by the names of the parameters, and the notes say, a line
// each, what does not match. For each study the prior tells how well it is predicted from few of its values by what the others taught (PriorTask.Left). An error
// names a study that has no parameter in common with the space, or fewer than two different values there (ErrNothingEarlier), or the values of another
// one, or fields out of range (ErrInvalidOption); it wraps the context's where that ended. Cost: 50 studies of 100 values in six dimensions take half a minute on two processors. Rothfuss et al. 2021; Zhang 2024, ch. 3.
func LearnPrior(ctx context.Context, s Space, minimize bool, o PriorOptions, past ...Past) (*Prior, []string, error) {
	if absent(ctx) {
		return nil, nil, fmt.Errorf("tarry: %w", &check.FieldError{Field: "ctx", Value: nil, Want: "a context"})
	}
	if err := o.validate(len(past)); err != nil {
		return nil, nil, fmt.Errorf("tarry: %w", err)
	}
	settings := loop.PriorSettings{Particles: o.Particles, Steps: o.Steps, Mean: o.Mean, Features: o.Features, Seed: o.Seed, Alpha: o.Alpha, Folds: o.Folds, Contexts: o.Contexts, Next: o.Next}
	if err := learnable(past); err != nil {
		return nil, nil, fmt.Errorf("tarry: %w", err)
	}
	lesson, notes, err := loop.NewPriorLesson(s, outcome.Sense(minimize), settings, pastOf(past)...)
	if err != nil {
		return nil, notes, fmt.Errorf("tarry: %w", err)
	}
	if err := learnParts(ctx, lesson, o); err != nil {
		return nil, notes, fmt.Errorf("tarry: %w", err)
	}
	p, err := lesson.Prior()
	if err != nil {
		return nil, notes, fmt.Errorf("tarry: %w", err)
	}
	return p, notes, nil
}

// What a prior learns of: the scale of greater values is none that a prior may have, nor that of values which differ by less.
const (
	maxPriorValue  = 1e125
	minPriorSpread = 1e-125
)

// learnable names the first value of each study that is too great to learn of, and studies whose values are next to the same.
func learnable(past []Past) error {
	var errs []error
	for _, p := range past {
		great := func(v float64) bool { return math.Abs(v) > maxPriorValue && !math.IsInf(v, 0) }
		if i := slices.IndexFunc(p.Values, great); i >= 0 {
			errs = append(errs, fmt.Errorf("%s: value %d is %g: want values from -%g to %[4]g, in another unit perhaps", p.Name, i+1, p.Values[i], maxPriorValue))
			continue
		}
		values := slices.DeleteFunc(slices.Clone(p.Values), func(v float64) bool { return !outcome.Finite(v) })
		if len(values) == 0 {
			continue
		}
		if spread := slices.Max(values) - slices.Min(values); spread > 0 && spread < minPriorSpread {
			errs = append(errs, fmt.Errorf("%s: the values differ by %.3g at most: want %g or more, in another unit perhaps", p.Name, spread, minPriorSpread))
		}
	}
	return errors.Join(errs...)
}

// learnParts does all parts of the work, some of them at once. A part that panics has failed.
func learnParts(ctx context.Context, lesson *loop.PriorLesson, o PriorOptions) error {
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var (
		group sync.WaitGroup
		mutex sync.Mutex
		done  = make([]int, lesson.Parts())
		loss  float64
		errs  = make([]error, lesson.Parts())
		slots = make(chan struct{}, workers)
	)
	tell := func(part, step int, now float64) {
		mutex.Lock()
		defer mutex.Unlock()
		if done[part] = step; part == 0 {
			loss = now
		}
		if o.Progress != nil {
			total := 0
			for _, n := range done {
				total += n
			}
			o.Progress(total, lesson.Steps()*lesson.Parts(), loss)
		}
	}
	for part := range lesson.Parts() {
		slots <- struct{}{} // in their order: the prior itself is the first
		group.Go(func() {
			defer func() { <-slots }()
			defer func() {
				if r := recover(); r != nil {
					errs[part] = fmt.Errorf("learning a prior panicked: %v", r)
				}
			}()
			now := 0.
			errs[part] = lesson.Learn(part, func(step int, loss float64) bool {
				now = loss
				tell(part, step, loss)
				return ctx.Err() == nil
			})
			if errs[part] == nil {
				tell(part, lesson.Steps(), now)
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	} else if err != nil {
		return err
	}
	return nil
}
