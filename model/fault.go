package model

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Constants of the mixture that says which failures are the fault of their points.
const (
	neighbors   = 3   // that are asked, settled ones, each with the weight of its correlation
	contagion   = 0.8 // chance that a neighbor fails beside a point that is at fault, unless nearly everything fails
	mixing      = 20  // steps in which the share of the mixture is found
	pseudoCount = 1   // failures and values that the rate of failure begins with, and points at fault and not
)

// neighborhood is what the evidence about failures is read off.
type neighborhood struct {
	kernel        surrogate.Kernel
	numbers       []int
	x             []space.Unit
	scale, row    []float64
	state         []settlement
	ifGood, ifBad float64 // log likelihood ratios, at fault against not, of a neighbor
}

// settlement is how a query ended.
type settlement uint8

const (
	valued settlement = iota
	unsettled
	suspicious // it failed
	infeasible // beyond doubt
)

// newNeighborhood is that of the rows followed by those without one, all of which failed.
func newNeighborhood(p plan, numbers []int) neighborhood {
	x := surrogate.Keep(p.prior.Kernel, p.pointsOf(numbers))
	n := neighborhood{
		kernel: surrogate.WithConstant(p.prior.Kernel, 0), numbers: numbers, x: x,
		scale: make([]float64, len(x)), row: make([]float64, len(x)), state: make([]settlement, len(x)),
	}
	for _, i := range p.unanswered {
		n.state[i] = unsettled
	}
	for _, i := range p.failed {
		n.state[i] = suspicious
	}
	for _, i := range p.hopeless {
		n.state[i] = infeasible
	}
	for i := len(x) - len(p.spared); i < len(x); i++ {
		n.state[i] = suspicious
		if contains(p.doomed, numbers[i]) {
			n.state[i] = infeasible
		}
	}
	for i, number := range numbers {
		if number < 0 { // a report is no outcome
			n.state[i] = unsettled
		}
	}
	failures, settled := 0, 0
	for i, s := range n.state {
		n.scale[i] = math.Sqrt(n.kernel.Diag(x[i]))
		failures += bit(s == suspicious || s == infeasible)
		settled += bit(s != unsettled)
	}
	rate := float64(failures+pseudoCount) / float64(settled+2*pseudoCount)
	beside := max(contagion, (1+rate)/2)
	n.ifGood, n.ifBad = math.Log((1-beside)/(1-rate)), math.Log(beside/rate)
	return n
}

// evidence is the log likelihood ratio of the neighbors of a failure, the point at fault against not.
func (n neighborhood) evidence(i int) float64 {
	n.kernel.Row(n.row, n.x[i], n.x)
	var nearest [neighbors]neighbor
	for j, k := range n.row {
		if j != i && n.state[j] != unsettled {
			meet(&nearest, neighbor{k / (n.scale[i] * n.scale[j]), n.state[j] == valued})
		}
	}
	var sum float64
	for _, other := range nearest {
		if other.good {
			sum += other.correlation * n.ifGood
		} else {
			sum += other.correlation * n.ifBad
		}
	}
	return sum
}

// neighbor is a settled row near a failure.
type neighbor struct {
	correlation float64
	good        bool
}

// meet keeps the nearest, in order, of those with a positive correlation; of equals the earlier rows.
func meet(nearest *[neighbors]neighbor, n neighbor) {
	for k := range nearest {
		if n.correlation > nearest[k].correlation {
			copy(nearest[k+1:], nearest[k:])
			nearest[k] = n
			return
		}
	}
}

// atFault returns for each failure the probability that its point is at fault, from its evidence and the share of such
// failures, which is the mean of these probabilities and of one failure of each kind.
func atFault(evidence []float64) []float64 {
	out := make([]float64, len(evidence))
	share := 0.5
	for range mixing {
		sum := float64(pseudoCount)
		for k, e := range evidence {
			out[k] = 1 / (1 + (1-share)/share*math.Exp(-e))
			sum += out[k]
		}
		share = sum / float64(len(evidence)+2*pseudoCount)
	}
	return out
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
