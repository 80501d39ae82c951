package space

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Format prints a value as a user would write it: the name of a choice or of a truth value, a whole number, the shortest
// decimal of a step or of an ordered parameter, and otherwise six significant digits.
func (p Parameter) Format(v float64) string {
	switch words := p.Words(); {
	case words != nil && p.Contains(v):
		return words[int(v)]
	case p.Whole():
		return fmt.Sprintf("%.0f", v)
	case p.Kind == KindOrdered || p.Kind == KindFloat && p.Step != 0:
		return shortest(v)
	}
	return fmt.Sprintf("%.6g", v)
}

// shortest is the shortest decimal that is read as v, without an exponent where that is short.
func shortest(v float64) string {
	if size := math.Abs(v); size == 0 || size >= 1e-4 && size < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Range describes the allowed values in words, for error messages.
func (p Parameter) Range() string {
	switch {
	case p.Kind == KindBool:
		return "0 (false) or 1 (true)"
	case p.Kind == KindCategorical:
		return "one of " + strings.Join(p.Choices, ", ") + " (by index)"
	case p.Kind == KindOrdered:
		return "one of " + p.list(mostListed)
	case p.Low == p.High:
		return "the fixed value " + shortest(p.Low)
	case p.Step != 0:
		return fmt.Sprintf("one of %s (steps of %s)", p.list(fewListed), shortest(p.Step))
	case p.Kind == KindInt:
		return fmt.Sprintf("a whole number in %.0f … %.0f", p.Low, p.High)
	}
	return fmt.Sprintf("a number in [%v, %v]", p.Low, p.High)
}

// How many numbers a message lists: of a list, and of what follows from its first two.
const mostListed, fewListed = 20, 3

// list names the values, of more than so many all but the last one by an ellipsis from there on.
func (p Parameter) list(most int) string {
	n := p.Levels()
	name := func(k int) string { return shortest(p.Value(p.Level(k))) }
	first := n
	if n > most {
		first = most - 1
	}
	var names []string
	for k := range first {
		names = append(names, name(k))
	}
	text := strings.Join(names, ", ")
	if first < n {
		text += " … " + name(n-1)
	}
	return text
}
