package surrogate

import (
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Pair is what a posterior says of the latent function at two points together: at one where a value may be had, and at the target of
// which it tells something.
type Pair struct {
	Mean, Variance float64 // at the target
	Own            float64 // variance where the value may be had
	Covariance     float64 // of both
}

// PairSlopes are derivatives of a Pair as both points move together, each of length d.
type PairSlopes struct{ Mean, Variance, Own, Covariance []float64 }

// NewPairSlopes returns room for the derivatives in d dimensions.
func NewPairSlopes(d int) PairSlopes {
	cut := func() []float64 { return make([]float64, d) }
	return PairSlopes{cut(), cut(), cut(), cut()}
}

// Pairs fills out[i] with the pair of xs[i] and the target; at most Size less one points. Cost O(n² + nd) for each point, and for the
// target.
func (q *Predictor) Pairs(out []Pair, xs []space.Unit, target space.Unit) {
	p, k, last := q.posterior, q.posterior.prior.Kernel, len(xs)
	rows := q.rows[:last+1]
	q.fill(rows, append(xs[:last:last], target))
	mean := p.prior.meanAt(target) + floats.Dot(rows[last], p.alpha)
	p.factor.forward(0, 0, rows...)
	variance := max(k.Diag(target)-floats.Dot(rows[last], rows[last]), 0)
	for i, x := range xs {
		out[i] = Pair{
			Mean: mean, Variance: variance,
			Own:        max(k.Diag(x)-floats.Dot(rows[i], rows[i]), 0),
			Covariance: k.Eval(x, target) - floats.Dot(rows[i], rows[last]),
		}
	}
}

// PairGrad returns the pair of x and the target and fills its derivatives as both move together. It wants a Size of at least 2. Cost
// about four predictions.
func (q *Predictor) PairGrad(x, target space.Unit, slopes PairSlopes) Pair {
	p, k := q.posterior, q.posterior.prior.Kernel
	var out [1]Pair
	q.Pairs(out[:], []space.Unit{x}, target)
	p.factor.backward(q.rows[0], q.rows[1])
	own, other := q.rows[0], q.rows[1] // (K + λI)⁻¹ k(x, X), and the same of the target
	for _, s := range [...][]float64{slopes.Mean, slopes.Variance, slopes.Own, slopes.Covariance} {
		checkDim(p.Dim(), x, s)
		clear(s)
	}
	factors := q.slopes[0]
	q.addTwo(slopes.Own, own, slopes.Covariance, other, factors, x)
	q.addTwo(slopes.Variance, other, slopes.Covariance, own, factors, target)
	addWeighted(k, slopes.Mean, target, p.x, p.alpha, q.rows[0], factors) // own is done with
	p.prior.addMeanGrad(slopes.Mean, target)
	between, here, there := make([]float64, p.Dim()), make([]float64, p.Dim()), make([]float64, p.Dim())
	k.GradX(between, x, target)
	floats.Scale(-1, slopes.Covariance)
	floats.Add(slopes.Covariance, between)
	k.GradX(between, target, x)
	floats.Add(slopes.Covariance, between)
	k.GradX(here, x, x)
	k.GradX(there, target, target)
	for j := range between {
		slopes.Own[j], slopes.Variance[j] = 2*(here[j]-slopes.Own[j]), 2*(there[j]-slopes.Variance[j])
	}
	return out[0]
}

// addTwo adds Σ_i u_i dk(x, x_i)/dx to du and the same with v to dv.
func (q *Predictor) addTwo(du, u, dv, v, slopes []float64, x space.Unit) {
	p := q.posterior
	if q.slope != nil {
		// What a kernel adds belongs to zero, since some scale it at the end.
		add := make([]float64, len(du)+len(dv))
		a, b := add[:len(du)], add[len(du):]
		q.slope.rowSlopes(nil, slopes, x, p.x)
		q.slope.addSlopes(a, u, b, v, slopes, x, p.x)
		floats.Add(du, a)
		floats.Add(dv, b)
		return
	}
	g := make([]float64, len(x))
	for i, b := range p.x {
		p.prior.Kernel.GradX(g, x, b)
		floats.AddScaled(du, u[i], g)
		floats.AddScaled(dv, v[i], g)
	}
}
