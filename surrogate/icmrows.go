package surrogate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// blindTo returns the kernel over one coordinate more, which it does not look at. One with lengthscales has an infinite one there, which
// costs nothing; others are given points without the coordinate. A coordinate that there is none of gives nil, which Validate reports.
func blindTo(k Kernel, at int) Kernel {
	if k == nil || at < 0 || at > k.Dim() {
		return nil
	}
	switch k := k.(type) {
	case Stationary:
		return k.blindTo(at)
	case Additive:
		return Additive(Stationary(k).blindTo(at))
	case Warped:
		return Warped{k.Of.blindTo(at), slices.Insert(slices.Clone(k.Ratios), at, 1)}
	}
	return blind{k, at}
}

func (k Stationary) blindTo(at int) Stationary {
	k.Lengthscales = slices.Insert(slices.Clone(k.Lengthscales), at, math.Inf(1))
	if k.Categorical != nil {
		k.Categorical = slices.Insert(slices.Clone(k.Categorical), at, false)
	}
	return k
}

// blind is a kernel of points of which one coordinate is left out.
type blind struct {
	Kernel
	at int
}

func (k blind) rest(x space.Unit) space.Unit { return slices.Delete(slices.Clone(x), k.at, k.at+1) }

func (k blind) Dim() int { return k.Kernel.Dim() + 1 }

func (k blind) Eval(a, b space.Unit) float64 { return k.Kernel.Eval(k.rest(a), k.rest(b)) }

func (k blind) Row(dst []float64, x space.Unit, xs []space.Unit) {
	rests := make([]space.Unit, len(xs))
	for i, b := range xs {
		rests[i] = k.rest(b)
	}
	k.Kernel.Row(dst, k.rest(x), rests)
}

func (k blind) Diag(x space.Unit) float64 { return k.Kernel.Diag(k.rest(x)) }

func (k blind) GradX(dst []float64, a, b space.Unit) float64 {
	last := len(dst) - 1
	value := k.Kernel.GradX(dst[:last], k.rest(a), k.rest(b))
	copy(dst[k.at+1:], dst[k.at:last])
	dst[k.at] = 0
	return value
}

func (k blind) GradParams(dst []float64, a, b space.Unit) float64 {
	return k.Kernel.GradParams(dst, k.rest(a), k.rest(b))
}

// icmNumbers is how many numbers for each pair rowSlopes leaves for addSlopes: slopes of the base times the factor, or the factor alone;
// covariances, or room for them; and room for two vectors of weights.
const icmNumbers = 4

func (k ICM) slopeNumbers() int { return icmNumbers }

// keep returns the points with what a base of warped coordinates computes of each.
func (k ICM) keep(xs []space.Unit) []space.Unit { return kept(k.wide, xs) }

// check panics if a point has another dimension. A base that takes kept points sees to that itself.
func (k ICM) check(a, b space.Unit) {
	if _, keeps := k.wide.(keeper); !keeps {
		checkDim(k.Dim(), a, b)
	}
}

// simple returns the base as it stands over all coordinates where its slopes are one number for each pair, which the factor scales.
func (k ICM) simple() (base sloped, ok bool) {
	switch k.wide.(type) {
	case Stationary, Warped:
		return k.wide.(sloped), true
	}
	return nil, false
}

// rowSlopes fills dst with k(x, xs[i]) and slopes with what addSlopes needs.
func (k ICM) rowSlopes(dst, slopes []float64, x space.Unit, xs []space.Unit) {
	n := len(xs)
	if base, ok := k.simple(); ok {
		values, factors := slopes[n:2*n], slopes[2*n:3*n]
		base.rowSlopes(values, slopes[:n], x, xs)
		ones(factors)
		k.scale(factors, x, xs)
		floats.Mul(slopes[:n], factors)
		floats.Mul(values, factors)
		copy(dst, values)
		return
	}
	ones(slopes[:n])
	k.scale(slopes[:n], x, xs)
	if dst != nil {
		k.wide.Row(dst, x, xs)
		floats.Mul(dst, slopes[:n])
	}
}

func ones(v []float64) {
	for i := range v {
		v[i] = 1
	}
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du, which is zero, and the same with v to dv.
func (k ICM) addSlopes(du, u, dv, v, slopes []float64, x space.Unit, xs []space.Unit) {
	n := len(xs)
	factors, values := slopes[:n], slopes[n:2*n]
	switch base := k.wide.(type) {
	case Stationary:
		base.addSlopes(du, u, dv, v, slopes[:n], x, xs)
	case Warped:
		base.addSlopes(du, u, dv, v, slopes[:n], x, xs)
	case Additive:
		base.addSlopes(du, floats.MulTo(slopes[2*n:3*n], factors, u), dv, floats.MulTo(slopes[3*n:4*n], factors, v), values, x, xs)
		floats.Mul(values, factors)
	default:
		g := make([]float64, len(x))
		for i, b := range xs {
			values[i] = base.GradX(g, x, b) * factors[i]
			floats.AddScaled(du, u[i]*factors[i], g)
			floats.AddScaled(dv, v[i]*factors[i], g)
		}
	}
	var g, h float64
	for i, b := range xs {
		t := slopes[n+i] * k.apart(x, b)
		g += u[i] * t
		h += v[i] * t
	}
	du[k.axis.At] += k.steep() * g
	dv[k.axis.At] += k.steep() * h
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst, which is
// zero.
func (k ICM) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, slopes []float64) float64 {
	n := len(xs)
	weights, factors := slopes[n:2*n], slopes[3*n:4*n]
	ones(factors)
	k.scale(factors, x, xs)
	floats.MulTo(weights, w, factors)
	sum := addWeighted(k.wide, dst, x, xs, weights, row, slopes[2*n:3*n])
	floats.Mul(row, factors)
	var g float64
	for i, b := range xs {
		g += w[i] * row[i] * k.apart(x, b)
	}
	dst[k.axis.At] = k.steep() * g
	return sum
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
func (k ICM) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	k.addGradParamsIn(make([]float64, memoryFor(len(xs), len(dst))), dst, w, x, xs)
}

// addGradParamsIn is addGradParams in the given memory.
func (k ICM) addGradParamsIn(memory, dst, w []float64, x space.Unit, xs []space.Unit) {
	n, last := len(xs), len(dst)-1
	weights, row, all := memory[:n], memory[n:2*n], memory[2*n:2*n+last+1]
	_, warped := k.wide.(Warped)
	if warped {
		all = memory[2*n : 2*n+last+2]
	}
	k.wide.Row(row, x, xs)
	copy(weights, w)
	k.scale(weights, x, xs)
	for i, b := range xs {
		t := k.apart(x, b)
		dst[last] -= k.decay * (t * t) * weights[i] * row[i]
	}
	base, ok := k.wide.(gradientParams)
	if !ok {
		addEachGradParams(k.wide, dst[:last], weights, x, xs)
		return
	}
	clear(all) // with the lengthscale that is infinite, and its ratio
	base.addGradParams(all, weights, x, xs)
	if warped {
		all = slices.Delete(all, k.Dim()+1+k.axis.At, k.Dim()+1+k.axis.At+1)
	}
	floats.Add(dst[:last], slices.Delete(all, k.axis.At, k.axis.At+1))
}
