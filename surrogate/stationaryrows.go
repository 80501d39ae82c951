package surrogate

import "github.com/tarry-bo/tarry/space"

// squaredDistances fills dst with the squared scaled distances of x to each of xs.
//
//go:norace
//go:nocheckptr
func (k Stationary) squaredDistances(dst []float64, x space.Unit, xs []space.Unit) {
	reads(k.Lengthscales)
	reads(x)
	readsPoints(xs)
	writes(dst)
	checkRow(len(k.Lengthscales), dst, x, xs)
	var buffer [128]float64
	inverse := append(buffer[:0], k.Lengthscales...)
	for j, l := range inverse {
		inverse[j] = 1 / l
	}
	if k.Categorical != nil {
		k.mixedDistances(dst, x, xs, inverse)
		return
	}
	switch len(inverse) {
	case 1:
		x0, scale := x[0], inverse[0]
		for i, b := range xs {
			t := (x0 - b[k.skip]) * scale
			dst[i] = t * t
		}
	default:
		x = x[:len(inverse)]
		for i := 0; i < len(xs); i += 2 { // two at a time, so that no sum waits for the one before
			last := min(i+1, len(xs)-1)
			a, b := xs[i][k.skip:][:len(inverse)], xs[last][k.skip:][:len(inverse)]
			var r2, q2 float64
			for j, scale := range inverse {
				t, u := (x[j]-a[j])*scale, (x[j]-b[j])*scale
				r2 += t * t
				q2 += u * u
			}
			dst[i], dst[last] = r2, q2
		}
	}
}

// mixedDistances is squaredDistances with coordinates that count as equal or not.
func (k Stationary) mixedDistances(dst []float64, x space.Unit, xs []space.Unit, inverse []float64) {
	for i, b := range xs {
		b = b[k.skip:]
		var r2 float64
		for j, scale := range inverse {
			t := (x[j] - b[j]) * scale
			if k.Categorical[j] && t != 0 {
				t = unequal * scale
			}
			r2 += t * t
		}
		dst[i] = r2
	}
}

func checkRow(dim int, dst []float64, x space.Unit, xs []space.Unit) {
	if len(x) != dim {
		panic("surrogate: point of the wrong dimension")
	}
	if len(dst) != len(xs) {
		panic("surrogate: row of the wrong length")
	}
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst: GradParams for a whole row, without an interface call and a
// division for each pair.
//
//go:norace
//go:nocheckptr
func (k Stationary) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	reads(k.Lengthscales)
	writes(dst)
	d := len(k.Lengthscales)
	var buffer [128]float64
	inverse := append(buffer[:0], k.Lengthscales...)
	for j, l := range inverse {
		inverse[j] = 1 / l
	}
	var p parts
	for first := 0; first < len(xs); first += rowPart {
		last := min(first+rowPart, len(xs))
		dst[d] = k.weigh(&p, dst[d], w[first:last], x, xs[first:last])
		k.addSquares(dst[:d], p.slopes[:last-first], x, xs[first:last], inverse)
	}
}

// weigh fills the slopes of a part of a row, times their weights and the outputscale, and returns sum + Σ_i w_i k(x, xs[i]).
//
//go:norace
//go:nocheckptr
func (k Stationary) weigh(p *parts, sum float64, w []float64, x space.Unit, xs []space.Unit) float64 {
	reads(w[:len(xs)])
	values, slopes := p.values[:len(xs)], p.slopes[:len(xs)]
	k.squaredDistances(values, x, xs)
	k.Family.valuesSlopes(values, slopes, 1)
	for i, value := range values {
		weight := k.Outputscale * w[i]
		sum += weight * (value + k.Constant)
		slopes[i] *= weight
	}
	return sum
}

// addSquares adds Σ_i w_i ((x_j - xs[i]_j)/l_j)² to each dst[j], of two points at a time.
//
//go:norace
//go:nocheckptr
func (k Stationary) addSquares(dst, w []float64, x space.Unit, xs []space.Unit, inverse []float64) {
	if k.Categorical != nil {
		k.addMixedSquares(dst, w, x, xs, inverse)
		return
	}
	reads(w[:len(xs)])
	reads(inverse)
	reads(x)
	readsPoints(xs)
	writes(dst)
	x, dst = x[:len(inverse)], dst[:len(inverse)]
	for i := 0; i < len(xs); i += 2 {
		last, g := min(i+1, len(xs)-1), w[i]
		a, b, h := xs[i][k.skip:][:len(inverse)], xs[last][k.skip:][:len(inverse)], w[last]
		if last == i {
			h = 0
		}
		for j, scale := range inverse {
			t, u := (x[j]-a[j])*scale, (x[j]-b[j])*scale
			dst[j] = dst[j] + g*(t*t) + h*(u*u)
		}
	}
}

// addMixedSquares is addSquares with coordinates that count as equal or not.
//
//go:norace
//go:nocheckptr
func (k Stationary) addMixedSquares(dst, w []float64, x space.Unit, xs []space.Unit, inverse []float64) {
	reads(w[:len(xs)])
	reads(inverse)
	reads(k.Categorical)
	reads(x)
	readsPoints(xs)
	writes(dst)
	for i, b := range xs {
		for j, scale := range inverse {
			t := (x[j] - b[j]) * scale
			if k.Categorical[j] && t != 0 {
				t = unequal * scale
			}
			dst[j] += w[i] * (t * t)
		}
	}
}
