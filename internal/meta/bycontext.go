package meta

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/particles"
)

// ByContext is θ as a function of what is known of a task beforehand: a mapping of low rank of the kernel between its context and those of the earlier tasks, added to the
// θ that all tasks have learned together (Zhang 2024, sec. 4.4). It begins where a Learner ended, and is for one goroutine.
type ByContext struct {
	of       *Learner
	contexts bandit.Contexts
	mapping  bandit.Mapping
	swarm    *particles.Swarm // of one particle: V1 by rows, then V2
	adam     *particles.Adam
	theta    []float64
	slopes   []float64
	steps    int
}

// ByContext returns the mapping before its first step, for as many contexts as tasks. An error says that there are others, or that the learner has several particles.
func (l *Learner) ByContext(c bandit.Contexts) (*ByContext, error) {
	c, err := c.WithDefaults(len(l.tasks))
	if err != nil {
		return nil, err
	}
	all, _ := l.Result()
	b := &ByContext{of: l, contexts: c, mapping: bandit.NewMapping(all[0], len(l.tasks), c.Rank, l.stream), theta: make([]float64, len(all[0])), slopes: make([]float64, len(all[0]))}
	b.swarm = particles.NewSwarm([][]float64{slices.Concat(slices.Concat(b.mapping.V1...), slices.Concat(b.mapping.V2...))})
	b.mapping.V1, b.mapping.V2 = b.rows(b.swarm.Particle(0))
	b.adam = particles.NewAdam(1, len(b.swarm.Particle(0)), particles.SecondMoment)
	return b, nil
}

// rows are V1 and V2, or their derivatives, in the memory of a vector.
func (b *ByContext) rows(of []float64) (first, second [][]float64) {
	rank := b.contexts.Rank
	all := slices.Collect(slices.Chunk(of, rank))
	return all[:len(b.theta)], all[len(b.theta):]
}

// Step moves the mapping once, by the gradient of some of the tasks, each under the θ of its context. Cost that of a step of the Learner, and O(rank) for each number of θ.
func (b *ByContext) Step() {
	b.gradient(b.swarm.Score(0))
	b.adam.Move(b.swarm, b.swarm.Direction(0), b.of.rate(b.steps))
	b.steps++
}

// gradient fills grad with the derivatives, by the numbers of the mapping, of the mean over some tasks of the log density of each and of its θ.
func (b *ByContext) gradient(grad []float64) {
	l := b.of
	clear(grad)
	dV1, dV2 := b.rows(grad)
	for kind, weight := range l.weights() {
		if weight == 0 {
			continue
		}
		batch := l.draw(kind)
		for _, i := range batch {
			kappa := b.contexts.Kappa(b.contexts.Features[i])
			b.at(b.theta, kappa)
			clear(b.slopes)
			l.tasks[i].loss(l.settings.Form, b.theta, 1, b.slopes)
			if size := floats.Norm(b.slopes, 2); size > clip {
				floats.Scale(clip/size, b.slopes)
			}
			floats.Scale(-l.settings.Gamma, b.slopes)
			l.belief.addLog(b.theta, b.slopes)
			floats.Scale(weight/float64(len(batch)), b.slopes)
			b.mapping.AddSlopes(dV1, dV2, b.slopes, kappa)
		}
	}
}

// At returns θ for a task whose context has these features.
func (b *ByContext) At(features []float64) []float64 {
	theta := make([]float64, len(b.theta))
	b.at(theta, b.contexts.Kappa(features))
	return theta
}

// at fills theta; hyperparameters that are not learned stay, and the others within their bounds.
func (b *ByContext) at(theta, kappa []float64) {
	b.mapping.At(theta, kappa)
	if b.of.belief.fixed != nil {
		copy(theta[len(theta)-hypers:], b.mapping.Base[len(theta)-hypers:])
	}
	b.of.belief.bound(theta)
}
