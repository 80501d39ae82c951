package spacefile

import (
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry/outcome"
)

var (
	constraintFields = []string{"name", "at_most", "at_least"}
	wantConstraint   = "an object with the fields name, and at_most or at_least"
)

// constraints reads the constraints and records what is wrong with them.
func (c *checker) constraints(n node) []outcome.Constraint {
	switch {
	case n.shape != list:
		c.wrong(n, "constraints", "a list of constraints")
		return nil
	case len(n.items) == 0 || len(n.items) > outcome.MaxConstraints:
		c.add(n.place, "constraints", "want 1 to %d constraints, not %d", outcome.MaxConstraints, len(n.items))
		return nil
	}
	var out []outcome.Constraint
	places := map[string]place{}
	for i, item := range n.items {
		out = append(out, c.constraint(item, fmt.Sprintf("constraints[%d]", i), places))
	}
	return out
}

// constraint reads one of them; places are where the names of those before are.
func (c *checker) constraint(n node, path string, places map[string]place) (k outcome.Constraint) {
	if n.shape != object {
		c.wrong(n, path, wantConstraint)
		return k
	}
	given := c.fields(n, path, constraintFields...)
	e := entry{at: n.place, path: path}
	if c.name(&e, given); e.named {
		if first, taken := places[e.Name]; taken {
			c.add(e.nameAt, path+".name", "= %s: want distinct names: the constraint at line %d has the same", e.Name, first.line)
		}
		places[e.Name] = e.nameAt
	}
	k.Name = e.Name
	var sides []string
	for _, side := range constraintFields[1:] {
		f, there := given[side]
		if !there {
			continue
		}
		v, want := f.value.number()
		if want != "" {
			c.wrong(f.value, path+"."+side, want)
		}
		k.Bound, k.Least = v, side == "at_least"
		sides = append(sides, side)
	}
	switch len(sides) {
	case 0:
		c.add(n.place, path, "missing: want at_most or at_least, a number")
	case 2:
		c.add(given[sides[1]].key.place, path, "%s: want one of them: two bounds are two constraints", strings.Join(sides, " and "))
	}
	return k
}
