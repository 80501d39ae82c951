package command

import (
	"errors"

	"github.com/tarry-bo/tarry/internal/check"
)

const (
	defaultInfeasible = 65 // EX_DATAERR of sysexits.h
	defaultLost       = 75 // EX_TEMPFAIL of sysexits.h
	maxCode           = 255
)

// ValidateCodes reports every violation of two exit codes as a user writes them, where 0, unlike in a Runner, is no way
// to say nothing: each is -1, for none, or 1 … 255, and no two are the same. The messages name them infeasible-code and
// lost-code.
func ValidateCodes(infeasible, lost int) error {
	const want = "-1 for none, or 1 ≤ code ≤ 255"
	var c check.List
	c.Require(infeasible == -1 || infeasible >= 1 && infeasible <= maxCode, "infeasible-code", infeasible, want)
	c.Require(lost == -1 || lost >= 1 && lost <= maxCode, "lost-code", lost, want)
	c.Join(differ("infeasible-code", infeasible, "lost-code", lost))
	return c.Err()
}

// validateCodes reports every violation of the codes of a runner.
func (r *Runner) validateCodes() error {
	var c check.List
	c.Between("Runner.InfeasibleCode", r.InfeasibleCode, -1, maxCode)
	c.Between("Runner.LostCode", r.LostCode, -1, maxCode)
	return errors.Join(c.Err(), differ("Runner.InfeasibleCode", r.infeasibleCode(), "Runner.LostCode", r.lostCode()))
}

// differ returns an error where two codes are the same, unless that means none. It blames the one that is not as it is where nobody
// says anything.
func differ(infeasibleField string, infeasible int, lostField string, lost int) error {
	switch {
	case infeasible != lost || lost <= 0:
		return nil
	case lost == defaultLost:
		return &check.FieldError{Field: infeasibleField, Value: infeasible, Want: "a code other than " + lostField}
	}
	return &check.FieldError{Field: lostField, Value: lost, Want: "a code other than " + infeasibleField}
}

func (r *Runner) infeasibleCode() int { return orDefault(r.InfeasibleCode, defaultInfeasible) }

func (r *Runner) lostCode() int { return orDefault(r.LostCode, defaultLost) }

// orDefault returns the code, or the other one where it is 0.
func orDefault(code, other int) int {
	if code == 0 {
		return other
	}
	return code
}
