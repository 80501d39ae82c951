package policies

import (
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Sample holds the rows of the loop's posterior, for a policy with a model of its own.
type Sample struct {
	X       []space.Unit // points of the unit cube
	U       []float64    // targets, in the model's units
	Came    []bool       // whether the target is an answer; otherwise it is imputed, what a report says, or the bad value of a query that failed
	Known   []float64    // variance of the noise of each target besides that which is learned; nil where nothing is known of any
	Pending []int        // rows whose target is imputed, ascending
}

// Sample returns the rows of the posterior. Cost O(t).
func (v View) Sample() Sample {
	s := Sample{U: v.Posterior.Targets(), Came: v.answered()}
	open := make([]bool, len(v.Queries)+1)
	for _, number := range v.Pending {
		open[number] = true
	}
	for i, number := range v.Rows {
		s.X = append(s.X, v.Posterior.X(i))
		if known := v.Posterior.Known(i); known > 0 && s.Known == nil {
			s.Known = make([]float64, len(v.Rows))
		}
		if s.Known != nil {
			s.Known[i] = v.Posterior.Known(i)
		}
		if number > 0 && open[number] {
			s.Pending = append(s.Pending, i)
		}
	}
	return s
}

// Answers returns the points and targets of the rows whose target is an answer.
func (s Sample) Answers() (x []space.Unit, u []float64) {
	for i, came := range s.Came {
		if came {
			x, u = append(x, s.X[i]), append(u, s.U[i])
		}
	}
	return x, u
}

// Condition returns the posterior of a prior given one point and one target for each row of the sample. Pending rows get
// their posterior mean as target, which overwrites theirs in targets. It returns nil where the posterior cannot be
// computed. Cost O(n³).
func (s Sample) Condition(prior surrogate.Prior, x []space.Unit, targets []float64) *surrogate.Posterior {
	for _, i := range s.Pending {
		targets[i] = prior.Mean
	}
	p, err := prior.ConditionKnown(x, targets, s.Known, nil)
	if err != nil {
		return nil
	}
	if p = p.Hallucinate(targets, s.Pending); !p.Usable() {
		return nil
	}
	return p
}

// answered marks the rows of the posterior that hold a value that came.
func (v View) answered() []bool {
	came := make([]bool, len(v.Queries)+1)
	for _, a := range v.History {
		came[a.Query.Number] = true
	}
	out := make([]bool, len(v.Rows))
	for i, number := range v.Rows {
		out[i] = number > 0 && number < len(came) && came[number]
	}
	return out
}
