package safety

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// defaultObjectiveBeta is β_f where it is not given, as in the experiments of Zhang 2024.
const defaultObjectiveBeta = 3

// Belief is what is believed of one function at N candidates: *surrogate.Posterior with a pool of them.
type Belief interface {
	// PoolMean and PoolVariance return mean and variance of the function at the candidates (length N).
	PoolMean() []float64
	PoolVariance() []float64
	// PoolCovariance fills dst (length N) with the covariances between the function at candidate i and at all candidates.
	PoolCovariance(dst []float64, i int)
	// Noise returns the variance of the noise of an observation.
	Noise() float64
}

// Constraint wants a function to be at least Least, which is in the units of the belief.
type Constraint struct {
	Belief Belief
	Least  float64
}

// Region is what SafeOpt chooses from: candidates, what is believed of the objective (to be maximized) and of the constraints
// there, and how cautious to be. With several constraints a candidate is safe if all of them say so.
type Region struct {
	Objective     Belief
	Constraints   []Constraint
	Seeds         []int   // numbers of the candidates that are known to be safe, at least one
	Beta          Beta    // of the constraints, ≥ 0
	ObjectiveBeta float64 // of the objective, > 0; zero means 3. It is kept apart: at 0 and at infinity Beta would break Maximizers
	// Awaited are the beliefs by whose standard deviations Next chooses among the safe candidates, such as those that count queries
	// without an answer as measured where they are expected; nil: those above. What is safe they do not decide.
	Awaited []Belief
	Pending []int // candidates whose answers are awaited: Next chooses none of them while another one is safe
}

// Sets are numbers of candidates, ascending.
type Sets struct {
	Safe       []int // S: the seeds, and where every constraint is Beta standard deviations on the safe side
	Maximizers []int // M: those of S that may be the best of S
	Expanders  []int // G: those of S whose answer, were it as good as it may be, would make a candidate safe that is not
}

// Validate returns what is wrong with the fields, all at once, as errors that unwrap to check.ErrInvalidOption. Beliefs that
// differ in the number of candidates are bugs and panic elsewhere.
func (r Region) Validate() error {
	var l check.List
	l.Require(r.Objective != nil, "Region.Objective", r.Objective, "a belief")
	l.Require(len(r.Constraints) > 0, "Region.Constraints", len(r.Constraints), "at least one constraint")
	candidates := math.MaxInt
	if r.Objective != nil {
		candidates = len(r.Objective.PoolMean())
	}
	for i, c := range r.Constraints {
		field := fmt.Sprintf("Region.Constraints[%d]", i)
		l.Require(c.Belief != nil, field+".Belief", c.Belief, "a belief")
		l.Finite(field+".Least", c.Least)
	}
	l.Require(len(r.Seeds) > 0, "Region.Seeds", len(r.Seeds), "at least one candidate that is known to be safe")
	for i, s := range r.Seeds {
		l.Require(s >= 0 && s < candidates, fmt.Sprintf("Region.Seeds[%d]", i), s, fmt.Sprintf("0 ≤ seed < %d, the number of a candidate", candidates))
	}
	l.Require(r.Beta.Infinite || r.Beta.Value >= 0 && !math.IsInf(r.Beta.Value, 0), "Region.Beta", r.Beta.Value, "a finite number ≥ 0, or Infinite")
	l.NotNegative("Region.ObjectiveBeta", r.ObjectiveBeta)
	return l.Err()
}

// Sets returns the three sets of Sui et al. 2015. Where Beta is infinite S is the seeds exactly, and nothing can make it larger. A
// virtual answer is one to all constraints at once. Cost O(s(N + row)) for s safe candidates, where row is the cost
// of PoolCovariance; Next is cheaper.
func (r Region) Sets() Sets {
	v := r.look()
	sets := Sets{Safe: v.all}
	for _, i := range v.all {
		if v.mayBeBest(i) {
			sets.Maximizers = append(sets.Maximizers, i)
		}
		if v.expands(i) {
			sets.Expanders = append(sets.Expanders, i)
		}
	}
	return sets
}

