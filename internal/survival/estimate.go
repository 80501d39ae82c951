package survival

import (
	"math"
	"slices"
	"time"
)

// wait is waits of one length.
type wait struct {
	at     float64 // seconds
	count  float64 // that ended with an answer or a failure; 0 for those without an end
	silent float64 // that have none
	log    float64 // ln(at/from) in the tail, below zero before it
	weight float64 // of the silent ones: as many as are not lost, by what was thought last
}

// Law returns what is known while queries of these ages are pending. Cost O(c + p·log p) for c ≤ 2000 different delays and p ages, some
// twenty times.
func (h *History) Law(pending []time.Duration) Law {
	law := Law{Count: [3]int(h.total)}
	if !law.Known() {
		return law
	}
	waits := h.waits(pending)
	law.begin(waits, float64(h.total[Answered]+h.total[Failed]))
	all := 0.0
	for _, w := range waits {
		all += w.count + w.silent
	}
	for range mostSteps {
		last := law.Lost
		law.estimate(waits)
		law.Lost = lostShare * lostWorth
		for _, w := range waits {
			law.Lost += w.silent - w.weight
		}
		law.Lost /= all + lostWorth
		if math.Abs(law.Lost-last) < settled {
			break
		}
	}
	return law
}

// waits returns all waits by length, shortest first; of equals those that ended.
func (h *History) waits(pending []time.Duration) []wait {
	ages := slices.Clone(pending)
	slices.Sort(ages)
	all := make([]wait, 0, 2*len(h.cells)+len(ages))
	for _, c := range h.cells {
		if n := c.count[Answered] + c.count[Failed]; n > 0 {
			all = append(all, wait{at: c.mean(Answered, Failed), count: float64(n)})
		}
		if n := c.count[Censored]; n > 0 {
			all = append(all, wait{at: c.mean(Censored), silent: float64(n)})
		}
	}
	for from := 0; from < len(ages); { // those of a cell together
		to, sum := from, 0.0
		for ; to < len(ages) && index(ages[to]) == index(ages[from]); to++ {
			sum += ages[to].Seconds()
		}
		all = append(all, wait{at: sum / float64(to-from), silent: float64(to - from)})
		from = to
	}
	slices.SortStableFunc(all, func(a, b wait) int {
		switch {
		case a.at < b.at || a.at == b.at && a.count > b.count:
			return -1
		case a.at > b.at || a.count < b.count:
			return 1
		}
		return 0
	})
	return all
}

// begin says where the tail begins, the longest delay that a quarter of the ended waits reach, and five of them; and what is thought
// before anything is estimated.
func (l *Law) begin(waits []wait, ended float64) {
	reach, want, at, body := 0.0, math.Max(tailLeast, math.Ceil(ended/tailShare)), 0.0, 0
	for i, w := range slices.Backward(waits) {
		if w.count > 0 {
			at, reach, body = w.at, reach+w.count, i
		}
		if reach >= want {
			break
		}
	}
	l.Lost, l.from, l.steps = lostShare, max(at, 1e-6), make([]step, 0, body)
	for i := range waits {
		w := &waits[i]
		w.log, w.weight = -1, w.silent/2
		if w.at >= l.from {
			w.log = math.Log(w.at / l.from)
		}
	}
}

// estimate makes body and tail from the waits, of which those without an end count by the chance that they are not lost; then it says
// anew how large that chance is.
func (l *Law) estimate(waits []wait) {
	risk, rate, log := 0.0, float64(priorRate), priorLog
	for _, w := range waits {
		risk += w.count + w.weight
		if w.log >= 0 {
			rate += w.count
			log += (w.count + w.weight) * w.log
		}
	}
	l.rate, l.log, l.above, l.steps = rate, log, 1, l.steps[:0]
	for i := range waits {
		w := &waits[i]
		longer := l.above
		if w.log >= 0 {
			longer *= l.beyond(w.log)
		} else {
			leaves := w.count + w.weight
			if w.count > 0 {
				l.above *= 1 - w.count/risk
				longer = l.above
				l.steps = append(l.steps, step{w.at, l.above})
			}
			risk -= leaves
		}
		if w.silent > 0 {
			w.weight = w.silent * l.returning(longer)
		}
	}
}
