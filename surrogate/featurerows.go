package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// keep returns the points with their features, computed in one pass.
func (k Features) keep(xs []space.Unit) []space.Unit {
	d, h := k.Dim(), k.net.shape.Outputs()
	in := make([]float64, 0, len(xs)*k.net.shape.Inputs)
	for _, x := range xs {
		in = k.inputs(in, x)
	}
	if len(xs) == 0 {
		return nil
	}
	out := k.net.shape.NewPass(len(xs)).Forward(k.net.weights, in)
	points, memory := make([]space.Unit, len(xs)), make([]float64, 0, len(xs)*(d+h))
	for i, x := range xs {
		at := len(memory)
		memory = append(append(memory, x[:d]...), out[i*h:(i+1)*h]...)
		points[i] = memory[at:len(memory):len(memory)]
	}
	return points
}

// inputs appends what of a point the network sees.
func (k Features) inputs(in []float64, x space.Unit) []float64 {
	x = x[:k.Dim()]
	if !k.fidelity() {
		return k.net.encoding.Append(in, x)
	}
	return append(append(in, x[:k.axis.At]...), x[k.axis.At+1:]...)
}

// keepMissing returns the points with their features, the same ones where they have them.
func (k Features) keepMissing(xs []space.Unit) []space.Unit {
	missing := false
	for _, x := range xs {
		k.check(x)
		missing = missing || len(x) == k.dim
	}
	if missing {
		return k.keep(xs)
	}
	return xs
}

// keepMissingOne is keepMissing of a single point.
func (k Features) keepMissingOne(x space.Unit) space.Unit {
	k.check(x)
	if len(x) == k.dim {
		return k.keep([]space.Unit{x})[0]
	}
	return x
}

// through is a pass of one point, which may be followed back.
type through struct {
	k    Features
	pass *network.Pass
	z    []float64 // its features
}

func (k Features) through(x space.Unit) through {
	pass := k.net.shape.NewPass(1)
	return through{k, pass, pass.Forward(k.net.weights, k.inputs(nil, x))}
}

// back adds to dst the derivatives by the coordinates but the fidelity, for those by the features.
func (t through) back(dst, dz []float64) {
	din := make([]float64, t.k.net.shape.Inputs)
	t.pass.Backward(dz, nil, din)
	if !t.k.fidelity() {
		t.k.net.encoding.back(dst, din)
		return
	}
	for j, v := range din {
		if j >= t.k.axis.At {
			j++
		}
		dst[j] += v
	}
}

// GradX returns k(a, b) and fills dst with dk/da.
func (k Features) GradX(dst []float64, a, b space.Unit) float64 {
	a, b = k.keepMissingOne(a), k.keepMissingOne(b)
	value := k.outputscale * expNeg(-k.distance(a, b))
	clear(dst)
	dz := floats.SubTo(make([]float64, k.net.shape.Outputs()), a[k.Dim():], b[k.Dim():])
	if floats.Norm(dz, 1) > 0 {
		floats.Scale(k.steep()*value, dz)
		k.through(a).back(dst, dz)
	}
	if k.fidelity() {
		dst[k.axis.At] = k.steepLevel() * (a[k.axis.At] - b[k.axis.At]) * value
	}
	return value
}

// steep is the derivative by a feature, as a part of its difference times k(a, b), and steepLevel that by the coordinate of the fidelity.
func (k Features) steep() float64      { return -2 / (k.radius * k.radius) }
func (k Features) steepLevel() float64 { return -2 * k.decay * k.steps() * k.steps() }

func (k Features) slopeNumbers() int { return 1 }

// rowSlopes fills dst with k(x, xs[i]) and slopes with the same.
func (k Features) rowSlopes(dst, slopes []float64, x space.Unit, xs []space.Unit) {
	k.Row(slopes[:len(xs)], x, xs)
	copy(dst, slopes)
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du and the same with v to dv.
func (k Features) addSlopes(du, u, dv, v, slopes []float64, x space.Unit, xs []space.Unit) {
	t := k.through(x)
	k.addOneSlope(t, du, u, slopes, x, xs)
	k.addOneSlope(t, dv, v, slopes, x, xs)
}

// addOneSlope adds Σ_i u_i k_i d log k(x, xs[i])/dx to du.
func (k Features) addOneSlope(t through, du, u, row []float64, x space.Unit, xs []space.Unit) {
	xs = k.keepMissing(xs)
	d := k.Dim()
	dz := make([]float64, len(t.z))
	var sum, level float64
	for i, b := range xs {
		w := u[i] * row[i]
		sum += w
		floats.AddScaled(dz, -w, b[d:])
		if k.fidelity() {
			level += w * (x[k.axis.At] - b[k.axis.At])
		}
	}
	floats.AddScaled(dz, sum, t.z)
	floats.Scale(k.steep(), dz)
	t.back(du, dz)
	if k.fidelity() {
		du[k.axis.At] += k.steepLevel() * level
	}
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with the k(x, xs[i]) and adds the derivatives of the sum by x to dst.
func (k Features) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, _ []float64) float64 {
	t := k.through(x)
	k.Row(row, slices.Concat(x[:k.Dim()], t.z), xs)
	k.addOneSlope(t, dst, w, row, x, xs)
	return floats.Dot(row, w)
}

// drawPrior draws random waves over the features and the fidelity, of which the kernel is a squared-exponential one.
func (k Features) drawPrior(stream *rand.Rand, number int) sample {
	lengths := filled(k.net.shape.Outputs(), k.radius/math.Sqrt2)
	if k.fidelity() {
		lengths = append(lengths, 1/(k.steps()*math.Sqrt(2*k.decay)))
	}
	return wavesOfFeatures{drawWaves(Stationary{Family: SE, Lengthscales: lengths, Outputscale: k.outputscale}, number, stream), k}
}

type wavesOfFeatures struct {
	waves *waves
	k     Features
}

// seen is what the waves are of: the features, and the fidelity.
func (f wavesOfFeatures) seen(z []float64, x space.Unit) space.Unit {
	if f.k.fidelity() {
		return append(slices.Clip(z), x[f.k.axis.At])
	}
	return z
}

func (f wavesOfFeatures) at(x space.Unit) float64 {
	x = f.k.keepMissingOne(x)
	return f.waves.at(f.seen(x[f.k.Dim():], x))
}

func (f wavesOfFeatures) addGrad(x space.Unit, dst []float64) float64 {
	t := f.k.through(x)
	seen := f.seen(t.z, x)
	dz := make([]float64, len(seen))
	value := f.waves.addGrad(seen, dz)
	t.back(dst, dz[:len(t.z)])
	if f.k.fidelity() {
		dst[f.k.axis.At] += dz[len(t.z)]
	}
	return value
}