// Next returns the candidate of M or G whose greatest standard deviation, of the objective and the constraints, is largest,
// and that deviation; the first of equal ones. Candidates are looked at in this order, so that only those are tested
// for G that are more uncertain than the most uncertain one of M. Where all of M and G are pending the most uncertain of S that is
// not comes next, and where all of S are any of M and G. Cost as Sets, mostly that of a few rows.
func (r Region) Next() (candidate int, width float64) {
	v := r.look()
	order := slices.Clone(v.all)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v.width(b), v.width(a)) })
	useful := func(i int) bool { return v.mayBeBest(i) || v.expands(i) }
	free := func(i int) bool { return !slices.Contains(r.Pending, i) }
	for _, good := range []func(int) bool{func(i int) bool { return free(i) && useful(i) }, free, useful} {
		if at := slices.IndexFunc(order, good); at >= 0 {
			return order[at], v.width(order[at])
		}
	}
	panic("safety: a region without seeds") // the safe candidate with the best lower bound may be the best
}

// Answer returns the safe candidate whose objective has the greatest lower bound, and that bound; the first of equal ones.
func (r Region) Answer() (candidate int, lower float64) {
	v := r.look()
	return v.best, v.lower(v.best)
}

// sight is a region with what is needed again and again.
type sight struct {
	Region
	of   moments   // of the objective
	on   []moments // of each constraint, with Least taken off the means
	wide []moments // by which Next chooses
	all  []int     // S
	safe []bool
	best int // the candidate of S with the greatest lower bound of the objective
	row  []float64
}

// moments are means and standard deviations at the candidates.
type moments struct{ mean, sd []float64 }

func momentsOf(b Belief, least float64) moments {
	m := moments{slices.Clone(b.PoolMean()), slices.Clone(b.PoolVariance())}
	for i := range m.mean {
		m.mean[i] -= least
		m.sd[i] = math.Sqrt(m.sd[i])
	}
	return m
}

func (r Region) look() *sight {
	if r.ObjectiveBeta == 0 {
		r.ObjectiveBeta = defaultObjectiveBeta
	}
	v := &sight{Region: r, of: momentsOf(r.Objective, 0), best: -1}
	n := len(v.of.mean)
	v.safe, v.row = make([]bool, n), make([]float64, n)
	for _, c := range r.Constraints {
		v.on = append(v.on, momentsOf(c.Belief, c.Least))
	}
	v.wide = append([]moments{v.of}, v.on...)
	if r.Awaited != nil {
		v.wide = nil
	}
	for _, b := range r.Awaited {
		v.wide = append(v.wide, momentsOf(b, 0))
	}
	for i := range v.safe {
		v.safe[i] = !r.Beta.Infinite && v.certain(i)
	}
	for _, s := range r.Seeds {
		v.safe[s] = true
	}
	for i, safe := range v.safe {
		if !safe {
			continue
		}
		v.all = append(v.all, i)
		if v.best < 0 || v.lower(i) > v.lower(v.best) {
			v.best = i
		}
	}
	if v.best < 0 {
		panic("safety: a region without seeds")
	}
	return v
}

// certain reports whether every constraint is Beta standard deviations on the safe side.
func (v *sight) certain(i int) bool {
	for _, m := range v.on {
		if !(m.mean[i]-v.Beta.Value*m.sd[i] >= 0) {
			return false
		}
	}
	return true
}

func (v *sight) lower(i int) float64 { return v.of.mean[i] - v.ObjectiveBeta*v.of.sd[i] }

func (v *sight) mayBeBest(i int) bool {
	return v.of.mean[i]+v.ObjectiveBeta*v.of.sd[i] >= v.lower(v.best)
}

func (v *sight) width(i int) float64 {
	width := 0.0
	for _, m := range v.wide {
		width = max(width, m.sd[i])
	}
	return width
}
