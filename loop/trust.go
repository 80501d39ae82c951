package loop

import (
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
)

// Trust is what a study counts earlier ones for, by how well they rank its answers: see policies.View.EarlierShares.
type Trust struct {
	Name  string  // of the earlier study; empty: this study itself
	Share float64 // all sum to 1
}

// trustDraws are the draws of each model by which shares are computed.
const trustDraws = 1000

// Trusts returns what each of the earlier studies counts after all answers so far, in their order, and this study last; nil where there are none. An
// error wraps ErrNoModel where fewer than three values have come. Cost that of Predict, and of the ranking.
func (l *Loop) Trusts() ([]Trust, error) {
	if l.earlier == nil {
		return nil, nil
	}
	b, err := l.believe()
	if err != nil {
		return nil, err
	}
	view := policies.View{Belief: b.Belief, Space: l.config.Space, Earlier: l.earlier, Queries: l.ledger.queries, Pending: slices.Clone(l.ledger.pending), History: l.ledger.history}
	shares := view.EarlierShares(trustDraws, rng.New(l.config.Seed, rng.Earlier, uint64(len(l.ledger.evaluations))))
	out := make([]Trust, len(shares))
	for k, share := range shares {
		if out[k].Share = share; k < len(l.earlier) {
			out[k].Name = l.earlier[k].Name
		}
	}
	return out, nil
}
