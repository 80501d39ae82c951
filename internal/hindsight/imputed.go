package hindsight

import (
	"maps"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// Imputed is a query without a value, and what stood in for it when a policy chose.
type Imputed struct {
	Evaluation int     `json:"evaluation"`
	X          Point   `json:"x"`
	Pending    bool    `json:"pending"`            // false: it had ended without a value
	Status     string  `json:"status"`             // as it was then
	As         string  `json:"as"`                 // censored, hallucinated, failed, foreseen (by its reports alone), forgotten (silent for too long), awaited (by a safe policy) or ignored
	Value      *Number `json:"value"`              // in the user's units and sense; null where it was ignored
	Foreseen   *Number `json:"foreseen,omitempty"` // of one that pends, the measurement that its reports amount to
}

// awaiting is the posterior of a view by which a safe policy looks for what is least certain: what pends counts as answered where it is expected, which
// moves no mean. It is that of the view for other policies.
func awaiting(t policies.Traits, v policies.View) *surrogate.Posterior {
	p := v.Posterior
	if p == nil || !t.Safety.Seeds {
		return p
	}
	for _, number := range v.Pending {
		x := v.Queries[number-1].X
		p = p.Append(x, p.Mean(x))
	}
	return p
}

// standsIn says what the row of a query that pends, or was ended early, is to a policy.
var standsIn = map[feedback.Imputation]string{feedback.Censor: "censored", feedback.Hallucinate: "hallucinated"}

// imputed are the queries of a view that pend, those whose answer was not expected any more, and the rows of its posterior that hold no answer, by number.
func imputed(c loop.Config, v policies.View, evaluations []loop.Evaluation) []Imputed {
	all := map[int]*Imputed{}
	of := func(number int) *Imputed {
		if all[number] == nil {
			all[number] = &Imputed{Evaluation: number, X: Point{c.Space, c.Space.Value(v.Queries[number-1].X)}, Status: evaluations[number-1].Status.String(), As: "ignored"}
		}
		return all[number]
	}
	for _, number := range v.Pending {
		row := of(number)
		row.Pending, row.Status = true, loop.Pending.String() // it may have been answered since the policy was asked
		if c.Traits.Safety.Seeds && v.Posterior != nil {
			value := Number(policies.Level.In(v.Units, c.Sense(), v.Posterior.Mean(v.Queries[number-1].X)))
			row.As, row.Value = "awaited", &value
		}
	}
	for i := range v.Queries {
		if e := &evaluations[i]; e.Status == loop.Pending && e.Forgotten && all[e.Number] == nil {
			row := of(e.Number)
			row.Pending, row.As = true, "forgotten"
		}
	}
	if v.Posterior != nil {
		sample := v.Sample()
		for i, number := range v.Rows {
			if sample.Came[i] && number > 0 {
				continue
			}
			value := Number(policies.Level.In(v.Units, c.Sense(), sample.U[i]))
			switch row := of(max(number, -number)); {
			case number < 0 && row.Pending:
				row.Foreseen = &value
			case number < 0: // ended early
				row.As, row.Value = "foreseen", &value
			case slices.Contains(sample.Pending, i):
				row.As, row.Value = standsIn[c.Traits.Pending], &value
			case slices.Contains(v.Rows, -number): // ended early, and its reports say more
			case evaluations[number-1].Status == loop.Stopped:
				row.As, row.Value = standsIn[c.Traits.Pending], &value
			case c.Traits.Adapts: // it has no value, and stands as a query that pends
				row.As, row.Value = "hallucinated", &value
			default:
				row.As, row.Value = "failed", &value
			}
		}
	}
	out := []Imputed{}
	for _, number := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[number])
	}
	return out
}
