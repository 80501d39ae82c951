package fidelity

import (
	"math"
	"sync"

	"github.com/tarry-bo/tarry/space"
)

// The decisions of open-loop power control: 114 levels of P0 times 8 of the share of the path loss that is made up for.
const (
	leastBasis = -202
	mostBasis  = 24
	basisStep  = 2
	mostPower  = 23.0 // dBm
)

var lossShares = []float64{0, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}

// uplinkSamples are the fidelities.
var uplinkSamples = []float64{10, 20, 50, 100}

// Uplink returns a task of open-loop uplink power control (after Zhang 2024, chapters 4 and 5): all 30 users of three cells send with
// min(23, P0 + α·PL) dBm, where PL is the path loss to their own base station, and the value is the sum of their rates in bit/s/Hz with 16
// antennas at a base station and 4 at a user. The fidelities are the number of samples of the fading that the rate is averaged over, 10, 20,
// 50 or 100, each the first of the next, and cost as much. The seed places the users of task 0; from task to task each of them moves by up to
// 10 m, and the fading is drawn anew. Costs, budget and noise are those of the source.
//
// It is a look-alike, no reproduction, since the source leaves open what is assumed here: sites at the corners of a triangle of 200·√3 m and
// nothing around them; distances from 18 to 200 m uniform, along the ground, in all directions; users 1.5 m high; line of sight and shadowing
// drawn for each link once and for all tasks, independently, the former against its chance at the distance of the task; path loss
// over the distance in space, without the shadowing where it sets the power; with line of sight one plane wave of -0.2 dB
// between rows of antennas half a wavelength apart, besides Rayleigh fading of -13.5 dB; the power is that of each antenna, without
// precoding; the noise of -121.38 dB is in dBm.
//
// The first call of Optimum takes about a second, a call of Uplink 0.1 s and 25 MB.
func Uplink(seed uint64, task int) Problem {
	n := newUplink(seed, task, int(uplinkSamples[len(uplinkSamples)-1]))
	return Problem{
		Name: "mf-radio", Fidelity: "samples", Levels: uplinkSamples, Costs: []float64{10, 20, 50, 100},
		Parameters: []space.Parameter{
			space.Int("P0", leastBasis, mostBasis).Stepped(basisStep), space.Ordered("alpha", lossShares...),
		},
		Value: func(x space.Point, level int) float64 {
			powers := n.powers(x[0], x[1])
			return n.rate(&powers, int(uplinkSamples[level]))
		},
		Optimum: sync.OnceValues(func() (space.Point, float64) { return n.optimum(len(n.samples)) }),
		Noise:   math.Sqrt(0.83), Budget: 2000,
	}
}

// transmitted is the power in dBm that a user sends with over a path loss in dB.
func transmitted(basis, share, loss float64) float64 { return min(mostPower, basis+share*loss) }

// powers are those of all users in mW.
func (n *uplinkNetwork) powers(basis, share float64) [users]float64 {
	var out [users]float64
	for u, loss := range n.losses {
		out[u] = math.Pow(10, transmitted(basis, share, loss)/10)
	}
	return out
}

// optimum returns the best of all decisions. It leaves out those that cannot be: where no user sends with full power, one step more of P0
// multiplies all powers by the same factor, which is as if the noise were less, so that every rate rises; and where all send with full
// power, it does not matter how much more P0 is.
func (n *uplinkNetwork) optimum(samples int) (x space.Point, value float64) {
	all := n.powers(mostBasis, 1) // full power
	x, value = space.Point{mostBasis, 1}, n.rate(&all, samples)
	for _, share := range lossShares {
		for basis := mostBasis; basis >= leastBasis; basis -= basisStep {
			powers := n.powers(float64(basis), share)
			if powers == all {
				continue
			}
			if v := n.rate(&powers, samples); v > value {
				x, value = space.Point{float64(basis), share}, v
			}
			if !n.anyFull(float64(basis), share) {
				break
			}
		}
	}
	return x, value
}

// anyFull reports whether some user sends with full power.
func (n *uplinkNetwork) anyFull(basis, share float64) bool {
	for _, loss := range n.losses {
		if basis+share*loss >= mostPower {
			return true
		}
	}
	return false
}
