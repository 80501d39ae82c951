package experiment

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/tarry-bo/tarry/internal/lab/langevin"
	"github.com/tarry-bo/tarry/internal/rng"
)

func init() {
	add(Experiment{
		Name: "langevin", Title: "Langevin Monte Carlo over a noisy channel", Source: "Zhang 2024, appendix A; the law of the data is ours",
		About: "Twenty devices sample the posterior of a linear regression together: each round all send the gradients of their rows at once, as one bit an " +
			"entry or as they are, and the noise of the channel moves the sample. Amplitudes are limited by power, by differential privacy and by the noise that " +
			"Langevin dynamics want, as the source has it, as corrected and not at all. Varied are the signal-to-noise ratio and the privacy.",
		Rounds: 100, Unit: "rounds that count, after twice as many",
		Plan: planLangevin,
	})
}

// The setting of the source.
const (
	langevinParameters = 5
	langevinRows       = 1200
	langevinDevices    = 20
	langevinGain       = 0.04
	langevinNoise      = 1.0
	langevinClip       = 30.0
	langevinDelta      = 0.01
	langevinDigital    = 8.28e-3 // step of one bit
	langevinAnalog     = 1.28e-4
	langevinEpsilon    = 5.0  // while the signal-to-noise ratio is varied
	langevinRatio      = 25.0 // in dB, while the privacy is varied
	langevinDraws      = 50_000
)

// The places of the curves.
var (
	langevinRatios   = []float64{0, 5, 10, 15, 17.5, 20, 25, 30} // P0/N0 in dB
	langevinEpsilons = []float64{0.25, 0.5, 1, 1.5, 2, 3, 5, 7.5, 10}
)

// Curves of the experiment, over ratios and over epsilons, and the single number of the chains in one dimension.
const (
	langevinError       = "error"       // squared distance of the mean of the samples to that of the posterior
	langevinTemperature = "temperature" // of the samples; 1 is right
	langevinAmplitude   = "amplitude"
	langevinStep        = "step"
	overRatios          = "_by_ratio"
	overEpsilons        = "_by_epsilon"
	langevinVariance    = "variance"
)

// langevinCode is a way to send gradients.
type langevinCode struct {
	name string
	langevin.Coding
	step float64
}

// langevinCodes are those that are compared; the slope of the source is a = 0.05.
var langevinCodes = []langevinCode{
	{"digital, a = 0.01", langevin.Coding{Slope: 0.01, Clip: langevinClip}, langevinDigital},
	{"digital, a = 0.02", langevin.Coding{Slope: 0.02, Clip: langevinClip}, langevinDigital},
	{langevinMain, langevin.Coding{Slope: 0.05, Clip: langevinClip}, langevinDigital},
	{"digital, a = 0.1", langevin.Coding{Slope: 0.1, Clip: langevinClip}, langevinDigital},
	{langevinAnalogName, langevin.Coding{Clip: langevinClip}, langevinAnalog},
}

const langevinMain, langevinAnalogName = "digital, a = 0.05", "analog"

// langevinVersion is how much noise Langevin dynamics are given.
type langevinVersion struct {
	name string
	// tune returns step and amplitude from the step of the source and the most that power and privacy allow.
	tune func(c langevin.Coding, step, most float64, devices int) (float64, float64)
	// averaged is without the noise of the bits.
	averaged bool
}

// langevinVersions are those that are possible, and one that shows what the noise of the bits does.
var langevinVersions = []langevinVersion{
	{name: "as printed", tune: func(_ langevin.Coding, step, most float64, _ int) (float64, float64) {
		return step, min(most, langevin.PrintedLimit(step, langevinNoise))
	}},
	{name: "corrected", tune: func(c langevin.Coding, step, most float64, devices int) (float64, float64) {
		return c.Match(step, most, langevinNoise, devices)
	}},
	{name: "noise not required", tune: untuned},
	{name: "bits without noise", tune: untuned, averaged: true},
}

// langevinPossible are the versions that devices can perform.
var langevinPossible = langevinVersions[:3]

// untuned leaves the step of the source, and the amplitude to power and privacy.
func untuned(_ langevin.Coding, step, most float64, _ int) (float64, float64) { return step, most }

// langevinLine is the group of the chains in one dimension.
const langevinLine = "one dimension"

func planLangevin(in Input) (Plan, error) {
	var arms []Arm
	for _, v := range langevinVersions {
		for _, c := range langevinCodes {
			arms = append(arms, langevinArm(v, c, in.Rounds))
		}
	}
	for _, v := range langevinVersions[:2] {
		arms = append(arms, Arm{Group: langevinLine, Name: v.name, Steps: 1, Run: func(_ context.Context, seed uint64, step func()) (Record, error) {
			defer step()
			return langevinLineRun(v, seed, in.Rounds)
		}})
	}
	return Plan{Arms: arms, Facts: []Fact{
		{"data", "1200 rows of 5 covariates, N(0, I), spread over 20 devices; labels with noise of variance 1; true parameters and prior N(0, I); others for each seed"},
		{"channel", "gain 0.04, noise N0 = 1; the signal-to-noise ratio is P0/N0, and the power suffices for gradients whose entries are all clipped, at 30"},
		{"privacy", fmt.Sprintf("each round loses more than epsilon with a probability of at most 0.01 between any two gradients of a device; for one bit simulated %d times", langevinDraws)},
		{"steps", "8.28e-3 for one bit and 1.28e-4 for analog, or less where the correction wants it"},
		{"chains", "begin at 0"},
		{langevinVersions[3].name, "the noise of the channel is not required, and what a bit is on average is sent in its place, as no device can: it shows what the noise of the bits does"},
	}, Show: showLangevin}, nil
}

