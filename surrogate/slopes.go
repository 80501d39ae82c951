package surrogate

// rowSlopes fills dst with k(x, xs[i]) and slopes with the factors g_i for which the derivatives by x_j are
// -g_i (x_j - xs[i]_j)/l_j².
func (k Stationary) rowSlopes(dst, slopes, x []float64, xs [][]float64) {
	k.squaredDistances(dst, x, xs)
	k.Family.valuesSlopes(dst, slopes, k.Outputscale)
}

// addSlopes adds Σ_i u_i dk(x, xs[i])/dx to du and the same with v to dv, in one pass over the pairs.
func (k Stationary) addSlopes(du, u, dv, v, slopes, x []float64, xs [][]float64) {
	d := len(k.Lengthscales)
	x, du, dv = x[:d], du[:d], dv[:d]
	for i, b := range xs {
		b = b[:d]
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

// addWeighted returns Σ w_i k(x, xs[i]) and adds its derivatives by x to dst, which is zero.
func (k Stationary) addWeighted(dst, x []float64, xs [][]float64, w []float64) float64 {
	d := len(k.Lengthscales)
	var buffer [32]float64
	inverse := append(buffer[:0], k.Lengthscales...)
	for j, l := range inverse {
		inverse[j] = 1 / l
	}
	x, dst = x[:d], dst[:d]
	var sum float64
	for i, b := range xs {
		b = b[:d]
		var r2 float64
		for j, scale := range inverse {
			t := (x[j] - b[j]) * scale
			if k.Categorical != nil && k.Categorical[j] && t != 0 {
				t = scale
			}
			r2 += t * t
		}
		value, slope := k.Family.valueSlope(r2)
		sum += w[i] * value
		slope *= -w[i]
		for j, c := range b {
			dst[j] += slope * (x[j] - c)
		}
	}
	for j, scale := range inverse {
		if k.categorical(j) {
			scale = 0
		}
		dst[j] *= k.Outputscale * scale * scale
	}
	return k.Outputscale * sum
}
