package surrogate

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/space"
)

// sample is a function drawn from a prior of mean zero.
type sample interface {
	at(x space.Unit) float64
	addGrad(x space.Unit, dst []float64) float64 // returns the value and adds the derivatives to dst
}

// drawer kernels know how to draw a function from the prior, nil where they do not after all. A kernel that is neither drawer nor
// harmonic has no draws.
type drawer interface {
	drawPrior(stream *rand.Rand, features int) sample
}

// harmonic kernels are mixtures of cosines (Bochner's theorem), if they are spectral: addFrequency draws an angular frequency
// from the spectral distribution and adds it to w, and mixes into signs the keys of the categorical coordinates that the wave tells
// apart.
type harmonic interface {
	Kernel
	spectral() bool
	addFrequency(stream *rand.Rand, w []float64, signs []uint64)
}

// spectral returns the kernel as a mixture of cosines, if it is one.
func spectral(k Kernel) (harmonic, bool) {
	h, ok := k.(harmonic)
	return h, ok && h.spectral()
}

// drawPrior returns a draw from the prior with the given number of waves, or nil when the kernel has no known
// representation.
func drawPrior(k Kernel, stream *rand.Rand, features int) sample {
	if constantOf(k) > 0 {
		return drawWithConstant(k, stream, features)
	}
	if d, ok := k.(drawer); ok {
		return d.drawPrior(stream, features)
	}
	if h, ok := spectral(k); ok {
		return drawWaves(h, features, stream)
	}
	return nil
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

func drawWaves(h harmonic, features int, stream *rand.Rand) *waves {
	dim := h.Dim()
	variance := h.Diag(make([]float64, dim))
	f := &waves{
		dim: dim, w: make([]float64, features*dim), signs: make([]uint64, features*dim),
		phase: make([]float64, features), amplitudes: make([]float64, features),
	}
	scale := math.Sqrt(2 * variance / float64(features))
	signed := false
	for m := range features {
		row, signs := f.w[m*dim:(m+1)*dim], f.signs[m*dim:(m+1)*dim]
		h.addFrequency(stream, row, signs)
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

// wavesAtOnce is how many angles are computed before their cosines.
const wavesAtOnce = 64

// turns fills angles with the angles in turns at x of as many waves from the first on, and returns their amplitudes with their signs,
// in the memory given.
//
//go:norace
//go:nocheckptr
func (f *waves) turns(first int, x space.Unit, angles, memory []float64) []float64 {
	d := f.dim
	reads(f.phase[first : first+len(angles)])
	reads(f.w[first*d : (first+len(angles))*d])
	reads(x)
	writes(angles)
	x = x[:d]
	for i, angle := range f.phase[first : first+len(angles)] {
		row := f.w[(first+i)*d : (first+i)*d+d]
		for j, w := range row {
			angle += w * x[j]
		}
		angles[i] = angle
	}
	amplitudes := f.amplitudes[first : first+len(angles)]
	if f.signs == nil {
		return amplitudes
	}
	reads(amplitudes)
	reads(f.signs[first*d : (first+len(angles))*d])
	writes(memory)
	copy(memory, amplitudes)
	for i := range angles {
		for j, key := range f.signs[(first+i)*d : (first+i)*d+d] {
			if key != 0 && hashBit(key, x[j]) {
				memory[i] = -memory[i]
			}
		}
	}
	return memory[:len(angles)]
}

// hashBit is a fair coin for each pair of key and value: the finalizer of SplitMix64 (Steele, Lea & Flood 2014).
//
//go:norace
//go:nocheckptr
func hashBit(key uint64, v float64) bool {
	h := key ^ math.Float64bits(v+0)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return (h^h>>31)&1 == 1
}

func (f *waves) at(x space.Unit) float64 {
	var sum float64
	var angles, memory [wavesAtOnce]float64
	for first := 0; first < len(f.phase); first += wavesAtOnce {
		part := angles[:min(wavesAtOnce, len(f.phase)-first)]
		amplitudes := f.turns(first, x, part, memory[:])
		sum = addCosines(sum, amplitudes, part)
	}
	return sum
}

func (f *waves) addGrad(x space.Unit, dst []float64) float64 {
	var sum float64
	var angles, memory [wavesAtOnce]float64
	for first := 0; first < len(f.phase); first += wavesAtOnce {
		part := angles[:min(wavesAtOnce, len(f.phase)-first)]
		for i, amplitude := range f.turns(first, x, part, memory[:]) {
			cos, sin := cosTurns(part[i])
			sum += amplitude * cos
			floats.AddScaled(dst, -2*math.Pi*amplitude*sin, f.w[(first+i)*f.dim:(first+i+1)*f.dim])
		}
	}
	return sum
}
