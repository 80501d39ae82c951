package sim

import (
	"fmt"
	"math"
	"sync"

	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// contextual is the problem with its first parameter set by the world.
func (p Problem) contextual() (Problem, error) {
	parameters := p.Space.Parameters()
	parameters[0] = parameters[0].AsContext()
	s, err := space.New(parameters...)
	p.Space = s
	return p, err
}

// bestAt is the greatest value that the policy could have got at x: the maximum, or with contexts the maximum over the
// actions at the context of x.
func (p Problem) bestAt(x space.Point) float64 {
	contexts := p.Space.Contexts()
	if len(contexts) == 0 {
		return p.Maximum
	}
	context := make(space.Point, len(contexts))
	for j, i := range contexts {
		context[j] = x[i]
	}
	switch {
	case p.BestIn != nil:
		return p.BestIn(context)
	case !p.Trains:
		return p.searchAt(x)
	}
	search := func() float64 { return p.searchAt(x) }
	found, _ := trainedBest.LoadOrStore(fmt.Sprint(p.Name, context), sync.OnceValue(search))
	return found.(func() float64)()
}

// trainedBest remembers the best values at the contexts of trained problems, by name and context. There are at most
// contextLevels of them for each problem.
var trainedBest sync.Map

// contextOf is the context of the round-th query, in user units.
func (p Problem) contextOf(seed uint64, round int) space.Point {
	if p.ContextOf != nil {
		return p.ContextOf(seed, round)
	}
	stream := rng.New(seed, rng.Context, uint64(round))
	context := make(space.Point, len(p.Space.Contexts()))
	for j, i := range p.Space.Contexts() {
		context[j] = p.drawContext(p.Space.Parameter(i), stream.Float64())
	}
	return context
}

// contextLevels is the number of different contexts of a trained problem, evenly spread: the best value at each is
// searched for by training, which takes seconds.
const contextLevels = 16

// drawContext returns the context coordinate at u in [0, 1] for a parameter, in user units.
func (p Problem) drawContext(parameter space.Parameter, u float64) float64 {
	if p.Trains {
		u = (math.Floor(u*contextLevels) + 0.5) / contextLevels
	}
	return parameter.Value(u)
}

const (
	contextCandidates     = 256  // first look at the actions of a context
	trainedCandidates     = 64   // the same where every value is trained
	constrainedCandidates = 4096 // the same where few actions may be feasible
	contextStarts         = 6    // local searches from the best of them

	walkSteps = 2000 // of one local search under constraints
	walkFirst = 0.1  // deviation of its first step, in units of the cube
	walkLast  = 1e-9 // steps that are shorter gain nothing
	// One step in five that gains keeps the length (the success rule of evolution strategies).
	walkLonger, walkShorter = 1.5, 0.9036
)

// searchAt looks for the greatest value over the feasible actions at the context of x: low-discrepancy points, the maximizers'
// own actions and x itself, the best of them improved unless every value is trained: with finite differences, or by steps
// where constraints bound the actions. It is a lower bound of the truth, and -Inf where no action is feasible.
func (p Problem) searchAt(x space.Point) float64 {
	u, err := p.Space.Unit(x)
	if err != nil {
		return p.Maximum
	}
	u = p.Space.AtTarget(u)
	candidates := contextCandidates
	switch {
	case p.Trains:
		candidates = trainedCandidates
	case p.Measure != nil:
		candidates = constrainedCandidates
	}
	points := p.Space.Sample(space.Halton, candidates, rng.New(0, rng.Problem, 1))
	for _, m := range p.Maximizers {
		if um, err := p.Space.Unit(m); err == nil {
			points = append(points, um)
		}
	}
	if !p.Trains { // what is remembered must not depend on who asked first
		points = append(points, u)
	}
	value := func(v space.Unit) float64 {
		x := p.Space.Value(v)
		if y := p.Value(x); !math.IsNaN(y) && p.feasible(x) {
			return y
		}
		return math.Inf(-1)
	}
	var tops [contextStarts]struct {
		x space.Unit
		y float64
	}
	for i := range tops {
		tops[i].y = math.Inf(-1)
	}
	for _, v := range points {
		for _, i := range p.Space.Held() {
			v[i] = u[i]
		}
		y := value(v)
		for i := range tops {
			if y > tops[i].y {
				copy(tops[i+1:], tops[i:])
				tops[i].x, tops[i].y = v, y
				break
			}
		}
	}
	best := tops[0].y
	for _, top := range tops {
		switch {
		case top.x == nil || p.Trains:
		case p.Measure != nil:
			best = max(best, p.walk(value, top.x, top.y))
		default:
			best = max(best, p.climb(value, top.x))
		}
	}
	return best
}

// walk improves v, whose value is y, over the actions: steps in random directions, longer after a gain and shorter after none, which
// follow the edge of what is feasible where slopes say nothing.
func (p Problem) walk(value func(space.Unit) float64, v space.Unit, y float64) float64 {
	stream := rng.New(0, rng.Problem, 2)
	next := make(space.Unit, len(v))
	for k, size := 0, walkFirst; k < walkSteps && size > walkLast; k++ {
		copy(next, v)
		for _, i := range p.Space.Actions() {
			next[i] = min(max(v[i]+size*stream.NormFloat64(), 0), 1)
		}
		if at := value(next); at > y {
			v, next, y = next, v, at
			size *= walkLonger
		} else {
			size *= walkShorter
		}
	}
	return y
}

// climb improves v over the actions.
func (p Problem) climb(value func(space.Unit) float64, v space.Unit) float64 {
	lower, upper := append([]float64(nil), v...), append([]float64(nil), v...)
	for _, i := range p.Space.Actions() {
		lower[i], upper[i] = 0, 1
	}
	f := func(at, grad []float64) float64 {
		const h = 1e-6
		for _, i := range p.Space.Held() {
			grad[i] = 0
		}
		for _, i := range p.Space.Actions() {
			keep := at[i]
			hi, lo := min(keep+h, 1), max(keep-h, 0)
			at[i] = hi
			up := value(at)
			at[i] = lo
			down := value(at)
			at[i] = keep
			grad[i] = (down - up) / (hi - lo)
		}
		return -value(at)
	}
	return -lbfgs.Minimize(f, v, lower, upper, lbfgs.Settings{MaxEvaluations: 60}).Value
}
