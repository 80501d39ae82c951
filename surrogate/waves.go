package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// sample is a function drawn from a prior of mean zero.
type sample interface {
	at(x []float64) float64
	addGrad(x, dst []float64) float64 // returns the value and adds the derivatives to dst
}

// harmonic kernels are mixtures of cosines (Bochner's theorem): addFrequency draws an angular frequency from the spectral
// law and adds it to w, and mixes into signs the keys of the categorical coordinates that the wave tells apart.
type harmonic interface {
	addFrequency(stream *rand.Rand, w []float64, signs []uint64)
}

// drawPrior returns a draw from the prior with the given number of waves, or nil when the kernel has no known
// representation.
func drawPrior(k Kernel, stream *rand.Rand, features int) sample {
	switch k := k.(type) {
	case Sum:
		left := drawPrior(k.Left, stream, features)
		right := drawPrior(k.Right, stream, features)
		if left == nil || right == nil {
			return nil
		}
		return pair{left, right}
	case Linear:
		return drawPlane(k.Center, 0, k.Outputscale, stream)
	case DotProduct:
		return drawPlane(make([]float64, k.D), k.Offset, 1, stream)
	}
	parts, ok := harmonics(nil, k)
	if !ok {
		return nil
	}
	return drawWaves(parts, k.Dim(), k.Diag(make([]float64, k.Dim())), features, stream)
}

// harmonics collects the factors of a product of harmonic kernels: the spectral law of a product is that of the sum of
// the frequencies.
func harmonics(parts []harmonic, k Kernel) ([]harmonic, bool) {
	if product, ok := k.(Product); ok {
		parts, left := harmonics(parts, product.Left)
		parts, right := harmonics(parts, product.Right)
		return parts, left && right
	}
	h, ok := k.(harmonic)
	return append(parts, h), ok
}

// waves is the random Fourier function Σ_m amplitude_m cos(2π(w_m·x + phase_m)), with normal amplitudes of variance 2v/M
// (Rahimi & Recht 2007). Its covariance is v times the mean of cos(2π w_m·(a - b)): the kernel, up to O(1/√M).
type waves struct {
	dim        int
	w          []float64 // M×d, in turns: the angle of wave m is 2π (w_m·x + phase_m)
	signs      []uint64  // M×d keys, zero where a coordinate is no category; nil when all are
	phase      []float64
	amplitudes []float64
}

func drawWaves(parts []harmonic, dim int, variance float64, features int, stream *rand.Rand) *waves {
	f := &waves{
		dim: dim, w: make([]float64, features*dim), signs: make([]uint64, features*dim),
		phase: make([]float64, features), amplitudes: make([]float64, features),
	}
	scale := math.Sqrt(2 * variance / float64(features))
	signed := false
	for m := range features {
		row, signs := f.w[m*dim:(m+1)*dim], f.signs[m*dim:(m+1)*dim]
		for _, h := range parts {
			h.addFrequency(stream, row, signs)
		}
		for _, s := range signs {
			signed = signed || s != 0
		}
		floats.Scale(1/(2*math.Pi), row)
		f.phase[m] = stream.Float64()
		f.amplitudes[m] = scale * stream.NormFloat64()
	}
	if !signed {
		f.signs = nil
	}
	return f
}

// wave returns amplitude (with its sign) and angle in turns of wave m at x.
func (f *waves) wave(m int, x []float64) (amplitude, angle float64) {
	row := f.w[m*f.dim : (m+1)*f.dim]
	angle = f.phase[m]
	for j, w := range row {
		angle += w * x[j]
	}
	amplitude = f.amplitudes[m]
	if f.signs != nil {
		for j, key := range f.signs[m*f.dim : (m+1)*f.dim] {
			if key != 0 && hashBit(key, x[j]) {
				amplitude = -amplitude
			}
		}
	}
	return amplitude, angle
}

// hashBit is a fair coin for each pair of key and value: the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
func hashBit(key uint64, v float64) bool {
	h := key ^ math.Float64bits(v+0)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return (h^h>>31)&1 == 1
}

func (f *waves) at(x []float64) float64 {
	var sum float64
	for m := range f.phase {
		amplitude, angle := f.wave(m, x)
		cos, _ := cosTurns(angle)
		sum += amplitude * cos
	}
	return sum
}

func (f *waves) addGrad(x, dst []float64) float64 {
	var sum float64
	for m := range f.phase {
		amplitude, angle := f.wave(m, x)
		cos, sin := cosTurns(angle)
		sum += amplitude * cos
		floats.AddScaled(dst, -2*math.Pi*amplitude*sin, f.w[m*f.dim:(m+1)*f.dim])
	}
	return sum
}

// addFrequency draws ω = z √(2ν/χ²_{2ν}) for Matérn-ν and ω = z for SE, z standard normal, over the lengthscales; one
// χ² for all dimensions. Given the square τ of that factor the kernel is exp(-τ r²/2), so a categorical coordinate
// contributes ρ = exp(-τ/(2 l²)) when it differs: it is ignored with probability ρ and a fair random sign for each
// category otherwise, which has exactly that correlation.
func (k Stationary) addFrequency(stream *rand.Rand, w []float64, signs []uint64) {
	freedom := [families]int{Matern12: 1, Matern32: 3, Matern52: 5}[k.Family] // 2ν; none for SE
	tau := 1.0
	if freedom > 0 {
		var chi2 float64
		for range freedom {
			z := stream.NormFloat64()
			chi2 += z * z
		}
		tau = float64(freedom) / chi2
	}
	root := math.Sqrt(tau)
	for j, l := range k.Lengthscales {
		if !k.categorical(j) {
			w[j] += root * stream.NormFloat64() / l
			continue
		}
		key := stream.Uint64() | 1
		if stream.Float64() >= math.Exp(-tau/(2*l*l)) {
			signs[j] ^= key
		}
	}
}

// addFrequency draws a multiple of 2π/p in each dimension. exp((cos t - 1)/l²) is the Fourier series of the law of the
// difference of two Poisson variables of mean 1/(2l²) (Skellam 1946).
func (k Periodic) addFrequency(stream *rand.Rand, w []float64, _ []uint64) {
	for j, l := range k.Lengthscales {
		law := distuv.Poisson{Lambda: 1 / (2 * l * l), Src: stream}
		w[j] += 2 * math.Pi / k.Period * (law.Rand() - law.Rand())
	}
}

// plane is the function value + slope·(x - center), the exact draw for linear kernels.
type plane struct {
	center, slope []float64
	value         float64
}

func drawPlane(center []float64, offset, variance float64, stream *rand.Rand) *plane {
	f := &plane{center: center, slope: make([]float64, len(center)), value: math.Sqrt(offset) * stream.NormFloat64()}
	for j := range f.slope {
		f.slope[j] = math.Sqrt(variance) * stream.NormFloat64()
	}
	return f
}

func (f *plane) at(x []float64) float64 {
	sum := f.value
	for j, s := range f.slope {
		sum += s * (x[j] - f.center[j])
	}
	return sum
}

func (f *plane) addGrad(x, dst []float64) float64 {
	floats.Add(dst, f.slope)
	return f.at(x)
}

// pair is the sum of two independent draws.
type pair struct{ left, right sample }

func (f pair) at(x []float64) float64 { return f.left.at(x) + f.right.at(x) }

func (f pair) addGrad(x, dst []float64) float64 {
	return f.left.addGrad(x, dst) + f.right.addGrad(x, dst)
}
