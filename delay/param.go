package delay

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// param is the name of a parameter and the closed interval it must lie in. NaN lies in none.
type param struct {
	name   string
	lo, hi float64
}

// want says the interval in the words of package check.
func (p param) want() string { return fmt.Sprintf("%v ≤ %s ≤ %v", p.lo, p.name, p.hi) }

// read returns the number that text spells, and adds a violation to the list if it spells none or one outside the
// interval. The owner is the name of what has the parameter.
func (p param) read(list *check.List, owner, text string) float64 {
	v, ok := number(text)
	if !ok {
		text = strconv.Quote(text)
	}
	list.Require(ok && v >= p.lo && v <= p.hi, owner+"."+p.name, text, p.want())
	return v
}

// number reads a decimal number. It is narrower than strconv, which also takes hexadecimal numbers, infinities, NaN and
// a leading plus, none of which anybody means to write in a delay.
func number(text string) (v float64, ok bool) {
	foreign := func(r rune) bool { return !strings.ContainsRune("0123456789.eE+-", r) }
	if strings.HasPrefix(text, "+") || strings.ContainsFunc(text, foreign) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if v == 0 {
		v = 0 // -0 is a number, but not one to print
	}
	return v, err == nil
}

// tooLong is the error for a text above MaxSpec, which is not repeated in it.
func tooLong(field, spec string) error {
	return &check.FieldError{
		Field: field, Value: fmt.Sprintf("%d bytes", len(spec)), Want: fmt.Sprintf("at most %d bytes", MaxSpec),
	}
}
