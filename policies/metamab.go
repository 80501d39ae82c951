package policies

import (
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/space"
)

// MetaMAB is Exp3 with what earlier tasks taught (View.Taught, which bandit.Learn returns): how much to explore, how fast to learn, and which
// points are alike, as a kernel on the features of a network. Before there were such tasks it is Exp3. Cost that of Exp3, and of
// the network at each point.
type MetaMAB struct {
	Worst, Best float64 // as those of Exp3
}

var _ = Register(Entry{
	Name:     "meta-mab",
	Summary:  "exp3 with exploration, rate and kernel learned on earlier tasks",
	Source:   "Zhang 2024, sec. 4.3, with exact derivatives",
	Baseline: true,
}, MetaMAB{})

// Settings are the options.
func (p *MetaMAB) Settings() Settings {
	return rewardSettings(&p.Worst, &p.Best)
}

// Traits says that queries are plays of a bandit that begins with what it was taught.
func (p MetaMAB) Traits() Traits {
	return Traits{Name: NameOf("meta-mab", p.Settings()), Bandit: true, Taught: true}
}

// Propose draws points from the probabilities.
func (p MetaMAB) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	arms, err := view.arms()
	if err != nil {
		return nil, err
	}
	return plays(arms, p.probabilities(view, arms), count, stream), nil
}

// probabilities are those of all arms.
func (p MetaMAB) probabilities(view View, arms []space.Unit) []float64 {
	if view.Taught == nil {
		return Exp3{Worst: p.Worst, Best: p.Best}.probabilities(view, arms)
	}
	kernel := view.Taught.Over(arms)
	at := map[uint64]int{}
	for i, x := range arms {
		at[space.Hash(x)] = i
	}
	score, row := make([]float64, len(arms)), make([]float64, len(arms))
	for _, e := range view.earned(p.Worst, p.Best) {
		arm, known := at[space.Hash(e.x)]
		if !known || !slices.Equal(arms[arm], e.x) {
			continue
		}
		kernel.Row(row, arm)
		for i, k := range row {
			score[i] += view.Taught.Eta * e.weight * k
		}
	}
	bandit.Probabilities(row, score, view.Taught.Explore)
	return row
}

// Explain returns the probabilities, which are drawn from.
func (p MetaMAB) Explain(view View, _ *rand.Rand) (Explanation, error) {
	arms, err := view.arms()
	if err != nil {
		return Explanation{}, err
	}
	return explainedDraw(arms, p.probabilities(view, arms)), nil
}
