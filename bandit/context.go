package bandit

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/network"
)

// Contexts are what is known beforehand of tasks, as vectors of features, with a kernel between two of them.
type Contexts struct {
	Features [][]float64                  // by task
	Kernel   func(a, b []float64) float64 // nil: Cosine
	Rank     int                          // of the mapping; 0: 14
}

const defaultRank = 14

// ByContext is what tasks taught as a function of what is known of a task beforehand.
type ByContext struct {
	tasks    Tasks
	shape    network.Shape
	contexts Contexts
	mapping  Mapping
}

// LearnByContext is Learn where something is known of each task beforehand: parameters are a mapping of low rank of the kernel between the
// context of a task and those of the earlier ones (Zhang 2024, sec. 4.4). Here the mapping is added to what all tasks have learned
// together, in as many steps again. Cost of such a step: about 1 ms for each task of a batch. The error names what is wrong.
func LearnByContext(t Tasks, c Contexts, s Settings, stream *rand.Rand) (ByContext, error) {
	shape, err := t.prepare(&s)
	if err != nil {
		return ByContext{}, err
	}
	if c, err = c.WithDefaults(len(t.Values)); err != nil {
		return ByContext{}, err
	}
	out := ByContext{t, shape, c, NewMapping(t.climb(shape, s, stream), len(t.Values), c.Rank, stream)}
	out.climb(s, stream)
	return out, nil
}

// Kappa returns the kernel between a context and those of the tasks, over their number: so a step of the optimizer is the same however many
// there are.
func (c Contexts) Kappa(features []float64) []float64 {
	out := make([]float64, len(c.Features))
	for i, f := range c.Features {
		out[i] = c.Kernel(features, f) / float64(len(out))
	}
	return out
}

// WithDefaults returns the contexts with the rank and the kernel that are usual, and an error where there are not as many as tasks.
func (c Contexts) WithDefaults(tasks int) (Contexts, error) {
	if c.Rank == 0 {
		c.Rank = defaultRank
	}
	if c.Kernel == nil {
		c.Kernel = Cosine
	}
	if len(c.Features) != tasks || c.Rank < 1 {
		return c, fmt.Errorf("%d contexts, rank %d, want %d, at least 1", len(c.Features), c.Rank, tasks)
	}
	return c, nil
}

// At returns what is learned for a task whose context has these features.
func (b ByContext) At(features []float64) Knowledge {
	theta := make([]float64, len(b.mapping.V1))
	b.mapping.At(theta, b.contexts.Kappa(features))
	return learned(b.tasks, b.shape, theta)
}

// climb learns the mapping.
func (b *ByContext) climb(s Settings, stream *rand.Rand) {
	m, rank := &b.mapping, b.contexts.Rank
	flat := slices.Concat(slices.Concat(m.V1...), slices.Concat(m.V2...))
	grad := make([]float64, len(flat))
	m.V1, m.V2 = rowsOf(flat, len(m.V1), rank), rowsOf(flat[len(m.V1)*rank:], len(m.V2), rank)
	dV1, dV2 := rowsOf(grad, len(m.V1), rank), rowsOf(grad[len(m.V1)*rank:], len(m.V2), rank)
	theta, slopes := make([]float64, len(m.V1)), make([]float64, len(m.V1))
	e, climb := newEpisode(newArms(b.shape, b.tasks.Arms), s.Plays), newAdam(len(flat), s.Rate)
	for range s.Steps {
		clear(grad)
		for range s.Batch {
			task := stream.IntN(len(b.tasks.Values))
			kappa := b.contexts.Kappa(b.contexts.Features[task])
			m.At(theta, kappa)
			p := decoded(theta, len(b.tasks.Arms))
			e.arms.load(p.weights, p.scale)
			clear(slopes)
			e.play(p, b.tasks.Values[task], s.Noise, stream)
			e.learn(p, theta, b.tasks.Values[task], 1/float64(s.Batch), slopes)
			e.finish(slopes)
			m.AddSlopes(dV1, dV2, slopes, kappa)
		}
		climb.step(flat, grad)
	}
}

// rowsOf are the rows of a matrix that share the memory of a vector.
func rowsOf(v []float64, n, width int) [][]float64 {
	out := make([][]float64, n)
	for i := range out {
		out[i] = v[i*width : (i+1)*width]
	}
	return out
}
