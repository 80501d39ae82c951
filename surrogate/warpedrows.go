package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// keep returns the points with their warped coordinates behind their own, and behind these the derivatives by the logarithms of the ratios.
func (k Warped) keep(xs []space.Unit) []space.Unit {
	d := k.Dim()
	points, memory := make([]space.Unit, len(xs)), make([]float64, 3*d*len(xs))
	for i, x := range xs {
		p := memory[3*d*i : 3*d*(i+1) : 3*d*(i+1)]
		copy(p, x[:d])
		for j, r := range k.Ratios {
			if p[d+j] = x[j]; !k.Of.categorical(j) {
				p[d+j], _, p[2*d+j] = warp(math.Log(r), x[j])
			}
		}
		points[i] = p
	}
	return points
}

// keepMissing returns the points as they are kept, the same ones where they are.
func (k Warped) keepMissing(xs []space.Unit) []space.Unit {
	missing, d := false, k.Dim()
	for _, x := range xs {
		missing = missingAt(d, x) || missing
	}
	if missing {
		return k.keep(xs)
	}
	return xs
}

// keepMissingOne is keepMissing of a single point.
func (k Warped) keepMissingOne(x space.Unit) space.Unit {
	if missingAt(k.Dim(), x) {
		return k.keep([]space.Unit{x})[0]
	}
	return x
}

// missingAt reports whether a point of d coordinates is not as it is kept.
func missingAt(d int, x space.Unit) bool {
	if len(x) != d && len(x) != 3*d {
		panic("surrogate: point of the wrong dimension")
	}
	return len(x) == d
}

// bent returns the warped coordinates of a point.
func (k Warped) bent(x space.Unit) space.Unit {
	d := k.Dim()
	return k.keepMissingOne(x)[d : 2*d]
}

// bend turns derivatives by the warped coordinates of x into those by its own, in place.
func (k Warped) bend(grad []float64, x space.Unit) {
	for j, r := range k.Ratios {
		if !k.Of.categorical(j) {
			_, slope, _ := warp(math.Log(r), x[j])
			grad[j] *= slope
		}
	}
}

// behind is the kernel of the warped coordinates of kept points.
func (k Warped) behind() Stationary {
	of := k.Of
	of.skip = k.Dim()
	return of
}

func (k Warped) slopeNumbers() int { return 1 }

// rowSlopes is that of the kernel of the warped coordinates.
func (k Warped) rowSlopes(dst, slopes []float64, x space.Unit, xs []space.Unit) {
	k.behind().rowSlopes(dst, slopes, k.bent(x), k.keepMissing(xs))
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du, which is zero, and the same with v to dv.
func (k Warped) addSlopes(du, u, dv, v, slopes []float64, x space.Unit, xs []space.Unit) {
	k.behind().addSlopes(du, u, dv, v, slopes, k.bent(x), k.keepMissing(xs))
	k.bend(du, x)
	k.bend(dv, x)
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst, which is zero.
func (k Warped) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, slopes []float64) float64 {
	sum := k.behind().addWeighted(dst, k.bent(x), k.keepMissing(xs), w, row, slopes)
	k.bend(dst, x)
	return sum
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
//
//go:norace
//go:nocheckptr
func (k Warped) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	d := k.Dim()
	x, xs = k.keepMissingOne(x), k.keepMissing(xs)
	reads(k.Of.Lengthscales)
	writes(dst)
	var buffer [128]float64
	inverse := append(buffer[:0], k.Of.Lengthscales...)
	for j, l := range inverse {
		inverse[j] = 1 / l
	}
	var p parts
	behind := k.behind()
	for first := 0; first < len(xs); first += rowPart {
		last := min(first+rowPart, len(xs))
		dst[d] = behind.weigh(&p, dst[d], w[first:last], x[d:2*d], xs[first:last])
		k.addBent(dst[:d], dst[d+1:], p.slopes[:last-first], x, xs[first:last], inverse)
	}
}

// addBent adds Σ_i w_i of the derivatives by the logarithms of the lengthscales and of the ratios; points are kept ones.
//
//go:norace
//go:nocheckptr
func (k Warped) addBent(lengths, ratios, w []float64, x space.Unit, xs []space.Unit, inverse []float64) {
	d := len(inverse)
	reads(w[:len(xs)])
	reads(inverse)
	reads(k.Of.Categorical)
	reads(x)
	readsPoints(xs)
	writes(lengths)
	writes(ratios)
	at, by := x[d:][:d], x[2*d:][:d]
	lengths, ratios = lengths[:d], ratios[:d]
	categorical := k.Of.Categorical
	for i, b := range xs {
		there, thereBy, weight := b[d:][:d], b[2*d:][:d], w[i]
		for j, scale := range inverse {
			t := (at[j] - there[j]) * scale
			if categorical != nil && categorical[j] && t != 0 {
				t = unequal * scale
			}
			lengths[j] += weight * (t * t)
			ratios[j] -= weight * t * scale * (by[j] - thereBy[j])
		}
	}
}

// drawPrior draws a function of the warped coordinates.
func (k Warped) drawPrior(stream *rand.Rand, number int) sample {
	return k.bentDraw(drawPrior(k.Of, stream, number))
}

// bentDraw is a draw as a function of what is warped; nil of nil.
func (k Warped) bentDraw(of sample) sample {
	if of == nil {
		return nil
	}
	return bentSample{of, k}
}

type bentSample struct {
	of sample
	k  Warped
}

func (s bentSample) at(x space.Unit) float64 {
	return s.of.at(s.k.bent(x))
}

func (s bentSample) addGrad(x space.Unit, dst []float64) float64 {
	own := make([]float64, len(dst))
	value := s.of.addGrad(s.k.bent(x), own)
	s.k.bend(own, x)
	floats.Add(dst, own)
	return value
}
