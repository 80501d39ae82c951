package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// Problem is a function to maximize, with what a comparison needs to know about it. Build one with NewProblem, or fill
// the fields.
type Problem struct {
	Name  string
	Space space.Space
	// Value returns the value at x (user units) without noise; NaN says that the evaluation failed there. It is called
	// from many goroutines at once.
	Value func(x space.Point) float64
	// Observe returns what an evaluation at x (user units) gives, noise included; NaN says that it failed. All of its
	// chances come from the stream, which belongs to the seed, the evaluation and the attempt: all policies meet the same.
	// It is not asked where Value is NaN. Nil: Value plus the Gaussian noise of the scenario, which must be 0 otherwise.
	Observe func(x space.Point, stream *rand.Rand) float64
	// Reports returns what an evaluation at x (user units) reports on its way, by ascending step, with the stream of Observe from its
	// beginning; nil: nothing.
	Reports func(x space.Point, stream *rand.Rand) []delay.Interim
	// Constraints are the bounds of what Measure returns at x (user units), in their order, without noise; nil: there are none. A query
	// whose constraints do not all hold is never the best.
	Constraints []outcome.Constraint
	Measure     func(x space.Point) []float64
	// Gauge returns what an evaluation at x measures of the constraints, noise included, with chances as those of Observe; nil: Measure.
	Gauge func(x space.Point, stream *rand.Rand) []float64
	// Seeds are points whose constraints hold: where policies that rely on such points begin, in place of the initial design.
	Seeds []space.Point
	// Maximizers and Maximum are what the best possible query is and gives, among those whose constraints hold.
	Maximizers []space.Point
	Maximum    float64
	// BestIn returns the greatest value at a context (user units); nil: it is searched for.
	BestIn func(context space.Point) float64
	// ContextOf returns the context (user units) of the round-th query under a seed, from 1, initial ones included; nil:
	// contexts are drawn uniformly.
	ContextOf func(seed uint64, round int) space.Point

	Initial  int        // points of the initial design in the literature; 0: the loop's default
	Noise    float64    // standard deviation of the noise in the literature
	Floor    *float64   // worst possible value where it is known
	Range    float64    // Maximum − Floor where both are known
	Model    loop.Model // hyperparameters where the literature takes them as known
	Options  []string   // options of policies that the literature uses here, as defaults for policies.Parse
	Trains   bool       // whether a value costs milliseconds rather than microseconds
	HeldOut  func(x space.Point) float64
	Describe string // one line
}

// maker builds a problem that is no plain function; seed matters to those that are drawn at random.
type maker struct {
	name     string
	describe string
	make     func(seed uint64) (Problem, error)
}

var makers []maker

// Register adds a problem to those that NewProblem knows, with a description of one line and the function that builds it.
// Call it from the init function of the file with the problem. It panics where the name is taken.
func Register(name, describe string, make func(seed uint64) (Problem, error)) {
	if slices.Contains(ProblemNames(), name) {
		panic("sim: Register: name taken: " + name)
	}
	makers = append(makers, maker{name, describe, make})
}

// ProblemNames returns the names that NewProblem knows, sorted.
func ProblemNames() []string {
	names := slices.Concat(functions.Names(), functions.ConstrainedNames())
	for _, m := range makers {
		names = append(names, m.name)
	}
	slices.Sort(names)
	return names
}

// NewProblem returns the problem of this name, as in "branin" or, where a function exists in any dimension,
// "ackley:5". Problems that are drawn at random, such as gp1d, are drawn by seed; the others do not depend on it.
func NewProblem(spec string, seed uint64) (Problem, error) {
	name, rest, sized := strings.Cut(spec, ":")
	dim := 0
	if sized {
		d, err := strconv.Atoi(rest)
		if err != nil || d < 1 {
			return Problem{}, &check.FieldError{Field: name + ".Dim", Value: rest, Want: "a whole number ≥ 1"}
		}
		dim = d
	}
	for _, m := range makers {
		if m.name == name {
			if sized {
				return Problem{}, &check.FieldError{Field: "problem", Value: spec, Want: name + ", which has one dimension count only"}
			}
			p, err := m.make(seed)
			p.Name, p.Describe = name, m.describe
			return p, err
		}
	}
	if slices.Contains(functions.ConstrainedNames(), name) {
		if sized {
			return Problem{}, &check.FieldError{Field: "problem", Value: spec, Want: name + ", which has one dimension count only"}
		}
		return constrained(name)
	}
	if !slices.Contains(functions.Names(), name) {
		return Problem{}, &check.FieldError{Field: "problem", Value: strconv.Quote(name), Want: "one of " + strings.Join(ProblemNames(), ", ")}
	}
	f, err := functions.Get(name, dim)
	if err != nil {
		return Problem{}, err
	}
	return fromFunction(spec, f)
}

func fromFunction(name string, f functions.Function) (Problem, error) {
	parameters := make([]space.Parameter, f.Dim)
	for i := range parameters {
		parameters[i] = space.Float(fmt.Sprintf("x%d", i+1), f.Low[i], f.High[i])
	}
	s, err := space.New(parameters...)
	return Problem{
		Name: name, Space: s, Value: func(x space.Point) float64 { return f.Value(x) }, Maximizers: space.PointsOf(f.Maximizers), Maximum: f.Maximum,
		Describe: fmt.Sprintf("%s function, %d-D, to be maximized (%s)", f.Name, f.Dim, f.Reference),
	}, err
}

// Spread says how the values of a problem are distributed over its space.
type Spread struct {
	Low, Stddev float64
	// BestOfTen is what the best of ten points drawn at random gives, on average.
	BestOfTen float64
}

// Spread measures the values at low-discrepancy points (all points of a finite list): 4096, or 256 where a value is
// trained. Points without a value are left out.
func (p Problem) Spread() Spread {
	n := 4096
	if p.Trains {
		n = 256
	}
	points := p.Space.Sample(space.Halton, n, rng.New(0, rng.Problem, 0))
	if unit := p.Space.UnitPoints(); unit != nil && len(p.Space.Held()) == 0 {
		points = unit
	}
	var values []float64
	for _, u := range points {
		v := p.Value(p.Space.Value(u))
		if !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return spreadOf(values)
}

// spreadOf is the spread of values that were drawn at random.
func spreadOf(values []float64) Spread {
	s := Spread{Low: math.Inf(1)}
	var mean, square float64
	for i, v := range values {
		d := v - mean
		mean += d / float64(i+1)
		square += d * (v - mean)
		s.Low = min(s.Low, v)
	}
	s.Stddev = math.Sqrt(square / max(float64(len(values)-1), 1))
	const draws = 10
	n := float64(len(values))
	for i, v := range slices.Sorted(slices.Values(values)) { // the greatest of the draws is at most the i-th with probability (i/n)^draws
		s.BestOfTen += v * (math.Pow(float64(i+1)/n, draws) - math.Pow(float64(i)/n, draws))
	}
	return s
}
