package surrogate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// Additive is the kernel of a sum of independent functions of one coordinate each (Duvenaud et al. 2011, order one): the mean of the
// correlations of the family at the squared scaled distances d·((a_j - b_j)/l_j)², times the outputscale. Lengthscales are √d times those
// of the functions, so that they mean the same as in Stationary and have the same prior. What is learned of one coordinate holds
// wherever the others are, so that few points tell much; but a function that is no sum cannot be learned. Hyperparameters as for
// Stationary. Costs are those of d stationary kernels of one dimension.
type Additive Stationary

var (
	_ = register("additive-se", additive(SE))
	_ = register("additive-matern52", additive(Matern52))
)

func additive(f Family) func(dim int) Kernel {
	return func(d int) Kernel { return Additive{Family: f, Lengthscales: defaultLengthscales(d), Outputscale: 1} }
}

// rowPart is how many pairs are computed at once.
const rowPart = 128

// parts are the terms of one coordinate for some of the points of a row, and what is the same for all coordinates.
type parts struct {
	count, share                float64 // the number of functions, and the variance of each
	differences, values, slopes [rowPart]float64
}

// begin fills what is the same for all coordinates. Cost O(d).
func (k Additive) begin(p *parts) {
	p.count = k.count()
	p.share = k.Outputscale / p.count
}

// Name returns "additive-se" or "additive-matern52".
func (k Additive) Name() string { return "additive-" + k.Family.String() }

// Dim returns the number of lengthscales.
func (k Additive) Dim() int { return len(k.Lengthscales) }

// term returns the squared scaled distance of coordinate j for its function alone, of which there are so many.
func (k Additive) term(count float64, a, b space.Unit, j int) float64 {
	t := Stationary(k).difference(a, b, j)
	return count * (t * t)
}

// counts reports whether there is a function of coordinate j: not where its lengthscale is infinite.
func (k Additive) counts(j int) bool { return finite(k.Lengthscales[j]) }

func finite(length float64) bool { return !math.IsInf(length, 1) }

// count is the number of functions. Cost O(d): once for a row.
func (k Additive) count() float64 {
	count := 0
	for j := range k.Lengthscales {
		if k.counts(j) {
			count++
		}
	}
	return float64(count)
}

// Eval returns k(a, b).
func (k Additive) Eval(a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	sum, count := Stationary(k).constant(), k.count()
	share := k.Outputscale / count
	for j := range k.Lengthscales {
		if !k.counts(j) {
			continue
		}
		sum += share * k.Family.value(k.term(count, a, b, j))
	}
	return sum
}

// Row fills dst[i] with k(x, xs[i]).
//
//go:norace
//go:nocheckptr
func (k Additive) Row(dst []float64, x space.Unit, xs []space.Unit) {
	writes(dst)
	checkRow(len(k.Lengthscales), dst, x, xs)
	fill(dst, Stationary(k).constant())
	var p parts
	k.begin(&p)
	for first := 0; first < len(xs); first += rowPart {
		last := min(first+rowPart, len(xs))
		for j := range k.Lengthscales {
			if !k.counts(j) {
				continue
			}
			for i, v := range k.values(&p, x, xs[first:last], j) {
				dst[first+i] += v
			}
		}
	}
}

// values fills the differences and the values of coordinate j, and returns these.
func (k Additive) values(p *parts, x space.Unit, xs []space.Unit, j int) []float64 {
	values := k.distances(p, x, xs, j)
	k.Family.values(values, p.share)
	return values
}

// valuesSlopes fills also the factors g of Family.valueSlope, times the variance of the function.
func (k Additive) valuesSlopes(p *parts, x space.Unit, xs []space.Unit, j int) []float64 {
	values := k.distances(p, x, xs, j)
	k.Family.valuesSlopes(values, p.slopes[:len(xs)], p.share)
	return values
}

// distances fills the scaled differences in coordinate j, and the squared distances of its function in place of the values. Whoever
// asks for one coordinate asks for all, so that the first that counts tells the race detector of them.
//
//go:norace
//go:nocheckptr
func (k Additive) distances(p *parts, x space.Unit, xs []space.Unit, j int) []float64 {
	if j == slices.IndexFunc(k.Lengthscales, finite) {
		reads(k.Lengthscales)
		reads(k.Categorical)
		reads(x)
		readsPoints(xs)
	}
	count, scale, here := p.count, 1/k.Lengthscales[j], x[j]
	differences, values := p.differences[:len(xs)], p.values[:len(xs)]
	if Stationary(k).categorical(j) {
		for i, b := range xs {
			t := (here - b[j]) * scale
			if t != 0 {
				t = unequal * scale
			}
			differences[i], values[i] = t, count*(t*t)
		}
		return values
	}
	for i, b := range xs {
		t := (here - b[j]) * scale
		differences[i], values[i] = t, count*(t*t)
	}
	return values
}

// Diag returns the outputscale and the variance of the constant.
func (k Additive) Diag(space.Unit) float64 { return Stationary(k).at(1) }

// GradX returns k(a, b) and fills dst with dk/da.
func (k Additive) GradX(dst []float64, a, b space.Unit) float64 {
	checkDim(len(k.Lengthscales), a, b)
	sum, count := Stationary(k).constant(), k.count()
	share := k.Outputscale / count
	for j, l := range k.Lengthscales {
		dst[j] = 0
		if !k.counts(j) {
			continue
		}
		value, slope := k.Family.valueSlope(k.term(count, a, b, j))
		sum += share * value
		if !Stationary(k).categorical(j) {
			dst[j] = -k.Outputscale * slope * Stationary(k).difference(a, b, j) / l
		}
	}
	return sum
}