// langevinChain is what decides about a chain besides its seed.
type langevinChain struct {
	langevinVersion
	langevinCode
	ratio, epsilon float64
	rounds         int
}

// langevinArm has a chain for each ratio and one for each epsilon.
func langevinArm(v langevinVersion, code langevinCode, rounds int) Arm {
	chain := langevinChain{v, code, langevinRatio, langevinEpsilon, rounds}
	return Arm{
		Group: v.name, Name: code.name, Steps: len(langevinRatios) + len(langevinEpsilons),
		Prepare: func(uint64) error {
			for _, epsilon := range langevinEpsilons {
				privacyLimit(code.Coding, epsilon)
			}
			return nil
		},
		Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
			target, err := langevin.Regression(rng.New(seed, rng.Problem, 0), langevinParameters, langevinRows, langevinDevices)
			if err != nil {
				return nil, err
			}
			out := Record{}
			over := func(where string, places []float64, at func(place float64) langevinChain) {
				for _, place := range places {
					at(place).run(out, where, target, seed)
					step()
				}
			}
			over(overRatios, langevinRatios, func(ratio float64) langevinChain { c := chain; c.ratio = ratio; return c })
			over(overEpsilons, langevinEpsilons, func(epsilon float64) langevinChain { c := chain; c.epsilon = epsilon; return c })
			return out, ctx.Err()
		},
	}
}

// run performs a chain and adds what it gave to the curves. All chains of a seed meet the same noise.
func (c langevinChain) run(out Record, where string, target langevin.Posterior, seed uint64) {
	channel := langevin.Channel{Gain: langevinGain, Power: langevinNoise * math.Pow(10, c.ratio/10), Noise: langevinNoise}
	most := min(channel.PowerLimit(c.Coding), privacyLimit(c.Coding, c.epsilon))
	s := langevin.Sampler{Coding: c.Coding, Noise: langevinNoise, Averaged: c.averaged}
	s.Step, s.Amplitude = c.tune(c.Coding, c.step, most, langevinDevices)
	theta, mean, temperature := make([]float64, langevinParameters), make([]float64, langevinParameters), 0.0
	noise, quantizer := rng.New(seed, rng.Channel, 0), rng.New(seed, rng.Quantizer, 0)
	s.Run(target, theta, 2*c.rounds, noise, quantizer, func([]float64) {})
	s.Run(target, theta, c.rounds, noise, quantizer, func(theta []float64) {
		temperature += target.Temperature(theta) / float64(c.rounds)
		for i, v := range theta {
			mean[i] += v / float64(c.rounds)
		}
	})
	for curve, v := range map[string]float64{
		langevinError: target.Error(mean), langevinTemperature: temperature, langevinAmplitude: s.Amplitude, langevinStep: s.Step,
	} {
		out[curve+where] = append(out[curve+where], v)
	}
}

// privacyLimits remembers the limits of privacy, by coding and epsilon: all seeds have the same.
var privacyLimits sync.Map

// privacyLimit is the greatest amplitude that keeps the privacy.
func privacyLimit(c langevin.Coding, epsilon float64) float64 {
	type key struct {
		langevin.Coding
		epsilon float64
	}
	found, _ := privacyLimits.LoadOrStore(key{c, epsilon}, sync.OnceValue(func() float64 {
		p := langevin.Privacy{Epsilon: epsilon, Delta: langevinDelta}
		return p.Limit(c, langevinNoise, langevinParameters, langevinDraws, rng.New(1, rng.Loss, 0))
	}))
	return found.(func() float64)()
}

// langevinLineRun is the variance of a chain of one bit on one device for N(0, 1/4), with a step of 0.01.
func langevinLineRun(v langevinVersion, seed uint64, rounds int) (Record, error) {
	const precision, step, longer = 4, 0.01, 1000
	target, err := langevin.NewPosterior(langevin.Device{Gram: []float64{precision}, Cross: []float64{0}})
	if err != nil {
		return nil, err
	}
	s := langevin.Sampler{Coding: langevin.Coding{Slope: 0.05, Clip: langevinClip}, Noise: langevinNoise}
	s.Step, s.Amplitude = v.tune(s.Coding, step, math.Inf(1), 1)
	theta, variance := []float64{0}, 0.0
	noise, quantizer := rng.New(seed, rng.Channel, 0), rng.New(seed, rng.Quantizer, 0)
	s.Run(target, theta, longer*rounds/10, noise, quantizer, func([]float64) {})
	s.Run(target, theta, longer*rounds, noise, quantizer, func(theta []float64) { variance += theta[0] * theta[0] / float64(longer*rounds) })
	return Record{langevinVariance: {variance}}, nil
}
