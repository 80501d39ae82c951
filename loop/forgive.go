package loop

import (
	"math"
	"slices"
)

// A failure may be the fault of its point, or of the machine that it ran on and of answers that get lost. A row whose
// failure is blamed on its point has a bad value, so that a region that crashes is left alone; one that is forgiven is
// hallucinated like that of a pending query, which says nothing but that it was there. Where the point is at fault the
// neighbors fail mostly, where it is not they fail as often as any query: a mixture of the two, whose share is fitted to
// all failures at once, says which is likelier. So failures that are scattered are forgiven, also those that have no near
// neighbors, and failures that crowd are blamed. One that is infeasible is never forgiven.
const (
	neighbors   = 3     // that are asked, settled ones, each with the weight of its correlation
	contagion   = 0.8   // chance that a neighbor fails beside a point that is at fault, unless nearly everything fails
	innocent    = 0.499 // greatest probability of being at fault that is forgiven: without evidence, ½, a point is blamed
	mixing      = 20    // steps in which the share of the mixture is found
	pseudoCount = 1     // failures and values that the rate of failure begins with, and points at fault and not
)

// forgiven returns the rows of failures that are forgiven, ascending. Cost O(n·d) for each failure.
func (p posteriorPlan) forgiven(rows []int) []int {
	if len(p.failed) == len(p.hopeless) {
		return nil
	}
	near := newNeighborhood(p, p.points(rows))
	var mine []int
	var evidence []float64
	for _, i := range p.failed {
		if _, never := slices.BinarySearch(p.hopeless, i); !never {
			mine, evidence = append(mine, i), append(evidence, near.evidence(i))
		}
	}
	var out []int
	for k, at := range atFault(evidence) {
		if at <= innocent {
			out = append(out, mine[k])
		}
	}
	return out
}

// neighborhood is what the evidence about failures is read off.
type neighborhood struct {
	plan          posteriorPlan
	x             [][]float64
	scale, row    []float64
	state         []settlement
	ifGood, ifBad float64 // log likelihood ratios, at fault against not, of a neighbor
}

// settlement is how the query of a row ended.
type settlement uint8

const (
	valued settlement = iota
	unsettled
	failure
)

func newNeighborhood(p posteriorPlan, x [][]float64) neighborhood {
	n := neighborhood{plan: p, x: x, scale: make([]float64, len(x)), row: make([]float64, len(x)), state: make([]settlement, len(x))}
	for _, i := range p.unanswered {
		n.state[i] = unsettled
	}
	for _, i := range p.failed {
		n.state[i] = failure
	}
	settled := 0
	for i, s := range n.state {
		n.scale[i] = math.Sqrt(p.prior.Kernel.Diag(x[i]))
		settled += bit(s != unsettled)
	}
	rate := float64(len(p.failed)+pseudoCount) / float64(settled+2*pseudoCount)
	beside := max(contagion, (1+rate)/2)
	n.ifGood, n.ifBad = math.Log((1-beside)/(1-rate)), math.Log(beside/rate)
	return n
}

// evidence is the log likelihood ratio of the neighbors of a failure, the point at fault against not.
func (n neighborhood) evidence(i int) float64 {
	n.plan.prior.Kernel.Row(n.row, n.x[i], n.x)
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
