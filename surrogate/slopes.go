package surrogate

import (
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

func (k Stationary) slopeNumbers() int { return 1 }

// rowSlopes fills dst with k(x, xs[i]) and slopes with the factors g_i for which the derivatives by x_j are
// -g_i (x_j - xs[i]_j)/l_j².
func (k Stationary) rowSlopes(dst, slopes []float64, x space.Unit, xs []space.Unit) {
	if dst == nil {
		dst = make([]float64, len(xs))
	}
	k.squaredDistances(dst, x, xs)
	k.Family.valuesSlopes(dst, slopes, k.Outputscale)
	raise(dst, k.constant())
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du and the same with v to dv, in one pass over the pairs.
//
//go:norace
//go:nocheckptr
func (k Stationary) addSlopes(du, u, dv, v, slopes []float64, x space.Unit, xs []space.Unit) {
	reads(k.Lengthscales)
	reads(k.Categorical)
	reads(u[:len(xs)])
	reads(v[:len(xs)])
	reads(slopes[:len(xs)])
	reads(x)
	readsPoints(xs)
	writes(du)
	writes(dv)
	d := len(k.Lengthscales)
	x, du, dv = x[:d], du[:d], dv[:d]
	for i, b := range xs {
		b = b[k.skip:][:d]
		g, h := -u[i]*slopes[i], -v[i]*slopes[i]
		for j, c := range b {
			t := x[j] - c
			du[j] += g * t
			dv[j] += h * t
		}
	}
	for j, l := range k.Lengthscales {
		scale := 1 / (l * l)
		if k.categorical(j) {
			scale = 0
		}
		du[j] *= scale
		dv[j] *= scale
	}
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst, which is
// zero. slopes is scratch of the length of xs.
//
//go:norace
//go:nocheckptr
func (k Stationary) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, slopes []float64) float64 {
	k.rowSlopes(row, slopes, x, xs)
	d := len(k.Lengthscales)
	x, dst = x[:d], dst[:d]
	reads(w[:len(xs)])
	writes(dst)
	for i, b := range xs {
		b = b[k.skip:][:d]
		g := -w[i] * slopes[i]
		for j, c := range b {
			dst[j] += g * (x[j] - c)
		}
	}
	for j, l := range k.Lengthscales {
		if k.categorical(j) {
			dst[j] = 0
		}
		dst[j] /= l * l
	}
	return floats.Dot(row, w)
}
