package policies

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/space"
)

// A study that knows earlier ones has no initial design: its first queries go where those expect the most. Where they agree and mislead
// these are beside each other in a wrong corner, and a model of its own that knows nothing else is sure of too much. So once no earlier
// study has any weight left it catches up on the design. In a finite space it does not: there studies that mislead cost nothing.
const (
	mostSkipped   = 18 // queries of a design, as of loop.Config.Initial
	coveringDraws = 32 // points at random, of which the farthest from all queries is chosen
)

// misled reports whether the weights of the models leave all to the study's own, and there are fewer queries than a design would have had
// besides those chosen before there was anything to rank them by.
func (v View) misled(weights []float64) bool {
	return weights[len(v.Earlier)] == 1 && v.scatters() && len(v.Queries) < min(2*v.Space.Varying()+1, mostSkipped)+rankedFirst
}

// uncovered is the one of some points at random that is farthest from all queries and those to avoid. Cost O(n·d) for each.
func (v View) uncovered(avoid []space.Unit, stream *rand.Rand) (farthest space.Unit) {
	most, squared := math.Inf(-1), v.metric()
	for range coveringDraws {
		x := v.Space.RandomAt(v.Context, stream)
		nearest := math.Inf(1)
		for _, q := range v.Queries {
			nearest = min(nearest, squared(x, q.X))
		}
		for _, other := range avoid {
			nearest = min(nearest, squared(x, other))
		}
		if nearest > most {
			farthest, most = x, nearest
		}
	}
	return farthest
}
