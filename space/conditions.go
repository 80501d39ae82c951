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

// conditionWork bounds the conditions of a space, those of a parent counted for each parameter that depends on it, each with its
// values: what it takes to find out which parameters are active.
const conditionWork = 1 << 21

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
	work := conditionWork
	for _, i := range out.given {
		if out.needs[i] = closure(own, i, &work); work < 0 {
			c.Add(fmt.Sprintf("Space.Parameters[%d].Conditions", i), parameters[i].Name, fmt.Sprintf("fewer or shallower conditions: "+
				"with those of the parents, and of their parents, the parameters may have %d values in them altogether", conditionWork))
			return nil
		}
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
		return wrong("", condition.Parent, "no conditions on a context: the world always sets "+parameters[i].Name)
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
			if rest := walk(n.at); rest != nil {
				return append([]int{n.at}, rest...)
			}
		}
		return nil
	}
	return walk(i)
}

// closure returns what must hold for parameter i to be active: its conditions and those of its parents, which have no circle.
// It takes what it costs from the work, and ends where nothing is left of that.
func closure(own [][]need, i int, work *int) []need {
	var out []need
	place := make([]int, len(own)) // in out, less one; 0 of one that was not met
	var walk func(k int)
	walk = func(k int) {
		for _, n := range own[k] {
			if *work -= 1 + len(n.only); *work < 0 {
				return
			}
			if j := place[n.at] - 1; j >= 0 {
				out[j] = out[j].and(n)
				continue
			}
			out = append(out, n)
			place[n.at] = len(out)
			walk(n.at)
		}
	}
	walk(i)
	return out
}
