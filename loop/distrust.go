package loop

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// What is promised rests on the seeds being safe. One that turns out not to be is refuted, and ends the study: by an answer that violates a
// constraint or by the word that its point is infeasible, which is no noise. Where constraints have noise an answer beyond the bound refutes
// nothing as long as noise explains it: it does by as much as answers at safe points must be on the safe side, the guard band on the other side
// of the bound. Where the noise is normal n answers say together what one says with a noise of sd/√n, so their mean is looked at as well: a seed
// that is unsafe by little is found out by many answers.

// distrust ends a study whose seed is not safe.
func (l *Loop) distrust(e *Evaluation) {
	at := l.seed(e.X)
	if at < 0 {
		return
	}
	if why := l.refutation(l.caution.seeds[at]); why != "" {
		seeds := l.config.Seeds
		l.plan.stop(fmt.Sprintf("%s: %d of %d, %s: %s", ReasonSeed, at+1, len(seeds), l.config.Space.Format(seeds[at]), why))
	}
}

// refuted says of each seed why it is not safe; empty where nothing says so. Cost O(n).
func (l *Loop) refuted() []string {
	why := make([]string, len(l.caution.seeds))
	for i, x := range l.caution.seeds {
		why[i] = l.refutation(x)
	}
	return why
}

// refutation says why a seed is not safe: the first answer that says so, or else the mean of all; empty where nothing does.
func (l *Loop) refutation(seed space.Unit) (why string) {
	var margins []float64 // sums, of the answers to queries of this study
	n := 0
	for e := range l.ledger.at(seed) {
		if l.refutes(e) {
			why = e.Reason
		}
		if e.Foreign || !e.Measured || len(e.Constraints) != len(l.config.Constraints) {
			continue
		}
		if n++; margins == nil {
			margins = make([]float64, len(e.Constraints))
		}
		for i, c := range l.config.Constraints {
			margins[i] += c.Margin(e.Constraints[i])
		}
	}
	if why != "" || n == 0 || l.caution.bands == nil || len(l.config.Traits.Safety.Sigma) == 0 {
		return why
	}
	for i, c := range l.config.Constraints {
		if root := math.Sqrt(float64(n)); l.caution.bands[i].Contradicts(margins[i] / root) {
			return fmt.Sprintf("the mean of %d answers of %s is %.6g: want %s", n, c.Name, c.Value(margins[i]/float64(n)), strings.TrimPrefix(c.String(), c.Name+" "))
		}
	}
	return ""
}

// refutes reports whether an evaluation at a seed says by itself that it is not safe. One that violates no constraint and is infeasible
// was declared so.
func (l *Loop) refutes(e *Evaluation) bool {
	violated, _ := l.judged(e)
	if l.caution.bands == nil || !violated || !e.Measured || len(e.Constraints) != len(l.config.Constraints) {
		return violated
	}
	for i, c := range l.config.Constraints {
		if l.caution.bands[i].Contradicts(c.Margin(e.Constraints[i])) {
			return true
		}
	}
	return e.Infeasible && outcome.Violation(l.config.Constraints, e.Constraints) == ""
}
