package langevin

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// stationary is the variance of a chain of one bit on one device for N(0, 1/4), over that many rounds.
func stationary(t *testing.T, amplitude float64, rounds int) float64 {
	t.Helper()
	p := must.Get(NewPosterior(Device{Gram: []float64{4}, Cross: []float64{0}}))(t)
	s := Sampler{Coding: oneBit, Step: 0.01, Amplitude: amplitude, Noise: 1}
	theta, sum := []float64{0}, 0.0
	channel, quantizer := rng.New(2, rng.Channel, 0), rng.New(2, rng.Quantizer, 0)
	s.Run(p, theta, rounds/100, channel, quantizer, func([]float64) {})
	s.Run(p, theta, rounds, channel, quantizer, func(theta []float64) { sum += theta[0] * theta[0] })
	return sum / float64(rounds)
}

// diffusion is the variance of the diffusion with the drift and the noise of that chain, by its stationary density
// exp(-∫ 2 η Mean/D)/D, D = η² (N0/A² + 1 - Mean²).
func diffusion(amplitude, reach float64) float64 {
	const parts, step = 20_000, 0.01
	total, square, exponent, wide := 0.0, 0.0, 0.0, reach/parts
	for i := range parts {
		theta := (float64(i) + 0.5) * wide
		mean := oneBit.Mean(4 * theta)
		noise := step * (1/(amplitude*amplitude) + 1 - mean*mean)
		exponent += 2 * mean / noise * wide
		weight := math.Exp(-exponent) / noise
		total, square = total+weight, square+weight*theta*theta
	}
	return square / total
}

// The drift has a time constant of 1000 rounds, so that of a million rounds a thousand count: the standard error of a variance is 1/22 of it.
func TestTheStationaryVarianceIsTheTargetsAsCorrectedAndFarFromItAsPrinted(t *testing.T) {
	const rounds, target, seen, seenPrinted = 1_000_000, 0.25, 0.246, 10.50 // seen: in a simulation of others
	step, corrected := oneBit.Match(0.01, math.Inf(1), 1, 1)
	must.Near(t, "step", step, 0.01, 0)
	must.Near(t, "amplitude as corrected", corrected, 0.5, 1e-12)
	must.Near(t, "variance of the diffusion, and the target", diffusion(corrected, 6), target, 5e-4)
	variance := stationary(t, corrected, rounds)
	must.Near(t, "variance as corrected, and the target", variance, target, 0.02)
	must.Near(t, "variance as corrected, and what was seen", variance, seen, 0.02)
	printed := stationary(t, PrintedLimit(0.01, 1), rounds)
	must.Near(t, "variance of the diffusion as printed", diffusion(PrintedLimit(0.01, 1), 60), 11.47, 1e-3)
	must.Near(t, "variance as printed", printed, 11.47, 0.12)
	must.Near(t, "variance as printed, and what was seen", printed, seenPrinted, 0.2)
}

func TestPrintedLimitIsThatOfLangevinDynamicsWithoutQuantization(t *testing.T) {
	must.Near(t, "limit", PrintedLimit(0.01, 2), 0.1, 1e-15)
	analog := Coding{Clip: 30}
	if step, amplitude := analog.Match(0.01, 5, 2, 20); step != 0.01 || amplitude != PrintedLimit(0.01, 2) {
		t.Errorf("analog is matched with %v, %v", step, amplitude)
	}
}

func TestAMatchHasTheNoiseThatTheDriftWants(t *testing.T) {
	for _, c := range []Coding{oneBit, {Clip: 30}} {
		for _, most := range []float64{0.01, 0.1, 1, 10} {
			step, amplitude := c.Match(0.002, most, 1.3, 20)
			if step > 0.002 || amplitude > most*(1+1e-12) {
				t.Errorf("slope %v, at most %v: step %v, amplitude %v", c.Slope, most, step, amplitude)
			}
			must.Near(t, "noise over drift", step*(1.3/(amplitude*amplitude)+c.Variance(20))/(2*c.Drift()), 1, 1e-12)
		}
	}
}

