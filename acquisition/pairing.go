package acquisition

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// pairBlock are points, from one on in a list, with their targets, that are predicted together.
type pairBlock struct {
	from          int
	points        []space.Unit // at most batch
	rows, targets []int        // of each point of the list, among the points
}

// blocks puts points that follow each other into as few blocks as their targets allow. A target that follows among its own points has
// no row of its own.
func (f TransferGain) blocks(xs []space.Unit) []pairBlock {
	var out []pairBlock
	for from := 0; from < len(xs); {
		target, n := f.Members[0].Space.AtTarget(xs[from]), 1
		for from+n < len(xs) && n+1 < batch && within(f.Members[0].Space.AtTarget(xs[from+n]), target, 0) {
			n++
		}
		group, at := xs[from:from+n], -1
		for i, x := range group {
			if within(x, target, 0) {
				at = i
			}
		}
		if at < 0 {
			group, at = append(group[:n:n], target), n
		}
		if len(out) == 0 || len(out[len(out)-1].points)+len(group) > batch {
			out = append(out, pairBlock{from: from})
		}
		b := &out[len(out)-1]
		first := len(b.points)
		b.points = append(b.points, group...)
		for i := range n {
			b.rows, b.targets = append(b.rows, first+i), append(b.targets, first+at)
		}
		from += n
	}
	return out
}

// pairing predicts blocks under one posterior, with memory that it uses again.
type pairing struct {
	predictor         *surrogate.Predictor
	means, covariance []float64
}

func newPairing(p *surrogate.Posterior) pairing {
	return pairing{surrogate.NewPredictor(p, batch), make([]float64, batch), make([]float64, batch*batch)}
}

func (p pairing) predict(b pairBlock) { p.predictor.PredictJoint(b.points, p.means, p.covariance) }

// pair returns what was predicted of the i-th point of the list and of its target, and the mean at the point.
func (p pairing) pair(b pairBlock, i int) (pair surrogate.Pair, mean float64) {
	x, target, n := b.rows[i], b.targets[i], len(b.points)
	return surrogate.Pair{
		Mean: p.means[target], Variance: p.covariance[target*n+target],
		Own: p.covariance[x*n+x], Covariance: p.covariance[x*n+target],
	}, p.means[x]
}
