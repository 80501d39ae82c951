package acquisition

import (
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// LeftOut is the sum of two utilities of one posterior: one of what all rows say, and one of what is known without some of them, as without those
// that pend, whose mean must be the same, as it is where they are hallucinated. Both cost little more than one, unlike a Sum of two posteriors.
type LeftOut struct {
	Rows *surrogate.LeftOut
	All  Utility // of the mean and the variance by all rows
	Rest Utility // of the mean and the variance without the rows
	// Pool are the variances without the rows at the pool of the posterior, for who has asked Rows for them; nil: not computed.
	Pool []float64
}

// PoolValues returns the sum at each point of the posterior's own pool where Pool is known, and nil otherwise and for another pool.
func (f LeftOut) PoolValues(pool *surrogate.Pool) []float64 {
	p := f.Rows.Posterior()
	if pool != p.Pool() || f.Pool == nil {
		return nil
	}
	values := poolUtility(p, f.All)
	for i, mean := range p.PoolMean() {
		values[i] += f.Rest.Of(mean, f.Pool[i])
	}
	return values
}

// Value returns the sum at x. Cost O(nd + n²).
func (f LeftOut) Value(x space.Unit) float64 {
	out := []float64{0}
	f.evaluator(1).values([]space.Unit{x}, out)
	return out[0]
}

// Gradient returns the sum at x and writes its derivatives to grad. Cost O(nd + n²), about three times that of Value.
func (f LeftOut) Gradient(x space.Unit, grad []float64) float64 {
	out := []float64{0}
	f.evaluator(1).gradients([]space.Unit{x}, out, [][]float64{grad})
	return out[0]
}

// leftOut evaluates a LeftOut, with memory that it uses again.
type leftOut struct {
	LeftOut
	predictor                  *surrogate.Predictor
	mean, variance, rest       []float64
	byMean, byVariance, byRest [][]float64
}

func (f LeftOut) evaluator(size int) *leftOut {
	p := f.Rows.Posterior()
	rows := func() [][]float64 {
		out := make([][]float64, size)
		for i := range out {
			out[i] = make([]float64, p.Dim())
		}
		return out
	}
	return &leftOut{
		LeftOut: f, predictor: surrogate.NewPredictor(p, size), mean: make([]float64, size), variance: make([]float64, size), rest: make([]float64, size),
		byMean: rows(), byVariance: rows(), byRest: rows(),
	}
}

func (e *leftOut) values(xs []space.Unit, out []float64) {
	for part := range slices.Chunk(xs, len(e.mean)) {
		e.predictor.PredictLeftOut(e.Rows, part, e.mean, e.variance, e.rest)
		for i := range part {
			out[i] = numbered(e.All.Of(e.mean[i], e.variance[i]) + e.Rest.Of(e.mean[i], e.rest[i]))
		}
		out = out[len(part):]
	}
}

func (e *leftOut) gradients(xs []space.Unit, out []float64, grads [][]float64) {
	for part := range slices.Chunk(xs, len(e.mean)) {
		e.predictor.PredictGradLeftOut(e.Rows, part, e.mean, e.variance, e.rest, e.byMean, e.byVariance, e.byRest)
		for i := range part {
			all, allMean, allVariance := e.All.Slopes(e.mean[i], e.variance[i])
			rest, restMean, restVariance := e.Rest.Slopes(e.mean[i], e.rest[i])
			out[i] = numbered(all + rest)
			for j := range grads[i] {
				grads[i][j] = (allMean+restMean)*e.byMean[i][j] + allVariance*e.byVariance[i][j] + restVariance*e.byRest[i][j]
			}
		}
		out, grads = out[len(part):], grads[len(part):]
	}
}
