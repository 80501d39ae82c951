package hindsight

import (
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// Imputed is a query without a value, and what stood in for it when a policy chose.
type Imputed struct {
	Evaluation int     `json:"evaluation"`
	X          Point   `json:"x"`
	Pending    bool    `json:"pending"` // false: it had failed
	As         string  `json:"as"`      // censored, hallucinated, failed or ignored
	Value      *Number `json:"value"`   // in the user's units and sense; null where it was ignored
}

// imputed are the queries of a view that pend, and the rows of its posterior that hold no answer, by number.
func imputed(c loop.Config, v policies.View) []Imputed {
	all := map[int]Imputed{}
	point := func(number int) Point { return Point{c.Space, c.Space.Value(v.Queries[number-1].X)} }
	numbers := slices.Clone(v.Pending)
	for _, number := range v.Pending {
		all[number] = Imputed{number, point(number), true, "ignored", nil}
	}
	if v.Posterior != nil {
		sample := v.Sample()
		for i, number := range v.Rows {
			if sample.Came[i] || number < 0 { // a value, or a report
				continue
			}
			value := Number(policies.Level.In(v.Units, c.Sense(), sample.U[i]))
			if slices.Contains(sample.Pending, i) {
				as := map[feedback.Imputation]string{feedback.Censor: "censored", feedback.Hallucinate: "hallucinated"}[c.Traits.Pending]
				all[number] = Imputed{number, point(number), true, as, &value}
			} else {
				as := "failed"
				if c.Traits.Adapts { // it has no value, and stands as a query that pends
					as = "hallucinated"
				}
				all[number] = Imputed{number, point(number), false, as, &value}
				numbers = append(numbers, number)
			}
		}
	}
	slices.Sort(numbers)
	out := []Imputed{}
	for _, number := range slices.Compact(numbers) {
		out = append(out, all[number])
	}
	return out
}
