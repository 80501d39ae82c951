package tournament

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

// How far a function is moved, in widths of the box: its first maximizer goes to a point at most reach away that is at least
// edge from the walls.
const (
	reach = 0.3
	edge  = 0.1
)

// motion is how a function was moved: where its first maximizer is now, and how the axes were turned about it.
type motion struct {
	f    functions.Function
	to   []float64
	turn [][]float64 // orthogonal, rows; nil: not at all
}

// newMotion draws a motion.
func newMotion(f functions.Function, stream *rand.Rand, turned bool) motion {
	m := motion{f: f, to: make([]float64, f.Dim)}
	for j, v := range f.Maximizers[0] {
		width := f.High[j] - f.Low[j]
		low := max(f.Low[j]+edge*width, v-reach*width)
		high := min(f.High[j]-edge*width, v+reach*width)
		m.to[j] = low + (high-low)*stream.Float64()
	}
	if turned {
		m.turn = orthogonal(f.Dim, stream)
	}
	return m
}

// value is that of the moved function: at a point as far from the new maximizer, in widths of the box and along the turned
// axes, as the point where the function is evaluated is from the old one. That may be outside the box.
func (m motion) value(x space.Point) float64 {
	step, at := make([]float64, len(x)), make([]float64, len(x))
	for j := range x {
		step[j] = (x[j] - m.to[j]) / (m.f.High[j] - m.f.Low[j])
	}
	for j := range x {
		along := step[j]
		if m.turn != nil {
			along = 0
			for k, q := range m.turn[j] {
				along += q * step[k]
			}
		}
		at[j] = m.f.Maximizers[0][j] + along*(m.f.High[j]-m.f.Low[j])
	}
	return m.f.Value(at)
}

// orthogonal is a matrix that turns at random: the rows are independent normal vectors made orthogonal one after the other
// (Gram-Schmidt, twice against round-off).
func orthogonal(dim int, stream *rand.Rand) [][]float64 {
	rows := make([][]float64, dim)
	for i := range rows {
		row := make([]float64, dim)
		for j := range row {
			row[j] = stream.NormFloat64()
		}
		for range 2 {
			for _, other := range rows[:i] {
				project(row, other)
			}
		}
		norm := math.Sqrt(dot(row, row))
		for j := range row {
			row[j] /= norm
		}
		rows[i] = row
	}
	return rows
}

// project takes out of a row what lies along a unit vector.
func project(row, unit []float64) {
	along := dot(row, unit)
	for j := range row {
		row[j] -= along * unit[j]
	}
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

// moved is a test function with its maximum elsewhere, and turned axes where it says so. Only functions whose maximum is that
// of the whole space may be moved: all of the list are.
func moved(name string, dim int, turned bool) func(*Problem, uint64) (sim.Problem, error) {
	return func(p *Problem, seed uint64) (sim.Problem, error) {
		f, err := functions.Get(name, dim)
		if err != nil {
			return sim.Problem{}, err
		}
		m := newMotion(f, p.stream(seed, 0), turned)
		s, err := box(f.Low, f.High)
		return sim.Problem{Space: s, Value: m.value, Maximizers: []space.Point{m.to}, Maximum: f.Maximum}, err
	}
}

// box is a space of floats x1, x2, …
func box(low, high []float64) (space.Space, error) {
	parameters := make([]space.Parameter, len(low))
	for j := range low {
		parameters[j] = space.Float(fmt.Sprintf("x%d", j+1), low[j], high[j])
	}
	return space.New(parameters...)
}

// unitBox is the unit cube.
func unitBox(dim int) (space.Space, error) {
	low, high := make([]float64, dim), make([]float64, dim)
	for j := range high {
		high[j] = 1
	}
	return box(low, high)
}

// hidden is Hartmann's function of some of 20 coordinates, chosen by the seed.
func hidden(p *Problem, seed uint64) (sim.Problem, error) {
	const dim = 20
	f, err := functions.Get("hartmann6", 0)
	if err != nil {
		return sim.Problem{}, err
	}
	stream := p.stream(seed, 0)
	m := newMotion(f, stream, false)
	matter := stream.Perm(dim)[:f.Dim]
	s, err := unitBox(dim)
	return sim.Problem{Space: s, Maximum: f.Maximum, Value: func(x space.Point) float64 {
		inner := make([]float64, f.Dim)
		for j, k := range matter {
			inner[j] = x[k]
		}
		return m.value(inner)
	}}, err
}

// steepHartmann is exp(5 f) of Hartmann's function in six dimensions, whose values lie between 0 and its maximum.
func steepHartmann(p *Problem, seed uint64) (sim.Problem, error) {
	out, err := moved("hartmann6", 0, false)(p, seed)
	if err != nil {
		return out, err
	}
	inner, top := out.Value, out.Maximum
	out.Value = func(x space.Point) float64 { return math.Exp(5 * inner(x) / top) }
	out.Maximum = math.Exp(5)
	return out, nil
}
