package spacefile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

const wantCosts = "what an evaluation costs at each value, or at some that are evenly spread from the least to the greatest"

// costs reads what evaluations cost at the values of a fidelity, which only a fidelity has, and must have.
func (c *checker) costs(e *entry, given map[string]field) {
	f, there := given["costs"]
	fidelity := e.roleKnown && e.Role == space.Fidelity
	ordered := !e.kindKnown || slices.Contains(owned[e.Kind], "costs")
	switch {
	case fidelity && !ordered:
		c.wrong(given["role"].value, e.path+".role",
			fmt.Sprintf("action or context, since type is %v: the values of a fidelity are numbers: float, int or ordered", e.Kind))
		return
	case there && !fidelity && e.roleKnown && ordered:
		c.add(f.key.place, e.path+".costs", "not for the role %v: want role: fidelity beside it", e.Role)
		return
	case !there && !fidelity || !ordered:
		return
	}
	var wrong bool
	items := c.list(*e, given, "costs", "a list of numbers: "+wantCosts, fidelity)
	for i, item := range items {
		v, want := item.number()
		if want == "" && v <= 0 {
			want = "a finite number > 0"
		}
		if want != "" {
			c.wrong(item, fmt.Sprintf("%s.costs[%d]", e.path, i), want)
			wrong = true
		}
		e.Costs = append(e.Costs, v)
	}
	if fidelity && e.kindKnown && len(items) > 0 {
		c.fitting(*e, f.value)
	}
	if wrong {
		e.Costs = nil
	}
}

// fitting records what space says of how many costs and values there are, in the words of the file.
func (c *checker) fitting(e entry, costs node) {
	e.Values = slices.Sorted(slices.Values(e.Values))
	for _, err := range violations(e.Validate("")) {
		var f *check.FieldError
		switch {
		case !errors.As(err, &f):
		case f.Field == ".Costs":
			c.add(costs.place, e.path+".costs", "want %s, not %d", strings.Replace(f.Want, "what an evaluation costs at", "a cost for", 1), len(e.Costs))
		case f.Field == "":
			c.add(e.at, e.path, "want %s", f.Want)
			return
		}
	}
}

// ascending sorts the values of an ordered parameter, and its costs with them where there is one for each.
func (e *entry) ascending() {
	if len(e.Costs) != len(e.Values) {
		slices.Sort(e.Values)
		return
	}
	type level struct{ value, cost float64 }
	levels := make([]level, len(e.Values))
	for i, v := range e.Values {
		levels[i] = level{v, e.Costs[i]}
	}
	slices.SortStableFunc(levels, func(a, b level) int { return cmp.Compare(a.value, b.value) })
	for i, l := range levels {
		e.Values[i], e.Costs[i] = l.value, l.cost
	}
}

// oneFidelity records the fidelities after the first.
func (c *checker) oneFidelity(entries []entry) {
	var first *entry
	for i := range entries {
		e := &entries[i]
		switch {
		case !e.roleKnown || e.Role != space.Fidelity:
		case first == nil:
			first = e
		default:
			c.add(e.roleAt, e.path+".role", "= fidelity: want one fidelity at most: %s at line %d is one", first.path, first.roleAt.line)
		}
	}
}
