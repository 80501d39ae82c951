package tournament

import (
	"math"

	"github.com/tarry-bo/tarry/internal/stat"
)

// What a policy must reach against the best fixed policy of each cell.
const (
	level      = 0.05 // of tests, two-sided intervals have the rest
	leastShare = 0.8  // of the cells in which it is not significantly worse
	mostGap    = 0.05 // decades that it may be behind on average
	leastOdd   = 10   // odd seeds of each cell: with fewer a policy that is worse is hardly ever found to be
)

// Verdict is how a policy does against the best fixed policy of each cell. That one is chosen on the even seeds, and both are
// compared on the odd ones.
type Verdict struct {
	Policy   string `json:"policy"`
	NotWorse int    `json:"not_worse"` // cells in which it is not significantly worse: paired, one-sided, 95 %, Holm over the cells
	Cells    int    `json:"cells"`
	Gap      Gap    `json:"gap"`  // decades behind the best fixed policies, over all cells
	Rank     Number `json:"rank"` // average over cells and odd seeds
	First    bool   `json:"first"`
	Meets    *bool  `json:"meets"` // all that is asked for; nil where some cell has fewer than ten odd seeds, since too little shows
}

// best is the fixed policy with the least mean at the end, the first of equals; −1 without any.
func (s sheet) best(policies []string) int {
	best, least := -1, math.Inf(1)
	for k, name := range policies {
		if chooses(name) {
			continue
		}
		if m := stat.Of(s.scores(k, atEnd)).Mean; m < least {
			best, least = k, m
		}
	}
	return best
}

func even(seed uint64) bool { return seed%2 == 0 }
func odd(seed uint64) bool  { return seed%2 == 1 }

// verdicts judges all policies over the cells that have seeds of both kinds.
func verdicts(all []sheet, policies []string) []Verdict {
	var judged []sheet
	var rivals []int
	for _, s := range all {
		chosenOn, judgedOn := s.only(even), s.only(odd)
		if len(chosenOn.seeds) == 0 || len(judgedOn.seeds) == 0 {
			continue
		}
		if best := chosenOn.best(policies); best >= 0 {
			judged, rivals = append(judged, judgedOn), append(rivals, best)
		}
	}
	if len(judged) == 0 {
		return nil
	}
	ranks, shows := averageRanks(judged, atEnd), true
	for _, s := range judged {
		shows = shows && len(s.seeds) >= leastOdd
	}
	out := make([]Verdict, len(policies))
	for k, name := range policies {
		v := Verdict{Policy: name, Cells: len(judged), Rank: Number(ranks[k].Mean), First: true}
		p := make([]float64, len(judged))
		gaps := make([]stat.Estimate, len(judged))
		for i, s := range judged {
			gaps[i] = s.gap(k, rivals[i])
			p[i] = gaps[i].Above()
		}
		for _, adjusted := range stat.Holm(p) {
			if adjusted >= level {
				v.NotWorse++
			}
		}
		for _, r := range ranks {
			v.First = v.First && ranks[k].Mean <= r.Mean
		}
		v.Gap = pooled(judged, gaps)
		if shows {
			meets := float64(v.NotWorse) >= leastShare*float64(v.Cells) && float64(v.Gap.Mean) <= mostGap && v.First
			v.Meets = &meets
		}
		out[k] = v
	}
	return out
}

// pooled is the mean over cells of what was found in each. Cells of one problem depend on each other.
func pooled(all []sheet, gaps []stat.Estimate) Gap {
	values := make([]float64, len(all))
	for i, g := range gaps {
		values[i] = g.Mean
	}
	e := stat.Clustered(values, problemsOf(all))
	low, high := e.Interval(1 - level)
	return Gap{Number(e.Mean), Number(e.SE), Number(low), Number(high)}
}

func problemsOf(all []sheet) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = s.cell.Problem.Name
	}
	return out
}

// averageRanks are the ranks of all policies at a station, averaged over the seeds of each cell and then over the cells.
func averageRanks(all []sheet, station int) []stat.Estimate {
	if len(all) == 0 {
		return nil
	}
	means := make([][]float64, len(all[0].runs))
	for _, s := range all {
		for k, ranks := range s.ranks(station) {
			means[k] = append(means[k], stat.Of(ranks).Mean)
		}
	}
	out := make([]stat.Estimate, len(means))
	for k, m := range means {
		out[k] = stat.Clustered(m, problemsOf(all))
	}
	return out
}
