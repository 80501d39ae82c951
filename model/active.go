package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// A study that goes on for long keeps a bounded active model: its cost and memory stop growing, while the ledger keeps
// everything. When the rows exceed Config.Active, three quarters of that number are chosen anew from all queries:
//
//   - queries without an answer, so that nothing is proposed twice (the latest ones, at most half of the rows);
//   - the best value, and the best quarter by value, since there the next queries will be; where values have noise by what a model of some expects there,
//     for the luckiest of all values without the unlucky ones beside them would say that the function is higher, and be sure of it;
//   - the latest eighth, so that what the last queries taught is not forgotten at once;
//   - and from the others those that are farthest, in the distance of the kernel, from all that is kept: a region without
//     any row would look unknown again and would be searched a second time.
const (
	activeShare             = 0.75 // of Config.Active that a choice keeps: the rest is room to grow
	bestShare, latestShare  = 0.25, 0.125
	candidatesForEachActive = 4    // answers that the choice of far points looks at, for each row it may keep
	blurred                 = 1e-6 // variance of the noise, of that of the values, from which on single values do not say which places are the best
	mostSmoothed            = 1000 // answers of which the model is that says it instead, at most, and at most half of the rows
)

// members returns the numbers of the queries that the model is to be made of, ascending: all that belong to it but failures
// that are forgiven, or a choice of them when they are too many. Cost O(n), and O(n·d) for each failure; of a choice
// O(Active²·d), and where values have noise O(m³ + n·m·d) besides for the m ≤ 1000 answers of the model of some.
func (m sight) members() []int {
	innocent := m.innocent()
	var answered, waiting []int
	for _, in := range slices.Backward(m.interims) {
		if m.reported(in.Number) {
			answered = append(answered, -in.Number)
		}
	}
	for number := 1; number <= len(m.points); number++ {
		if !m.belongs(number) || innocent(number) {
			continue
		}
		if _, known := m.target(number); known {
			answered = append(answered, number)
		} else {
			waiting = append(waiting, number)
		}
	}
	if len(answered)+len(waiting) <= m.config.Active {
		all := append(answered, waiting...)
		slices.Sort(all)
		return all
	}
	size := int(activeShare * float64(m.config.Active))
	kept := slices.Clone(waiting[max(len(waiting)-size/2, 0):])
	kept = append(kept, m.worthKeeping(&answered, size)...)
	kept = append(kept, m.farthest(kept, answered, size-len(kept))...)
	slices.Sort(kept)
	return kept
}

// worthKeeping moves the best and the latest of the answered queries to the result.
func (m sight) worthKeeping(answered *[]int, size int) []int {
	all := *answered
	worth, order := m.worth(all), make([]int, len(all))
	top, most := 0, math.Inf(-1) // of all values, not of reports
	for i, number := range all {
		order[i] = i
		if value, _ := m.target(number); number > 0 && value > most {
			top, most = i, value
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(worth[j], worth[i]), cmp.Compare(all[i], all[j])) })
	best := order[:min(int(bestShare*float64(size)), len(all))]
	for k, i := range best {
		best[k] = all[i]
	}
	latest := all[max(len(all)-int(latestShare*float64(size)), 0):]
	kept := slices.Concat(best, latest, all[top:min(top+1, len(all))]) // the best value is looked at by itself
	slices.Sort(kept)
	kept = slices.Compact(kept)
	*answered = slices.DeleteFunc(slices.Clone(all), func(number int) bool {
		_, keeps := slices.BinarySearch(kept, number)
		return keeps
	})
	return kept
}

// worth is by which answers are the best: their values or, where these have noise, what is expected there by a model of some that are evenly spread over the study,
// whatever came.
func (m sight) worth(answered []int) []float64 {
	out := make([]float64, len(answered))
	for i, number := range answered {
		out[i], _ = m.target(number)
	}
	if m.prior().Noise < blurred && m.variances == nil {
		return out
	}
	some := spread(answered, min(mostSmoothed, m.config.Active/2))
	x, y := make([]space.Unit, len(some)), make([]float64, len(some))
	for i, number := range some {
		x[i] = m.point(number)
		y[i], _ = m.target(number)
	}
	p, err := m.prior().ConditionKnown(x, y, m.knownOfAll(some), nil)
	if err != nil || !p.Usable() {
		return out
	}
	for i, number := range answered {
		out[i] = p.Mean(m.point(number))
	}
	return out
}

// farthest returns count of the others, each the one that is farthest from everything kept before it (Gonzalez 1985).
func (m sight) farthest(kept, others []int, count int) []int {
	others = spread(others, candidatesForEachActive*m.config.Active)
	x := make([]space.Unit, len(others))
	nearest := make([]float64, len(others)) // the greatest correlation with anything kept
	for i, number := range others {
		x[i] = m.point(number)
		nearest[i] = math.Inf(-1)
	}
	kernel, row := m.prior().Kernel, make([]float64, len(others))
	x = surrogate.Keep(kernel, x)
	meet := func(number int) {
		kernel.Row(row, m.point(number), x)
		for i, k := range row {
			nearest[i] = max(nearest[i], k)
		}
	}
	for _, number := range kept {
		meet(number)
	}
	var chosen []int
	for range min(count, len(others)) {
		far := 0
		for i, k := range nearest {
			if k < nearest[far] {
				far = i
			}
		}
		chosen = append(chosen, others[far])
		meet(others[far])
		nearest[far] = math.Inf(1)
	}
	return chosen
}

// spread returns at most count of the numbers, evenly spread.
func spread(numbers []int, count int) []int {
	if len(numbers) <= count {
		return numbers
	}
	out := make([]int, count)
	for k := range out {
		out[k] = numbers[k*len(numbers)/count]
	}
	return out
}
