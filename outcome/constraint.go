package outcome

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Constraint is a bound of something that is measured with each value, in the user's units. Build one with AtMost or AtLeast.
type Constraint struct {
	Name  string
	Bound float64
	Least bool // Bound is the least value that is allowed; otherwise it is the greatest
}

// AtMost is a constraint that holds where what is measured is at most the bound.
func AtMost(name string, bound float64) Constraint { return Constraint{Name: name, Bound: bound} }

// AtLeast is a constraint that holds where what is measured is at least the bound.
func AtLeast(name string, bound float64) Constraint {
	return Constraint{Name: name, Bound: bound, Least: true}
}

// Margin returns how far a value is on the side of the bound that is allowed: the constraint holds where that is ≥ 0. What overflows
// is cut off.
func (c Constraint) Margin(value float64) float64 {
	margin := c.Bound - value
	if c.Least {
		margin = value - c.Bound
	}
	return min(max(margin, -math.MaxFloat64), math.MaxFloat64)
}

// Value returns what has a margin: the inverse of Margin, for people.
func (c Constraint) Value(margin float64) float64 {
	if c.Least {
		return c.Bound + margin
	}
	return c.Bound - margin
}

// String returns "latency at most 0.2".
func (c Constraint) String() string { return c.Name + " " + c.want() }

func (c Constraint) want() string {
	if c.Least {
		return fmt.Sprintf("at least %v", c.Bound)
	}
	return fmt.Sprintf("at most %v", c.Bound)
}

// Text returns the constraint as ParseConstraint reads it, as in "latency<=0.2", with all digits. What no name may have in it is escaped.
func (c Constraint) Text() string {
	side := "<="
	if c.Least {
		side = ">="
	}
	return escaped(c.Name) + side + strconv.FormatFloat(c.Bound, 'g', -1, 64)
}

// ParseConstraint reads a constraint.
func ParseConstraint(text string) (Constraint, error) {
	name, bound, found := strings.Cut(text, "<=")
	least := !found
	if least {
		name, bound, found = strings.Cut(text, ">=")
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(bound), 64)
	if !found || err != nil {
		return Constraint{}, fmt.Errorf("want a name with <= or >= and a number, as in latency<=0.2, found %q", text)
	}
	return Constraint{Name: unescaped(strings.TrimSpace(name)), Bound: v, Least: least}, nil
}

// MaxConstraints bounds how many constraints a study may name: each has a model of its own.
const MaxConstraints = 20

// ConstraintName says what the name of a constraint looks like, which is as that of a parameter.
const ConstraintName = "a letter or _, then letters, digits, _, . and -"

// CheckConstraints returns an empty text where constraints may be those of a study, and otherwise what is demanded of them.
func CheckConstraints(all []Constraint) string {
	if len(all) > MaxConstraints {
		return fmt.Sprintf("at most %d constraints", MaxConstraints)
	}
	for i, c := range all {
		switch {
		case !isName(c.Name):
			return fmt.Sprintf("names that are %s, not %q", ConstraintName, c.Name)
		case !Finite(c.Bound):
			return fmt.Sprintf("a finite bound of %s, not %v", c.Name, c.Bound)
		case slices.ContainsFunc(all[:i], func(o Constraint) bool { return o.Name == c.Name }):
			return fmt.Sprintf("each name once, and %s is there twice", c.Name)
		}
	}
	return ""
}

func isName(s string) bool {
	for i := range len(s) {
		if !plain(s[i]) || i == 0 && s[0] < 'A' {
			return false
		}
	}
	return s != ""
}

// plain reports whether a byte may stand in a name.
func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9' || c == '.' || c == '-'
}

// escaped writes what may not stand in a name as % and two digits, so that a text is read back whatever the name is.
func escaped(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if plain(name[i]) {
			b.WriteByte(name[i])
		} else {
			fmt.Fprintf(&b, "%%%02x", name[i])
		}
	}
	return b.String()
}

// unescaped reads what escaped wrote; other text stays.
func unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if c, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Violation says which of the named constraints the values, in their order, violate; an empty text where all hold.
func Violation(named []Constraint, values []float64) string {
	var found []string
	for i, c := range named {
		if i < len(values) && c.Margin(values[i]) < 0 {
			found = append(found, fmt.Sprintf("%s is %v: want %s", c.Name, values[i], c.want()))
		}
	}
	return strings.Join(found, "; ")
}

// Complete returns an error that names each of the named constraints that has no finite value, or nil; without names it is nil.
func Complete(named []Constraint, values []float64) error {
	var l check.List
	for i, c := range named {
		if i < len(values) {
			l.Require(Finite(values[i]), "constraints."+c.Name, values[i], "a finite number")
		} else {
			l.Add("constraints."+c.Name, "missing", "a finite number, with every value")
		}
	}
	if len(named) > 0 && len(values) > len(named) {
		l.Add("constraints", fmt.Sprintf("%d numbers", len(values)), fmt.Sprintf("%d, one for each of %s", len(named), strings.Join(names(named), ", ")))
	}
	return l.Err()
}

func names(of []Constraint) []string {
	out := make([]string, len(of))
	for i, c := range of {
		out[i] = c.Name
	}
	return out
}

// ByName returns values in the order of the named constraints; an error that names all that are missing, and all that are none. The
// values have the names beside them.
func ByName(named []Constraint, given []string, values []float64) ([]float64, error) {
	var l check.List
	out := make([]float64, len(named))
	for i, c := range named {
		at := slices.Index(given, c.Name)
		if at < 0 {
			l.Add("constraints."+c.Name, "missing", "a finite number, with every value")
			continue
		}
		out[i] = values[at]
		l.Require(Finite(out[i]), "constraints."+c.Name, out[i], "a finite number")
	}
	for k, name := range given {
		if slices.Contains(names(named), name) {
			continue
		}
		want := "one of " + strings.Join(names(named), ", ")
		if meant := check.Meant(name, names(named)); meant != "" {
			want += fmt.Sprintf(" (did you mean %s?)", meant)
		}
		l.Add("constraints."+name, values[k], want)
	}
	return out, l.Err()
}
