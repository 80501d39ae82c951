package space

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// MaxConditions bounds the conditions of a parameter.
const MaxConditions = 16

// conditions are the conditions of a space.
type conditions struct {
	needs   [][]need // by parameter; none twice of one parent
	parents []bool   // by parameter: whether the activity of another one depends on it
	given   []int    // the parameters that have needs
	order   []int    // the same, each after those on which it depends
	tree    *tree    // counts the combinations
}

// newConditions returns the conditions of the parameters, nil without any; what is wrong with them enters the list. Those on a
// parameter that is wrong itself are not looked at.
func newConditions(c *check.List, parameters []Parameter, sound []bool) *conditions {
	out := &conditions{needs: make([][]need, len(parameters)), parents: make([]bool, len(parameters))}
	valid := true
	for i, p := range parameters {
		if n := len(p.Conditions); n > MaxConditions {
			c.Add(fmt.Sprintf("Space.Parameters[%d].Conditions", i), n, fmt.Sprintf("at most %d conditions", MaxConditions))
			return nil
		}
		for j := range p.Conditions {
			n, ok := resolve(c, parameters, sound, i, j)
			valid = valid && ok
			if ok && sound[i] {
				parameters[i].Conditions[j].Values = parameters[n.at].spelled(n, parameters[i].Conditions[j].Values)
			}
			if ok {
				out.needs[i] = append(out.needs[i], n)
				out.parents[n.at] = true
			}
		}
		if len(p.Conditions) > 0 {
			out.given = append(out.given, i)
		}
	}
	for _, i := range out.given {
		if circle := circleThrough(out.needs, i); circle != nil && slices.Min(circle) == i {
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
	out.order = inOrder(out.needs, out.given)
	never := out.contradictions()
	for _, i := range out.given {
		for _, at := range never[i] {
			c.Add(fmt.Sprintf("Space.Parameters[%d].Conditions", i), parameters[i].Name,
				fmt.Sprintf("conditions that can hold together: no value of %s allows all of them", parameters[at].Name))
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
		return wrong("", condition.Parent, fmt.Sprintf("no conditions of a %v: %s always has a value", parameters[i].Role, parameters[i].Name))
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
		return wrong(".AtLeast", condition.AtLeast, "some values of "+p.Name+", which has no numbers: "+strings.Join(p.Words(), ", "))
	case condition.Values == nil && (math.IsNaN(condition.AtLeast) || math.IsInf(condition.AtLeast, 0)):
		return wrong(".AtLeast", condition.AtLeast, fmt.Sprintf("a finite number, at most the greatest value of %s, which is %s", p.Name, p.Range()))
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
			want := "a value of " + p.Name + ": " + p.names()
			if strings.HasPrefix(text, "[") {
				want += ", each by itself and not in a list"
			}
			c.Add(fmt.Sprintf("%s.Values[%d]", path, k), text, want)
			ok = false
		}
		n.only = append(n.only, level)
	}
	slices.Sort(n.only)
	n.only = slices.Compact(n.only)
	return n, ok
}

// mostHints is how many parameters are looked at for one that may have been meant.
const mostHints = 100

// hintOf names the parameter that may have been meant, where there are not too many.
func hintOf(name string, parameters []Parameter, but int) string {
	if len(parameters) > mostHints {
		return ""
	}
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
			if back := walk(n.at); back != nil {
				return append(back, n.at)
			}
		}
		return nil
	}
	circle := walk(i)
	slices.Reverse(circle)
	return circle
}

// inOrder returns the given parameters, each after those on which it depends. The conditions have no circle.
func inOrder(needs [][]need, given []int) []int {
	var out []int
	done := make([]bool, len(needs))
	var visit func(i int)
	visit = func(i int) {
		if done[i] {
			return
		}
		done[i] = true
		for _, n := range needs[i] {
			visit(n.at)
		}
		if len(needs[i]) > 0 {
			out = append(out, i)
		}
	}
	for _, i := range given {
		visit(i)
	}
	return out
}

// asked returns the conditions of parameter i and of all on which it depends, without those of parameters that were seen, which it
// adds to them.
func (w *conditions) asked(i int, seen *Set) []need {
	var out []need
	var visit func(k int)
	visit = func(k int) {
		if seen.Has(k) {
			return
		}
		seen.add(k)
		for _, n := range w.needs[k] {
			out = append(out, n)
			visit(n.at)
		}
	}
	visit(i)
	return out
}

// contradictions returns, by parameter, the parents of whose values none allows it to be active: with its own conditions and those
// of all on which it depends. Cost O(p (d + c)) for c conditions and p parents of which no value suits all that depend on them.
func (w *conditions) contradictions() [][]int {
	out := make([][]int, len(w.needs))
	left := make([]*need, len(w.needs)) // of the values of a parent, by parameter; nil for all of them
	for parent := range w.needs {
		if !w.parents[parent] || w.suited(parent) {
			continue
		}
		clear(left)
		for _, i := range w.order {
			for k, n := range w.needs[i] {
				own := left[n.at]
				if n.at == parent {
					own = &w.needs[i][k]
				}
				left[i] = both(left[i], own)
			}
			if left[i] != nil && left[i].count() == 0 {
				out[i] = append(out[i], parent)
			}
		}
	}
	return out
}

// suited reports whether some value of a parent holds for all conditions on it.
func (w *conditions) suited(parent int) bool {
	var left *need
	for _, i := range w.order {
		for k, n := range w.needs[i] {
			if n.at == parent {
				left = both(left, &w.needs[i][k])
			}
		}
	}
	return left.count() > 0
}

// both returns what two conditions on the same parent ask; nil asks nothing.
func both(a, b *need) *need {
	switch {
	case a == nil || a == b:
		return b
	case b == nil || a.count() == 0:
		return a
	}
	out := a.and(*b)
	return &out
}
