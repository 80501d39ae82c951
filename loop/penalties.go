package loop

import (
	"math"
	"slices"

	"github.com/tarry-bo/tarry/policies"
)

// A value that the latest fit takes for a penalty says nothing of the noise of values, nor of how sure the model may be of them: it is a failure of its point, see
// model.Penalized. It stays in the record. The coverage of the forecasts is reported without it, and kept with it, since the next fit may know better.

// penal reports whether the latest fit takes any value for a penalty.
func (l *Loop) penal() bool { return l.penalty(math.Inf(-1)) }

// penalized reports whether the value of an evaluation is taken for a penalty.
func (l *Loop) penalized(e *Evaluation) bool {
	return l.penalty(l.config.Sense().Sign() * e.Value)
}

// withoutPenalties returns the answers whose values are none. Cost O(n).
func (l *Loop) withoutPenalties(history []policies.Answer) []policies.Answer {
	penalized := func(a policies.Answer) bool { return l.penalty(a.Value) }
	if !slices.ContainsFunc(history, penalized) {
		return history
	}
	return slices.DeleteFunc(slices.Clone(history), penalized)
}
