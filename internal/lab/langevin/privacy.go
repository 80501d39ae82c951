package langevin

import (
	"math"
	"math/rand/v2"
)

// Privacy is what every round promises: for the two gradients of a device that are furthest apart, ℓ and -ℓ in every entry, the absolute
// privacy loss of what the channel delivers is at most Epsilon with a probability of at least 1 - Delta.
type Privacy struct{ Epsilon, Delta float64 }

// Loss is what one entry gives away of a device whose gradient is ℓ and might be -ℓ, when sent of it is +1 or -1 and z is the noise: the
// logarithm of the ratio of the densities of A sent + z under both. With x = tanh(A (A sent + z)/N0) it is
//
//	log [(Φ E + 1 - Φ)/((1 - Φ) E + Φ)] = 2 artanh(tanh(a ℓ/2) x) = log(1 + exp(a ℓ) E) - log(exp(a ℓ) + E),
//	E = exp(2 A (A sent + z)/N0), Φ = Φ_a(ℓ),
//
// at most a ℓ in absolute value. What other devices send adds to what is received and is known to who attacks, so it cancels.
func (c Coding) Loss(sent, amplitude, z, noise float64) float64 {
	evidence := 2 * amplitude * (amplitude*sent + z) / noise // log E
	// Not by artanh, whose argument rounds to 1 where a ℓ and the evidence are great.
	most, seen := c.Slope*c.Clip, math.Abs(evidence)
	return math.Copysign(min(most, seen)+math.Log1p(math.Exp(-most-seen))-math.Log1p(math.Exp(-math.Abs(most-seen))), evidence)
}

// LossLimit is the greatest absolute loss of m entries of one bit.
func (c Coding) LossLimit(m int) float64 { return float64(m) * c.Slope * c.Clip }

// digital is the probability, by Monte Carlo, that the loss of m entries is small enough: rounds of m uniform numbers that decide about
// the bit, and as many standard normal ones.
func (p Privacy) digital(c Coding, amplitude, noise float64, m int, uniform, normal []float64) float64 {
	small, sd, up := 0, math.Sqrt(noise), c.Up(c.Clip)
	for at := 0; at < len(uniform); at += m {
		loss := 0.0
		for i := at; i < at+m; i++ {
			sent := -1.0
			if uniform[i] < up {
				sent = 1
			}
			loss += c.Loss(sent, amplitude, sd*normal[i], noise)
		}
		if math.Abs(loss) <= p.Epsilon {
			small++
		}
	}
	return float64(small*m) / float64(len(uniform))
}

// Analog is the probability that a loss with the law N(μ, 2μ) is small enough.
func (p Privacy) Analog(mean float64) float64 {
	sd := 2 * math.Sqrt(mean)
	return (math.Erf((p.Epsilon-mean)/sd) - math.Erf((-p.Epsilon-mean)/sd)) / 2
}

// AnalogLoss is the mean μ = 2 m A² ℓ²/N0 of the loss of m analog entries.
func (c Coding) AnalogLoss(amplitude, noise float64, m int) float64 {
	return 2 * float64(m) * amplitude * amplitude * c.Clip * c.Clip / noise
}

// Limit is the greatest amplitude that keeps the promise for m entries; +Inf where every one does. For one bit it is estimated from that
// many simulated rounds, which the stream draws, about 30 times over them; for analog it is exact.
func (p Privacy) Limit(c Coding, noise float64, m, rounds int, stream *rand.Rand) float64 {
	if c.Slope == 0 {
		return greatest(func(amplitude float64) bool { return p.Analog(c.AnalogLoss(amplitude, noise, m)) >= 1-p.Delta })
	}
	if c.LossLimit(m) <= p.Epsilon {
		return math.Inf(1)
	}
	uniform, normal := make([]float64, rounds*m), make([]float64, rounds*m)
	for i := range uniform {
		uniform[i], normal[i] = stream.Float64(), stream.NormFloat64()
	}
	return greatest(func(amplitude float64) bool { return p.digital(c, amplitude, noise, m, uniform, normal) >= 1-p.Delta })
}

// greatest is where what holds of small amplitudes stops to hold, to six digits; +Inf where it holds of a million.
func greatest(holds func(amplitude float64) bool) float64 {
	const most, least, halvings = 1e6, 1e-12, 20
	high := 1.0
	for holds(high) {
		if high *= 2; high > most {
			return math.Inf(1)
		}
	}
	for !holds(high / 2) {
		if high /= 2; high < least {
			return 0
		}
	}
	low := high / 2
	for range halvings {
		if middle := (low + high) / 2; holds(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
