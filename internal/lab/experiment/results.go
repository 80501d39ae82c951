package experiment

import (
	"math"
	"time"

	"github.com/tarry-bo/tarry/internal/stat"
)

type place struct {
	group, arm string
	seed       uint64
}

// Results are the runs of a plan, by arm and seed.
type Results struct {
	plan  Plan
	first uint64
	seeds int
	runs  map[place]Run
}

func newResults(p Plan, o Options) Results {
	r := Results{plan: p, first: o.Seed, seeds: o.Seeds, runs: map[place]Run{}}
	if o.Store == nil {
		return r
	}
	for _, a := range p.Arms {
		for i := range o.Seeds {
			at := place{a.Group, a.Name, o.Seed + uint64(i)}
			if run, ok := o.Store.runs[at]; ok {
				r.runs[at] = run
			}
		}
	}
	return r
}

// Seeds returns the first seed and the number of seeds.
func (r Results) Seeds() (first uint64, count int) { return r.first, r.seeds }

// Complete returns how many runs there are, and how many there would be.
func (r Results) Complete() (done, all int) { return len(r.runs), len(r.plan.Arms) * r.seeds }

// seedsOfArms returns how many seeds the arm with the fewest has, and that with the most.
func (r Results) seedsOfArms() (least, most int) {
	there := map[place]int{}
	for at := range r.runs {
		there[place{group: at.group, arm: at.arm}]++
	}
	least = r.seeds
	for _, a := range r.plan.Arms {
		n := there[place{group: a.Group, arm: a.Name}]
		least, most = min(least, n), max(most, n)
	}
	return least, most
}

// Work returns the sum of the times of all runs on the clock, and how many went on at once, at most.
func (r Results) Work() (sum time.Duration, atOnce int) {
	for _, run := range r.Runs() {
		sum, atOnce = sum+run.Wall, max(atOnce, run.AtOnce)
	}
	return sum, atOnce
}

// Runs returns all runs, by arm in the order of the plan, then by seed.
func (r Results) Runs() []Run {
	var out []Run
	for _, a := range r.plan.Arms {
		for i := range r.seeds {
			if run, ok := r.runs[place{a.Group, a.Name, r.first + uint64(i)}]; ok {
				out = append(out, run)
			}
		}
	}
	return out
}

// Groups returns the settings in the order of the plan.
func (r Results) Groups() []string {
	var out []string
	seen := map[string]bool{}
	for _, a := range r.plan.Arms {
		if !seen[a.Group] {
			seen[a.Group] = true
			out = append(out, a.Group)
		}
	}
	return out
}

// Arms returns the methods of a setting in the order of the plan.
func (r Results) Arms(group string) []string {
	var out []string
	for _, a := range r.plan.Arms {
		if a.Group == group {
			out = append(out, a.Name)
		}
	}
	return out
}

// curves returns the curves of an arm by seed; nil for a seed that is not complete.
func (r Results) curves(group, arm, measure string) [][]float64 {
	out := make([][]float64, r.seeds)
	for i := range out {
		out[i] = r.runs[place{group, arm, r.first + uint64(i)}].Record[measure]
	}
	return out
}

// Curve returns mean and standard error over the seeds at each place of a curve.
func (r Results) Curve(group, arm, measure string) []stat.Estimate {
	var there [][]float64
	for _, c := range r.curves(group, arm, measure) {
		if c != nil {
			there = append(there, c)
		}
	}
	return stat.Curve(there)
}

// Last stands for the last place of a curve.
const Last = -1

// at returns the k-th value of a curve, counted from 1, or the last.
func at(curve []float64, k int) (float64, bool) {
	if k == Last {
		k = len(curve)
	}
	if k < 1 || k > len(curve) {
		return 0, false
	}
	return curve[k-1], true
}

// Values returns the k-th value of a curve, counted from 1, or the last, of the seeds that are complete.
func (r Results) Values(group, arm, measure string, k int) []float64 {
	var out []float64
	for _, c := range r.curves(group, arm, measure) {
		if v, ok := at(c, k); ok {
			out = append(out, v)
		}
	}
	return out
}

// At returns the estimate of Values.
func (r Results) At(group, arm, measure string, k int) stat.Estimate {
	return stat.Of(r.Values(group, arm, measure, k))
}

// Difference returns the mean of arm a minus arm b, seed by seed, of the seeds that are complete for both.
func (r Results) Difference(group, a, b, measure string, k int) stat.Estimate {
	var out []float64
	other := r.curves(group, b, measure)
	for i, c := range r.curves(group, a, measure) {
		v, ok := at(c, k)
		w, also := at(other[i], k)
		if ok && also {
			out = append(out, v-w)
		}
	}
	return stat.Of(out)
}

// across returns the mean of arm a minus arm b over all groups, seed by seed, of the seeds that are complete for both in all.
func (r Results) across(a, b, measure string, k int) stat.Estimate {
	return r.meanOf(func(group string, seed int) (float64, bool) {
		v, ok := at(r.curves(group, a, measure)[seed], k)
		w, also := at(r.curves(group, b, measure)[seed], k)
		return v - w, ok && also
	})
}

// meanOf returns the mean over all groups of a number, seed by seed, of the seeds that have it in all.
func (r Results) meanOf(number func(group string, seed int) (float64, bool)) stat.Estimate {
	var out []float64
	groups := r.Groups()
	for seed := range r.seeds {
		sum, whole := 0.0, true
		for _, g := range groups {
			v, ok := number(g, seed)
			whole = whole && ok
			sum += v / float64(len(groups))
		}
		if whole {
			out = append(out, sum)
		}
	}
	return stat.Of(out)
}

// tie is the share of two regrets by which they may differ and still be equal, and a regret that is none.
const tie, noRegret = 1e-6, 1e-9

// won is the share of the seeds in which a curve of arm a ended lower than that of arm b, ties counted half.
func (r Results) won(group, a, b, curve string) stat.Estimate {
	var out []float64
	other := r.curves(group, b, curve)
	for i, c := range r.curves(group, a, curve) {
		v, ok := at(c, Last)
		w, also := at(other[i], Last)
		switch {
		case !ok || !also:
		case math.Abs(v-w) <= tie*max(v, w)+noRegret:
			out = append(out, 0.5)
		case v < w:
			out = append(out, 1)
		default:
			out = append(out, 0)
		}
	}
	return stat.Of(out)
}
