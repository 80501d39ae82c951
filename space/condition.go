package space

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Condition says for which values of another parameter, its parent, a parameter is active. Build one with Parameter.When or
// Parameter.WhenAtLeast.
type Condition struct {
	Parent  string   // name of a discrete parameter
	Values  []string // as they are written: one of them is the parent's; nil for AtLeast
	AtLeast float64  // the least value of the parent, where its values are numbers
}

// String returns the condition in words, as in "kind = adam or sgd" and "layers ≥ 2".
func (c Condition) String() string {
	if c.Values == nil {
		return c.Parent + " ≥ " + shortest(c.AtLeast)
	}
	return c.Parent + " = " + strings.Join(c.Values, " or ")
}

// When returns the parameter, active only where the parent has one of the values: choices, true or false, or numbers. With
// several conditions all must hold. A parameter whose parent is inactive is inactive too.
func (p Parameter) When(parent string, values ...any) Parameter {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = written(v)
	}
	return p.with(Condition{Parent: parent, Values: words})
}

// WhenAtLeast returns the parameter, active only where the parent, an int, an ordered one or a float with a step, is at least low.
func (p Parameter) WhenAtLeast(parent string, low float64) Parameter {
	return p.with(Condition{Parent: parent, AtLeast: low})
}

func (p Parameter) with(c Condition) Parameter {
	p.Conditions = append(slices.Clip(p.Conditions), c)
	return p
}

func written(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	if kind := reflect.ValueOf(v).Kind(); kind == reflect.Slice || kind == reflect.Array {
		return fmt.Sprintf("%#v", v) // as []int{2, 3}, which is no value of a parameter
	}
	return fmt.Sprint(v)
}

// clone shares nothing with c.
func (c Condition) clone() Condition {
	c.Values = slices.Clone(c.Values)
	return c
}

// need is what a condition asks of a parent: a level from the first to the last, one of a list where there is one.
type need struct {
	at          int // index of the parent
	first, last int
	only        []int // increasing; nil for all of them
}

func (n need) holds(level int) bool {
	if level < n.first || level > n.last {
		return false
	}
	if n.only == nil {
		return true
	}
	_, found := slices.BinarySearch(n.only, level)
	return found
}

// and returns what both ask of the same parent.
func (n need) and(m need) need {
	out := need{at: n.at, first: max(n.first, m.first), last: min(n.last, m.last)}
	only := n.only
	if only == nil {
		only = m.only
	}
	if only != nil {
		out.only = slices.DeleteFunc(slices.Clone(only), func(level int) bool { return !n.holds(level) || !m.holds(level) })
	}
	return out
}

// count returns how many levels hold.
func (n need) count() int {
	if n.only == nil {
		return max(n.last-n.first+1, 0)
	}
	return len(n.only)
}

// level returns the k-th of the levels that hold.
func (n need) level(k int) int {
	if n.only == nil {
		return n.first + k
	}
	return n.only[k]
}

// level returns the number of the level of the parameter that is written so; not ok: it has no such value.
func (p Parameter) level(text string) (level int, ok bool) {
	if words := p.Words(); words != nil {
		level = slices.Index(words, text)
		return level, level >= 0
	}
	v, err := strconv.ParseFloat(text, 64)
	v = p.Exact(v)
	if err != nil || !p.Contains(v) {
		return 0, false
	}
	return p.Rank(p.Unit(v)), true
}

// spelled returns the values of a condition as they are printed, each once, in the order of the parent's; nil stays nil.
func (p Parameter) spelled(n need, values []string) (out []string) {
	if values == nil {
		return nil
	}
	for _, level := range n.only {
		v := p.Value(p.Level(level))
		if words := p.Words(); words != nil {
			out = append(out, words[int(v)])
		} else {
			out = append(out, shortest(v))
		}
	}
	return out
}

// names lists the values as a condition names them.
func (p Parameter) names() string {
	if words := p.Words(); words != nil {
		return "one of " + strings.Join(words, ", ")
	}
	return p.Range()
}

// from is the number of the first level that is at least low, Levels where there is none or low is NaN.
func (p Parameter) from(low float64) int {
	least, n := p.Value(p.Level(0)), p.Levels()
	switch {
	case math.IsNaN(low), low > p.Value(p.Level(n-1)):
		return n
	case low <= least:
		return 0
	}
	k := p.Rank(p.Unit(p.Exact(low)))
	for k > 0 && p.Value(p.Level(k-1)) >= low {
		k--
	}
	for k < n-1 && p.Value(p.Level(k)) < low && p.Exact(low) != p.Value(p.Level(k)) {
		k++
	}
	return k
}