func TestThePowerIsSpentWhereEveryEntryIsClipped(t *testing.T) {
	c := Channel{Gain: 0.04, Power: 100, Noise: 1}
	must.Near(t, "one bit", c.PowerLimit(oneBit), 0.4, 1e-15)
	must.Near(t, "analog", c.PowerLimit(Coding{Clip: 30}), 0.4/30, 1e-15)
}

func TestDevicesAddUpToThePosterior(t *testing.T) {
	p := must.Get(Regression(rng.New(4, rng.Problem, 0), 5, 1200, 20))(t)
	sum, one := make([]float64, 5), make([]float64, 5)
	for _, d := range p.Devices {
		d.gradient(p.Mean, one)
		for i, g := range one {
			sum[i] += g
		}
	}
	for i, g := range sum {
		must.Near(t, "gradient at the mean", g, 0, 1e-9)
		if at := p.Precision[6*i]; at < 900 || at > 1500 {
			t.Errorf("precision %v of parameter %d after 1200 rows", at, i)
		}
	}
	if p.Error(p.Mean) != 0 || p.Temperature(p.Mean) != 0 {
		t.Error("the mean is not where the error is 0")
	}
	if _, err := NewPosterior(Device{Gram: []float64{0}, Cross: []float64{1}}); err == nil {
		t.Error("a flat law is no posterior")
	}
}

func TestTemperatureOfHandWorkedValues(t *testing.T) {
	p := must.Get(NewPosterior(Device{Gram: []float64{2, 1, 1, 2}, Cross: []float64{3, 3}}))(t)
	must.Near(t, "mean", p.Mean[0], 1, 1e-15)
	must.Near(t, "temperature", p.Temperature([]float64{2, 3}), (2*1+2*2+2*4)/2.0, 1e-15)
	must.Near(t, "error", p.Error([]float64{2, 3}), 5, 1e-15)
}

// With little noise of the channel a chain of one bit spreads as the noise of its bits says, and without that it stays at the mean.
func TestBitsHaveTheirOwnNoiseAndTheirAverageHasNone(t *testing.T) {
	p := must.Get(NewPosterior(Device{Gram: []float64{4}, Cross: []float64{0}}))(t)
	spread := func(averaged bool) float64 {
		s := Sampler{Coding: oneBit, Step: 0.1, Amplitude: 1e6, Noise: 1, Averaged: averaged}
		theta, sum := []float64{0}, 0.0
		const rounds = 100_000
		s.Run(p, theta, rounds, rng.New(6, rng.Channel, 0), rng.New(6, rng.Quantizer, 0), func(theta []float64) { sum += theta[0] * theta[0] })
		return sum / rounds
	}
	must.Near(t, "variance with bits", spread(false), 0.1*1/(2*0.1), 0.06) // η² / (2 η drift), the drift being 4 a/2
	if v := spread(true); v > 1e-9 {
		t.Errorf("a variance of %v without them", v)
	}
}

// A step of c in units of the curvature makes samples of a discrete chain hotter by 1/(1 - c/2).
func TestMatchedChainsHaveTheTemperatureOfThePosterior(t *testing.T) {
	p := must.Get(Regression(rng.New(5, rng.Problem, 0), 5, 1200, 20))(t)
	for _, c := range []Coding{{Slope: 0.05, Clip: 30}, {Slope: 0.02, Clip: 30}, {Clip: 30}} {
		s := Sampler{Coding: c, Noise: 1}
		s.Step, s.Amplitude = c.Match(0.05/(1200*c.Drift()), math.Inf(1), 1, 20)
		theta, sum := append([]float64(nil), p.Mean...), 0.0
		const rounds = 20_000
		s.Run(p, theta, rounds, rng.New(5, rng.Channel, 0), rng.New(5, rng.Quantizer, 0), func(theta []float64) { sum += p.Temperature(theta) })
		must.Near(t, "temperature", sum/rounds, 1.05, 0.15)
	}
}
