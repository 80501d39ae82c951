// Package langevin is Langevin Monte Carlo by many devices that share a noisy channel (Zhang 2024, appendix A): each sends the
// gradient of its share of minus the log posterior, quantized to one bit an entry or as it is, the channel adds them up, and its noise is
// what moves the samples and what hides the devices' data.
//
//	target, err := langevin.Regression(stream, 5, 1200, 20)
//	digital := langevin.Coding{Slope: 0.05, Clip: 30}
//	step, amplitude := digital.Match(0.01, 0.7, 1, 20)
//	s := langevin.Sampler{Coding: digital, Step: step, Amplitude: amplitude, Noise: 1}
//	s.Run(target, theta, 300, channel, quantizer, func(theta []float64) { … })
//
// Symbols are those of the source: step η, amplitude A after the channel's gain was inverted, variance of the noise N0, slope a of the
// quantizer, clipping ℓ of a gradient's entries, K devices, m entries. The package is pure.
package langevin

import (
	"math"
	"math/rand/v2"
)

// Coding is how an entry of a gradient is sent: clipped, and then as one bit or as it is.
type Coding struct {
	Slope float64 // a of the quantizer; 0: analog, the entry is sent as it is
	Clip  float64 // ℓ, the greatest absolute value of an entry
}

// Up is the probability that an entry is sent as +1, Φ_a(g) = 1/(1 + exp(-a g)); otherwise it is sent as -1.
func (c Coding) Up(g float64) float64 { return 1 / (1 + math.Exp(-c.Slope*c.clipped(g))) }

// Mean is what is sent of an entry on average: tanh(a g/2) of one bit, g of an analog one.
func (c Coding) Mean(g float64) float64 {
	if c.Slope == 0 {
		return c.clipped(g)
	}
	return math.Tanh(c.Slope * c.clipped(g) / 2)
}

func (c Coding) clipped(g float64) float64 { return min(max(g, -c.Clip), c.Clip) }

// Drift is by what a small gradient is multiplied on average: a/2 for one bit, 1 for analog.
func (c Coding) Drift() float64 {
	if c.Slope == 0 {
		return 1
	}
	return c.Slope / 2
}

// Variance is at most that of the sum of what the devices send of an entry: one of each bit, none of analog.
func (c Coding) Variance(devices int) float64 {
	if c.Slope == 0 {
		return 0
	}
	return float64(devices)
}

// Peak is the greatest absolute value that is sent of an entry.
func (c Coding) Peak() float64 {
	if c.Slope == 0 {
		return c.Clip
	}
	return 1
}

// Sampler is a chain's configuration.
type Sampler struct {
	Coding
	Step      float64 // η
	Amplitude float64 // A
	Noise     float64 // N0, variance of the channel's noise for each entry
	// Averaged sends what a bit is on average in its place, as no device can: it shows what the noise of the bits does.
	Averaged bool
}

// send is what is sent of an entry.
func (s Sampler) send(g float64, quantizer *rand.Rand) float64 {
	switch {
	case s.Slope == 0 || s.Averaged:
		return s.Mean(g)
	case quantizer.Float64() < s.Up(g):
		return 1
	}
	return -1
}

// Run goes that many rounds on from theta, which it changes, and shows it after each:
//
//	θ ← θ - η (Σ_k g̃_k + z/A),  z ~ N(0, N0).
//
// A round costs O(K m²).
func (s Sampler) Run(p Posterior, theta []float64, rounds int, channel, quantizer *rand.Rand, each func(theta []float64)) {
	sum, gradient := make([]float64, len(theta)), make([]float64, len(theta))
	sd := math.Sqrt(s.Noise) / s.Amplitude
	for range rounds {
		clear(sum)
		for _, d := range p.Devices {
			d.gradient(theta, gradient)
			for i, g := range gradient {
				sum[i] += s.send(g, quantizer)
			}
		}
		for i, g := range sum {
			theta[i] -= s.Step * (g + sd*channel.NormFloat64())
		}
		each(theta)
	}
}