// addWeighted returns Σ w_i k(x, xs[i]), fills row with k(x, xs[i]) and adds the derivatives of the sum by x to dst.
//
//go:norace
//go:nocheckptr
func (k Additive) addWeighted(dst []float64, x space.Unit, xs []space.Unit, w, row, _ []float64) (sum float64) {
	reads(w[:len(xs)])
	writes(dst)
	writes(row[:len(xs)])
	constant := Stationary(k).constant()
	fill(row[:len(xs)], constant)
	sum = constant * floats.Sum(w[:len(xs)])
	var p parts
	k.begin(&p)
	for first := 0; first < len(xs); first += rowPart {
		last, weights := min(first+rowPart, len(xs)), w[first:]
		for j := range k.Lengthscales {
			if !k.counts(j) {
				continue
			}
			var slope float64
			for i, v := range k.valuesSlopes(&p, x, xs[first:last], j) {
				row[first+i] += v
				sum += weights[i] * v
				slope += weights[i] * p.slopes[i] * p.differences[i]
			}
			dst[j] -= slope * k.steep(&p, j)
		}
	}
	return sum
}

// steep is what the sum of slope times scaled difference is multiplied by to be a derivative by coordinate j.
func (k Additive) steep(p *parts, j int) float64 {
	if Stationary(k).categorical(j) {
		return 0
	}
	return p.count / k.Lengthscales[j]
}

func (k Additive) slopeNumbers() int { return 1 }

// rowSlopes fills dst with k(x, xs[i]). Slopes differ by coordinate, so that addSlopes computes them.
func (k Additive) rowSlopes(dst, _ []float64, x space.Unit, xs []space.Unit) {
	if dst != nil {
		k.Row(dst, x, xs)
	}
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du and the same with v to dv, in one pass over the pairs, and fills row with k(x, xs[i]).
//
//go:norace
//go:nocheckptr
func (k Additive) addSlopes(du, u, dv, v, row []float64, x space.Unit, xs []space.Unit) {
	reads(u[:len(xs)])
	reads(v[:len(xs)])
	writes(du)
	writes(dv)
	writes(row[:len(xs)])
	fill(row[:len(xs)], Stationary(k).constant())
	var p parts
	k.begin(&p)
	for first := 0; first < len(xs); first += rowPart {
		last := min(first+rowPart, len(xs))
		for j := range k.Lengthscales {
			if !k.counts(j) {
				continue
			}
			values := k.valuesSlopes(&p, x, xs[first:last], j)
			var g, h float64
			for i, value := range values {
				row[first+i] += value
				t := p.slopes[i] * p.differences[i]
				g += u[first+i] * t
				h += v[first+i] * t
			}
			du[j] -= g * k.steep(&p, j)
			dv[j] -= h * k.steep(&p, j)
		}
	}
}

// Hyper describes the lengthscales and the outputscale.
func (k Additive) Hyper() []Hyperparameter { return Stationary(k).Hyper() }

// Values returns lengthscales and outputscale.
func (k Additive) Values() []float64 { return Stationary(k).Values() }

// WithValues returns the kernel with other hyperparameters.
func (k Additive) WithValues(values []float64) Kernel {
	return Additive(Stationary(k).WithValues(values).(Stationary))
}

// Params returns log lengthscales and log outputscale.
func (k Additive) Params() []float64 { return Stationary(k).Params() }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Additive) WithParams(log []float64) Kernel {
	return Additive(Stationary(k).WithParams(log).(Stationary))
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Additive) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return dst[len(k.Lengthscales)]
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
//
//go:norace
//go:nocheckptr
func (k Additive) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	reads(w[:len(xs)])
	writes(dst)
	var p parts
	k.begin(&p)
	d := len(k.Lengthscales)
	sum := dst[d] + Stationary(k).constant()*floats.Sum(w[:len(xs)])
	for first := 0; first < len(xs); first += rowPart {
		last, weights := min(first+rowPart, len(xs)), w[first:]
		for j := range d {
			if !k.counts(j) {
				continue
			}
			var slope float64
			for i, v := range k.valuesSlopes(&p, x, xs[first:last], j) {
				sum += weights[i] * v
				slope += weights[i] * p.slopes[i] * p.differences[i] * p.differences[i]
			}
			dst[j] += p.count * slope
		}
	}
	dst[d] = sum
}

// WithCategories returns the kernel with those marks.
func (k Additive) WithCategories(marks []bool) Kernel {
	return Additive(Stationary(k).WithCategories(marks).(Stationary))
}

// Validate reports what Stationary reports.
func (k Additive) Validate() error { return Stationary(k).Validate() }

func (k Additive) spectral() bool { return k.Constant == 0 }

// addFrequency draws the frequency of one coordinate, each with the same probability.
func (k Additive) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	j := stream.IntN(len(k.Lengthscales))
	one := Stationary{Family: k.Family, Lengthscales: []float64{k.Lengthscales[j] / math.Sqrt(float64(len(w)))}}
	if k.Categorical != nil {
		one.Categorical = slices.Clone(k.Categorical[j : j+1])
	}
	one.addFrequency(stream, w[j:j+1], signs[j:j+1])
}
