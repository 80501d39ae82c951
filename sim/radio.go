package sim

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The radio problem of Kim et al. 2025, sec. V-D: transmit powers and tilts of nine sector antennas that serve users on the
// ground and unmanned aerial vehicles (UAVs) overhead. Its value is 0.7 times the mean rate of the ground users plus 0.3
// times that of the UAVs, in bit/s/Hz, as in their program; their text has the weights the other way round.
const (
	groundShare  = 0.7
	radioInitial = 50
)

func init() {
	Register("radio", "powers and tilts of 9 antennas for ground users and UAVs, mean rate under fading (after Kim et al. 2025); regrets count from an upper bound",
		func(seed uint64) (Problem, error) { return Radio(seed, 1) })
}

// Radio returns the radio problem with the users that the seed places. Its 18 parameters are nine powers in [6, 46] dBm, then
// nine tilts in [-90, 90] degrees, upwards positive. The value is the exact mean over Rayleigh fading; an evaluation averages
// over so many draws of the fading, and is the noisier the fewer they are. The maximum is not known, Maximum is a bound well
// above what can be reached: only differences between regrets mean something. A value takes about 0.1 ms. The error names
// draws outside [1, 1000].
func Radio(seed uint64, draws int) (Problem, error) {
	var l check.List
	l.Between("draws", draws, 1, 1000)
	if err := l.Err(); err != nil {
		return Problem{}, err
	}
	parameters := make([]space.Parameter, 2*antennas)
	for b := range antennas {
		parameters[b] = space.Float(fmt.Sprintf("power%d", b+1), leastPower, mostPower)
		parameters[antennas+b] = space.Float(fmt.Sprintf("tilt%d", b+1), -90, 90)
	}
	s, err := space.New(parameters...)
	n := layout(rng.New(seed, rng.Problem, 0))
	floor, bound := 0.0, n.bound()
	return Problem{
		Name: "radio", Space: s, Maximum: bound, Initial: radioInitial, Floor: &floor, Range: bound,
		Value: func(x space.Point) float64 {
			return n.value(func(u *user) received { return u.receives(x) }, received.meanRate)
		},
		Observe: func(x space.Point, stream *rand.Rand) float64 {
			return n.value(func(u *user) received { return u.receives(x) }, func(r received) float64 { return r.fadedRate(draws, stream) })
		},
	}, err
}

// value is the objective where users receive what receives says and the rate of those on the ground is as rate says. UAVs see
// the antennas without fading.
func (n network) value(receives func(*user) received, rate func(received) float64) float64 {
	ground, air := 0.0, 0.0
	for i := range n.ground {
		ground += rate(receives(&n.ground[i]))
	}
	for i := range n.air {
		air += receives(&n.air[i]).rate()
	}
	return groundShare*ground/float64(len(n.ground)) + (1-groundShare)*air/float64(len(n.air))
}

// bound is more than the value at any point: what it would be if the best antenna of each user sent with full power right at
// it, and all others nothing.
func (n network) bound() float64 { return n.value((*user).atBest, received.meanRate) }

// received is the mean power that a user receives from each antenna, as multiples of the noise.
type received [antennas]float64

// server is the antenna that serves the user: the strongest without fading.
func (r *received) server() int {
	best := 0
	for b := range r {
		if r[b] > r[best] {
			best = b
		}
	}
	return best
}

// rateFrom is the rate log2(1 + signal / (interference + noise)) of an antenna.
func (r *received) rateFrom(server int) float64 {
	rest := 1.0
	for b, power := range r {
		if b != server {
			rest += power
		}
	}
	return math.Log2(1 + r[server]/rest)
}

// rate is the rate without fading.
func (r received) rate() float64 { return r.rateFrom(r.server()) }

// fadedRate is the mean rate over draws of Rayleigh fading: powers times independent standard exponential numbers.
func (r received) fadedRate(draws int, stream *rand.Rand) float64 {
	server, sum := r.server(), 0.0
	for range draws {
		var faded received
		for b := range faded {
			faded[b] = r[b] * stream.ExpFloat64()
		}
		sum += faded.rateFrom(server)
	}
	return sum / float64(draws)
}

// meanRate is the expected rate under Rayleigh fading (Hamdi 2010, Theorem 1, with noise 1 and z = exp(t)):
//
//	E ln(1 + S/(I + 1)) = ∫ exp(-z) · s z / (1 + s z) / Π (1 + i z) dt
//
// over the whole line. The trapezoidal rule converges exponentially: the integrand is analytic around it and vanishes at
// both ends.
func (r received) meanRate() float64 {
	server, sum := r.server(), 0.0
	for _, at := range fadingNodes {
		product := 1.0
		for _, power := range r {
			product *= 1 + power*at.z
		}
		sum += at.weight * r[server] * at.z / product
	}
	return sum / math.Ln2
}

// fadingNode is a node of the trapezoidal rule: z and exp(-z) times the step.
type fadingNode struct{ z, weight float64 }

// fadingNodes reach from where powers of 1e9 times the noise contribute less than 1e-12 to where exp(-z) is less than 1e-20.
var fadingNodes = func() []fadingNode {
	const low, step, count = -49.0, 0.4, 133
	var out []fadingNode
	for i := range count {
		z := math.Exp(low + step*float64(i))
		out = append(out, fadingNode{z, step * math.Exp(-z)})
	}
	return out
}()
