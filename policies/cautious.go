package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// The safe policies choose as SafeOpt does, package safety has the sets, and differ in how cautious they are. The candidates are all
// points of a list or of a space of few combinations. In any other space they are the seeds, points that fill the space, the same in
// every round, and points around the seeds and around those whose constraints held, at several distances, drawn anew for each query.
// A promise does not depend on which they are.
//
// What is safe is decided by the answers alone. Among what is safe the widest intervals are looked for where queries that pend count as
// answered at their means, so that two queries in a row are not the same.
const (
	filling   = 256 // candidates that fill a space,
	around    = 256 // and those around points that are known to be safe
	nearest   = 0.01
	farthest  = 0.3 // standard deviations of their distances in the unit cube, nearest to farthest
	distances = 6
)

// proposeSafely chooses count points, each with the caution of the view that has those before as pending.
func (v View) proposeSafely(count int, caution func(View) safety.Beta, objectiveBeta float64, stream *rand.Rand) ([]Proposal, error) {
	if err := v.wantsSafety(); err != nil {
		return nil, err
	}
	return Sequential(v, count, feedback.Ignore, func(v View, _ []space.Unit) space.Unit {
		r, points := v.region(caution(v), objectiveBeta, stream)
		i, _ := r.Next()
		return slices.Clone(points[i])
	}), nil
}

// wantsSafety returns why a view has nothing that a safe policy could go by.
func (v View) wantsSafety() error {
	if len(v.Caution.Seeds) == 0 || len(v.Constraints) == 0 {
		return fmt.Errorf("%w: a safe policy needs constraints with names and seeds, points that are known to be safe", ErrUnsupported)
	}
	return nil
}

// region is what SafeOpt chooses from, and its candidates. As long as no margin is known nothing but the seeds is safe. Cost
// O(n² N) for n answers and N candidates of a space without end, and O(n (n + N)) for each query that pends.
func (v View) region(beta safety.Beta, objectiveBeta float64, stream *rand.Rand) (safety.Region, []space.Unit) {
	if v.Constraints[0].Incumbent == nil {
		beta = safety.Beta{Infinite: true}
	}
	beliefs := []*surrogate.Posterior{v.Posterior}
	for _, c := range v.Constraints {
		beliefs = append(beliefs, c.Posterior)
	}
	points, seeds := v.safeCandidates(beta, stream)
	for i, p := range beliefs {
		beliefs[i] = p.WithPool(surrogate.NewPool(p.Prior().Kernel, points, false))
	}
	r := safety.Region{Objective: beliefs[0], Seeds: seeds, Beta: beta, ObjectiveBeta: objectiveBeta}
	for i, c := range v.Constraints {
		r.Constraints = append(r.Constraints, safety.Constraint{Belief: beliefs[i+1], Least: c.Units.To(0)})
	}
	for i, x := range points {
		if slices.ContainsFunc(v.Pending, func(number int) bool { return slices.Equal(v.Queries[number-1].X, x) }) {
			r.Pending = append(r.Pending, i)
		}
	}
	for _, p := range beliefs {
		for _, number := range v.Pending {
			x := v.Queries[number-1].X
			p = p.Append(x, p.Mean(x))
		}
		r.Awaited = append(r.Awaited, p)
	}
	return r, points
}

// safeCandidates returns the candidates, and which of them are the seeds.
func (v View) safeCandidates(beta safety.Beta, stream *rand.Rand) (points []space.Unit, seeds []int) {
	points = slices.Clone(v.Caution.Seeds)
	for i := range points {
		seeds = append(seeds, i)
	}
	switch {
	case beta.Infinite:
		return points, seeds
	case v.Space.Size() > 0:
		return append(points, v.Space.UnitPoints()...), seeds
	case v.Space.Combinations() > 0:
		return append(points, v.Space.Grid()...), seeds
	}
	points = append(points, v.Space.Sample(space.Halton, filling, rng.New(0, rng.Design, 0))...)
	known := slices.Clone(v.Caution.Seeds)
	for _, a := range v.History {
		if !a.Infeasible {
			known = append(known, a.Query.X)
		}
	}
	for k := range around {
		sd := nearest * math.Pow(farthest/nearest, float64(k%distances)/(distances-1))
		x := slices.Clone(known[stream.IntN(len(known))])
		for _, i := range v.Space.Actions() {
			x[i] = min(max(x[i]+sd*stream.NormFloat64(), 0), 1)
		}
		points = append(points, v.Space.Snap(x))
	}
	return points, seeds
}

// SafeAnswer returns the point of those that a safe policy takes for safe whose objective has the greatest lower bound, three
// standard deviations below the mean: what such a study has found. Without a promise the constraints are wanted as certain as the
// objective. It wants a view with a caution.
func (v View) SafeAnswer(stream *rand.Rand) space.Unit {
	beta, promised := v.Caution.Beta()
	if !promised {
		beta = safety.Beta{Value: defaultObjectiveBeta}
	}
	r, points := v.region(beta, defaultObjectiveBeta, stream)
	i, _ := r.Answer()
	return slices.Clone(points[i])
}

// explainSafely says how cautious a safe policy is, and why.
func (v View) explainSafely(beta safety.Beta, objectiveBeta float64, stream *rand.Rand) (Explanation, error) {
	if err := v.wantsSafety(); err != nil {
		return Explanation{}, err
	}
	r, points := v.region(beta, objectiveBeta, stream)
	sets := r.Sets()
	e := Explanation{Why: fmt.Sprintf("of %d candidates %d are safe, where each constraint holds even %s standard deviations below its mean, and the seeds; "+
		"of these %d may be the best and %d may show that more is safe; the least certain of them is chosen", len(points), len(sets.Safe), beta, len(sets.Maximizers), len(sets.Expanders))}
	if r.Beta.Infinite {
		e.Why = fmt.Sprintf("nothing but a seed may be queried: the least certain of %d is chosen", len(v.Caution.Seeds))
	}
	if p := v.Caution.Promise; p != nil {
		e.Why += "; " + p.Report(v.Caution.Account).String()
	}
	e.At = func(x space.Unit) (all []Figure) {
		for _, c := range v.Constraints {
			mean, variance := c.Posterior.Predict(x)
			all = append(all, Figure{c.Name + ", expected", Plain, c.Value(c.Units.From(mean))})
			if !beta.Infinite {
				lower := c.Units.From(mean - beta.Value*math.Sqrt(max(variance, 0)))
				all = append(all, Figure{c.Name + ", as bad as it is reckoned with", Plain, c.Value(lower)})
			}
		}
		return all
	}
	return e, nil
}

// promisedBeta is the caution of the promise of a view; without one nothing but the seeds is safe.
func promisedBeta(v View) safety.Beta {
	if beta, promised := v.Caution.Beta(); promised {
		return beta
	}
	return safety.Beta{Infinite: true}
}

// defaultObjectiveBeta is β_f, as in the experiments of Zhang 2024.
const defaultObjectiveBeta = 3

// objectiveSetting is the option of the safe policies for β_f.
func objectiveSetting(field *float64) Setting {
	return Number("beta-f", field, defaultObjectiveBeta, Range{High: 1e6, OpenLow: true}, "standard deviations to both sides of the objective's mean")
}
