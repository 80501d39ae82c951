package tournament

import (
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/internal/stat"
)

// sheet is what happened in a cell: the seeds that every policy has completed, with what was recorded for them.
type sheet struct {
	cell  Cell
	seeds []uint64
	runs  [][]experiment.Run // by policy, then seed
	floor float64
}

// sheets sorts runs by cell. A seed that some policy has not completed counts for none, since it could not be compared.
func sheets(cells []Cell, policies []string, runs []experiment.Run, floor float64) []sheet {
	type place struct{ cell, policy string }
	there := map[place]map[uint64]experiment.Run{}
	for _, r := range runs {
		at := place{r.Group, r.Arm}
		if there[at] == nil {
			there[at] = map[uint64]experiment.Run{}
		}
		there[at][r.Seed] = r
	}
	out := make([]sheet, len(cells))
	for i, c := range cells {
		out[i] = sheet{cell: c, floor: floor, runs: make([][]experiment.Run, len(policies))}
		for _, r := range runs {
			if r.Group != c.Name() || r.Arm != policies[0] {
				continue
			}
			row := make([]experiment.Run, 0, len(policies))
			for _, p := range policies {
				if run, ok := there[place{c.Name(), p}][r.Seed]; ok {
					row = append(row, run)
				}
			}
			if len(row) < len(policies) {
				continue
			}
			out[i].seeds = append(out[i].seeds, r.Seed)
			for k, run := range row {
				out[i].runs[k] = append(out[i].runs[k], run)
			}
		}
	}
	return out
}

// The stations at which tables look.
const (
	halfway = stations/2 - 1
	atEnd   = stations - 1
)

// scores are the log10 of the floored regrets of a policy by seed, at a station.
func (s sheet) scores(policy, station int) []float64 {
	out := make([]float64, len(s.seeds))
	for i, r := range s.runs[policy] {
		out[i] = s.score(r.Record[curveRegret][station])
	}
	return out
}

// score is the log10 of a regret, which counts as the floor below it.
func (s sheet) score(regret float64) float64 { return math.Log10(math.Max(regret, s.floor)) } // NaN stays

// ranks are the ranks of all policies by seed, at a station: NaN as long as one is still among its initial queries.
func (s sheet) ranks(station int) [][]float64 {
	out := make([][]float64, len(s.runs))
	for i := range s.seeds {
		values := make([]float64, len(s.runs))
		for k := range s.runs {
			values[k] = s.score(s.runs[k][i].Record[curveRegret][station])
		}
		ranks := slices.Repeat([]float64{math.NaN()}, len(values))
		if !slices.ContainsFunc(values, math.IsNaN) {
			ranks = stat.Ranks(values)
		}
		for k, rank := range ranks {
			out[k] = append(out[k], rank)
		}
	}
	return out
}

// only is the sheet of some of the seeds.
func (s sheet) only(keep func(seed uint64) bool) sheet {
	out := sheet{cell: s.cell, floor: s.floor, runs: make([][]experiment.Run, len(s.runs))}
	for i, seed := range s.seeds {
		if !keep(seed) {
			continue
		}
		out.seeds = append(out.seeds, seed)
		for k := range s.runs {
			out.runs[k] = append(out.runs[k], s.runs[k][i])
		}
	}
	return out
}

// gap is policy a minus policy b at the end, by seed.
func (s sheet) gap(a, b int) stat.Estimate {
	theirs := s.scores(b, atEnd)
	differences := make([]float64, len(theirs))
	for i, v := range s.scores(a, atEnd) {
		differences[i] = v - theirs[i]
	}
	return stat.Of(differences)
}

// record is the mean over the seeds of a number that a policy's runs recorded.
func (s sheet) record(policy int, curve string) float64 {
	sum := 0.0
	for _, r := range s.runs[policy] {
		sum += r.Record[curve][0]
	}
	return sum / float64(len(s.seeds))
}

// chooses reports whether a policy is none that is fixed: it chooses among the others, and is judged by them.
func chooses(policy string) bool {
	name, _, _ := strings.Cut(policy, ":")
	return name == "auto"
}
