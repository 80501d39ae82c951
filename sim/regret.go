package sim

import (
	"math"
	"sync"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
)

// Performance is the regret that a study achieved, with its result.
type Performance struct {
	Result loop.Result
	// SimpleRegret[k-1] belongs to k queries after the initial ones: the maximum minus the noise-free value of the best
	// query whose answer is known when query k+1 would be chosen (of a contextual study, the smallest regret of any of
	// them). NaN before the first answer. Under a strict window, late answers do not count for policies that censor.
	SimpleRegret []float64
	// CumulativeRegret[k-1] is the sum of the regrets of those k queries, answered or not.
	CumulativeRegret []float64
	// ObservedRegret[k-1] is what is missing, without noise, at the query with the greatest observed value of those that
	// SimpleRegret[k-1] chooses from, the first of equals (Kim et al. 2025, eq. 41):
	// what a user has who trusts the values. Values under different contexts are compared all the same.
	ObservedRegret []float64
	// Best[k-1] is the evaluation that SimpleRegret[k-1] belongs to, 0 before the first answer.
	Best []int
}

// Judge returns the performance of a study of the scenario's problem that Run did not simulate.
func Judge(s Scenario, r loop.Result) Performance {
	w := &world{scenario: s, result: &r}
	return w.performance()
}

// performance computes regrets over what has been evaluated.
func (w *world) performance() Performance {
	s := w.scenario
	var out Performance
	if w.result != nil {
		out.Result = *w.result
	} else {
		out.Result = w.loop.Result()
	}
	evaluations := out.Result.Evaluations
	regrets, worst := make([]float64, len(evaluations)), sync.OnceValue(s.worst)
	for i, e := range evaluations {
		regrets[i] = w.regret(e, worst)
	}
	// bySeen[r] lists the answers that the selection of round r is the first to see.
	bySeen := make([][]int, len(evaluations)+2)
	strict := s.Window.Strict && s.Policy.Traits().Pending == feedback.Censor
	for i, e := range evaluations {
		tooLate := w.isClosed && e.Ended > w.closed
		if e.Counts() && !(strict && e.Status == loop.Late) && e.Seen < len(bySeen) && !tooLate {
			bySeen[e.Seen] = append(bySeen[e.Seen], i)
		}
	}
	best, simple, sum, initial := 0, math.NaN(), 0.0, s.initial()
	top, observed := math.Inf(-1), math.NaN()
	for round := 1; round < len(bySeen); round++ {
		for _, i := range bySeen[round] {
			if best == 0 || regrets[i] < simple {
				best, simple = i+1, regrets[i]
			}
			if v := evaluations[i].Value; v > top {
				top, observed = v, regrets[i]
			}
		}
		// Selection round is the one after round−1 queries.
		if k := round - 1 - initial; k >= 1 {
			sum += max(regrets[round-2], 0)
			out.SimpleRegret = append(out.SimpleRegret, max(simple, 0)) // NaN stays
			out.ObservedRegret = append(out.ObservedRegret, max(observed, 0))
			out.CumulativeRegret = append(out.CumulativeRegret, sum)
			out.Best = append(out.Best, best)
		}
	}
	return out
}

// regret of one query; below zero where a Maximum that is only the best known was beaten. Where the objective has no
// value, or a constraint does not hold, it is that of the worst value; nothing is missed at a context without feasible actions.
func (w *world) regret(e loop.Evaluation, worst func() float64) float64 {
	s := w.scenario
	x := s.Problem.Space.Value(e.X)
	value, known := w.truths[e.Number]
	if !known {
		value = s.Problem.Value(x)
	}
	if math.IsNaN(value) || !s.Problem.feasible(x) {
		value = worst()
	}
	best := s.Problem.bestAt(x)
	if math.IsInf(best, -1) {
		return 0
	}
	return best - value
}

// worst is the worst value of the problem: its floor, or Low where that was given or values are expensive, or else the least of
// those that Spread measures; NaN where there are none.
func (s Scenario) worst() float64 {
	switch {
	case s.Problem.Floor != nil:
		return *s.Problem.Floor
	case s.Low != 0 || s.Problem.Trains:
		return s.Low
	}
	if low := s.Problem.Spread().Low; !math.IsInf(low, 1) {
		return low
	}
	return math.NaN()
}
