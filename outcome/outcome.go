// Package outcome holds the result of an evaluation: an outcome, a failure with its verdict, or the word that the outcome
// follows later. The same value goes from the worker to the loop, the journal and the result. The package
// also says when an outcome counts, and which of two values is the better one.
package outcome

import (
	"fmt"
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// Outcome is the result of a successful evaluation.
type Outcome struct {
	Value       float64   // in the user's units and sense
	Cost        float64   // of the evaluation, ≥ 0, in units of the user's; 0 where nobody says
	Constraints []float64 // each holds where it is ≤ 0; nil without any
	Infeasible  bool      // the value does not count, also where every constraint holds
}

// Of returns an outcome with a value only: no cost and no constraints.
func Of(value float64) Outcome { return Outcome{Value: value} }

// Validate returns an error for every number that is not finite and for a cost below 0, or nil. Each error is a check.FieldError. An attempt
// with such an outcome has failed.
func (o Outcome) Validate() error {
	if o.Flaw() == "" {
		return nil
	}
	var l check.List
	want := func(field string, v float64) {
		l.Require(Finite(v), field, v, "a finite number; an attempt without a value has failed")
	}
	want("value", o.Value)
	l.Require(Finite(o.Cost) && o.Cost >= 0, "cost", o.Cost, "a finite number ≥ 0")
	for i, v := range o.Constraints {
		want(fmt.Sprintf("constraints[%d]", i), v)
	}
	return l.Err()
}

// Flaw names the part of the outcome that is not finite, or a cost below 0, or returns an empty text. An outcome counts if it has neither a
// flaw nor a violation.
func (o Outcome) Flaw() string {
	switch {
	case !Finite(o.Value):
		return fmt.Sprintf("value is %v", o.Value)
	case !Finite(o.Cost) || o.Cost < 0:
		return fmt.Sprintf("cost is %v", o.Cost)
	case !Finite(o.Constraints...):
		return fmt.Sprintf("constraints are %v", o.Constraints)
	}
	return ""
}

// Violation says why the point is infeasible, or returns an empty text.
func (o Outcome) Violation() string {
	for i, c := range o.Constraints {
		if c > 0 {
			return fmt.Sprintf("constraint %d is %v: want ≤ 0", i+1, c)
		}
	}
	if o.Infeasible {
		return "infeasible"
	}
	return ""
}

// Finite reports whether no value is NaN or infinite.
func Finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
