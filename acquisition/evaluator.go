package acquisition

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// evaluator computes a function at several points at once. NaN becomes −Inf. What it returns for a point does not depend
// on the others.
type evaluator interface {
	values(xs []space.Unit, out []float64)
	gradients(xs []space.Unit, out []float64, grads [][]float64)
}

// batch is how many points are evaluated together: enough that one look at the factor is cheap for each.
const batch = 16

func newEvaluator(f Function) evaluator {
	switch f := f.(type) {
	case At:
		return newMoments(f.Posterior, Anywhere{f.Utility})
	case There:
		return newMoments(f.Posterior, f.Utility)
	case Sum:
		return newSums(f)
	case LeftOut:
		return f.evaluator(batch)
	}
	return oneByOne{f}
}

// oneByOne evaluates any function.
type oneByOne struct{ f Function }

func (e oneByOne) values(xs []space.Unit, out []float64) {
	for i, x := range xs {
		out[i] = numbered(e.f.Value(x))
	}
}

func (e oneByOne) gradients(xs []space.Unit, out []float64, grads [][]float64) {
	for i, x := range xs {
		out[i] = numbered(e.f.Gradient(x, grads[i]))
	}
}

func numbered(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(-1)
	}
	return v
}

// moments evaluates a utility of mean and variance, with memory that it uses again.
type moments struct {
	utility        Located
	predictor      *surrogate.Predictor
	mean, variance []float64
	byVariance     [][]float64
	byPlace        []float64
}

func newMoments(p *surrogate.Posterior, u Located) *moments {
	m := &moments{utility: u, predictor: surrogate.NewPredictor(p, batch), byPlace: make([]float64, p.Dim())}
	m.mean, m.variance = make([]float64, batch), make([]float64, batch)
	for range batch {
		m.byVariance = append(m.byVariance, make([]float64, p.Dim()))
	}
	return m
}

func (m *moments) values(xs []space.Unit, out []float64) {
	for part := range slices.Chunk(xs, batch) {
		m.predictor.Predict(part, m.mean, m.variance)
		for i := range part {
			out[i] = numbered(m.utility.OfAt(part[i], m.mean[i], m.variance[i]))
		}
		out = out[len(part):]
	}
}

func (m *moments) gradients(xs []space.Unit, out []float64, grads [][]float64) {
	for len(xs) > 0 {
		part := xs[:min(batch, len(xs))]
		m.predictor.PredictGrad(part, m.mean, m.variance, grads, m.byVariance)
		for i := range part {
			value, dmean, dvariance := m.utility.SlopesAt(part[i], m.mean[i], m.variance[i], m.byPlace)
			out[i] = numbered(value)
			for j, d := range m.byVariance[i] {
				grads[i][j] = dmean*grads[i][j] + dvariance*d + m.byPlace[j]
			}
		}
		xs, out, grads = xs[len(part):], out[len(part):], grads[len(part):]
	}
}
