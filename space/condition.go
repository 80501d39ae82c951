package space

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
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

// conditions are the conditions of a space, with those of all parents, the parents' parents …
type conditions struct {
	needs   [][]need // by parameter; none twice of one parent
	parents []bool   // by parameter: whether the activity of another one depends on it
	given   []int    // the parameters that have needs
	tree    *tree    // counts the combinations
}

// newConditions returns the conditions of the parameters, nil without any; what is wrong with them enters the list. Those on a
// parameter that is wrong itself are not looked at.
func newConditions(c *check.List, parameters []Parameter, sound []bool) *conditions {
	out := &conditions{needs: make([][]need, len(parameters)), parents: make([]bool, len(parameters))}
	own := make([][]need, len(parameters))
	valid := true
	for i, p := range parameters {
		for j := range p.Conditions {
			n, ok := resolve(c, parameters, sound, i, j)
			valid = valid && ok
			if ok && sound[i] {
				parameters[i].Conditions[j].Values = parameters[n.at].spelled(n, parameters[i].Conditions[j].Values)
			}
			if ok {
				own[i] = append(own[i], n)
				out.parents[n.at] = true
			}
		}
		if len(p.Conditions) > 0 {
			out.given = append(out.given, i)
		}
	}
	for _, i := range out.given {
		if circle := circleThrough(own, i); circle != nil && slices.Min(circle) == i {
			names := parameters[i].Name
			for _, k := range circle {
				names += " on " + parameters[k].Name
			}
			c.Add(conditionPath(i, 0), parameters[i].Conditions[0].Parent, "conditions without a circle: "+names)
			valid = false
		}
	}
	if !valid || len(out.given) == 0 {
		return nil
	}
	for _, i := range out.given {
		out.needs[i] = closure(own, i)
		for _, n := range out.needs[i] {
			if n.count() == 0 {
				c.Add(fmt.Sprintf("Space.Parameters[%d].Conditions", i), parameters[i].Name,
					fmt.Sprintf("conditions that can hold together: no value of %s allows all of them", parameters[n.at].Name))
			}
		}
	}
	return out
}

func conditionPath(i, j int) string { return fmt.Sprintf("Space.Parameters[%d].Conditions[%d]", i, j) }

// resolve returns what condition j of parameter i asks for.
func resolve(c *check.List, parameters []Parameter, sound []bool, i, j int) (need, bool) {
	condition, path := parameters[i].Conditions[j], conditionPath(i, j)
	wrong := func(field string, value any, want string) (need, bool) {
		c.Add(path+field, value, want)
		return need{}, false
	}
	at := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == condition.Parent })
	switch {
	case !parameters[i].Role.Chosen():
		return wrong("", condition.Parent, "none: the world always sets "+parameters[i].Name)
	case at < 0:
		return wrong(".Parent", condition.Parent, "the name of another parameter"+hintOf(condition.Parent, parameters, i))
	case at == i:
		return wrong(".Parent", condition.Parent, "the name of another parameter, not its own")
	case slices.IndexFunc(parameters[i].Conditions, func(o Condition) bool { return o.Parent == condition.Parent }) != j:
		return wrong(".Parent", condition.Parent, "one condition for each parent")
	}
	if !sound[at] {
		return need{}, false
	}
	p := parameters[at]
	n := need{at: at, last: p.Levels() - 1}
	switch {
	case !p.discrete():
		return wrong(".Parent", condition.Parent, "a discrete parameter, not a float without a step")
	case condition.Values == nil && p.Words() != nil:
		return wrong(".Values", condition.Values, "some of "+strings.Join(p.Words(), ", "))
	case condition.Values == nil:
		n.first = p.from(condition.AtLeast)
		if n.first > n.last {
			return wrong(".AtLeast", condition.AtLeast, fmt.Sprintf("at most the greatest value of %s, which is %s", p.Name, p.Range()))
		}
		return n, true
	case len(condition.Values) == 0:
		return wrong(".Values", condition.Values, "at least one value of "+p.Name)
	}
	n.only = []int{}
	ok := true
	for k, text := range condition.Values {
		level, has := p.level(text)
		if !has {
			c.Add(fmt.Sprintf("%s.Values[%d]", path, k), text, "a value of "+p.Name+": "+p.names())
			ok = false
		}
		n.only = append(n.only, level)
	}
	slices.Sort(n.only)
	n.only = slices.Compact(n.only)
	return n, ok
}

// hintOf names the parameter that may have been meant.
func hintOf(name string, parameters []Parameter, but int) string {
	var names []string
	for i, p := range parameters {
		if i != but {
			names = append(names, p.Name)
		}
	}
	if meant := check.Meant(name, names); meant != "" {
		return ": did you mean " + meant + "?"
	}
	return ""
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

// circleThrough returns the parameters by which the conditions of parameter i lead back to it, nil where they do not.
func circleThrough(own [][]need, i int) []int {
	seen := make([]bool, len(own))
	var walk func(k int) []int
	walk = func(k int) []int {
		for _, n := range own[k] {
			if n.at == i {
				return []int{i}
			}
			if seen[n.at] {
				continue
			}
			seen[n.at] = true
			if rest := walk(n.at); rest != nil {
				return append([]int{n.at}, rest...)
			}
		}
		return nil
	}
	return walk(i)
}

// closure returns what must hold for parameter i to be active: its conditions and those of its parents, which have no circle.
func closure(own [][]need, i int) []need {
	var out []need
	seen := make([]bool, len(own))
	var walk func(k int)
	walk = func(k int) {
		for _, n := range own[k] {
			if j := slices.IndexFunc(out, func(m need) bool { return m.at == n.at }); j >= 0 {
				out[j] = out[j].and(n)
			} else {
				out = append(out, n)
			}
			if !seen[n.at] {
				seen[n.at] = true
				walk(n.at)
			}
		}
	}
	walk(i)
	return out
}
