package fidelity

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

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

// mostSamples is the greatest fidelity.
const mostSamples = 100

// Uplink returns a task of open-loop uplink power control (after Zhang 2024, chapters 4 and 5): all 30 users of three cells send with
// min(23, P0 + α·PL) dBm, where PL is the path loss to their own base station, and the value is the sum of their rates in bit/s/Hz with 16
// antennas at a base station and 4 at a user. The fidelities are the number of samples of the fading that rates are averaged over, 10, 20,
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
// Under these assumptions the sum is greatest where all users send with full power, in every task that was looked at: who is strong gains
// more than who is weak loses. FairUplink has a trade-off. The first call of Optimum takes about a second, an evaluation 0.1 ms for
// each sample, a call of Uplink 0.1 s and 25 MB.
func Uplink(seed uint64, task int) Problem {
	return uplinkProblem("mf-radio", newUplink(seed, task, mostSamples), sumRate)
}

// FairUplink is Uplink with another value: 30 times the geometric mean of the rates of the users, which weighs what each of them gains or
// loses by its share. The best P0 and α lie inside of their ranges and go with the layout.
func FairUplink(seed uint64, task int) Problem {
	return uplinkProblem("mf-radio-fair", newUplink(seed, task, mostSamples), fairRate)
}

// sumRate and fairRate are the values of the rates of all users.
func sumRate(rates [users]float64) float64 { return floats.Sum(rates[:]) }

func fairRate(rates [users]float64) float64 {
	logs := 0.0
	for _, r := range rates {
		logs += math.Log(r)
	}
	return users * math.Exp(logs/users)
}

func uplinkProblem(name string, n *uplinkNetwork, goal func([users]float64) float64) Problem {
	levels := []float64{10, 20, 50, mostSamples}
	value := func(basis, share float64, samples int) float64 {
		powers := n.powers(basis, share)
		return goal(n.rates(&powers, samples))
	}
	return Problem{
		Name: name, Fidelity: "samples", Levels: levels, Costs: slices.Clone(levels),
		Parameters: []space.Parameter{
			space.Int("P0", leastBasis, mostBasis).Stepped(basisStep), space.Ordered("alpha", lossShares...),
		},
		Value: func(x space.Point, level int) float64 { return value(x[0], x[1], int(levels[level])) },
		Optimum: sync.OnceValues(func() (space.Point, float64) {
			return n.optimum(func(basis, share float64) float64 { return value(basis, share, mostSamples) })
		}),
		Noise: math.Sqrt(0.83), Budget: 2000,
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

// optimum returns the best of all decisions, for a value that rises where all rates rise. It leaves out those that cannot be: where no user
// sends with full power, one step more of P0 multiplies all powers by the same factor, which is as if the noise were less, so that every
// rate rises; and where all send with full power, it does not matter how much more P0 is.
func (n *uplinkNetwork) optimum(of func(basis, share float64) float64) (x space.Point, value float64) {
	full := n.powers(mostBasis, 1)
	x, value = space.Point{mostBasis, 1}, of(mostBasis, 1)
	for _, share := range lossShares {
		for basis := mostBasis; basis >= leastBasis; basis -= basisStep {
			if n.powers(float64(basis), share) == full {
				continue
			}
			if v := of(float64(basis), share); v > value {
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
