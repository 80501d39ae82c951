package spacefile

import (
	"fmt"

	"github.com/tarry-bo/tarry/space"
)

const wantCosts = "a list of what an evaluation costs at each value, or at two or more that are evenly spread from the least to the greatest"

// costs reads the costs: a fidelity must have them, and nothing else has any. How many there may be is for space to say.
func (c *checker) costs(e *entry, given map[string]field) {
	fidelity := e.roleKnown && e.Role == space.Fidelity
	if f, there := given["costs"]; there && e.roleKnown && !fidelity {
		c.add(f.key.place, joined(e.path, "costs"), "only for the role fidelity, which this parameter has not")
		return
	}
	if fidelity && e.kindKnown && (e.Kind == space.KindCategorical || e.Kind == space.KindBool) {
		c.wrong(given["type"].value, joined(e.path, "type"), "float, int or ordered for a fidelity: its values have an order")
	}
	for i, item := range c.list(*e, given, "costs", wantCosts, fidelity) {
		v, want := item.number()
		if want == "" && v <= 0 {
			want = "a finite number > 0"
		}
		if want != "" {
			c.wrong(item, fmt.Sprintf("%s.costs[%d]", e.path, i), want)
		}
		e.Costs = append(e.Costs, v)
	}
}
