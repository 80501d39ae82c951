package spacefile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

// maxSeeds bounds the seeds of a file.
const maxSeeds = 1000

// seeds reads points that are known to be safe, in the space that the file describes, and records what is wrong with them.
func (c *checker) seeds(n node, s space.Space) []space.Point {
	switch {
	case n.shape != list:
		c.wrong(n, "seeds", "a list of points, each an object with a value for each parameter")
		return nil
	case len(n.items) == 0 || len(n.items) > maxSeeds:
		c.add(n.place, "seeds", "want 1 to %d points, not %d", maxSeeds, len(n.items))
		return nil
	}
	var out []space.Point
	for i, item := range n.items {
		out = append(out, c.seed(item, fmt.Sprintf("seeds[%d]", i), s))
	}
	return out
}

// seed reads one point.
func (c *checker) seed(n node, path string, s space.Space) space.Point {
	x := make(space.Point, s.Dim())
	names := make([]string, s.Dim())
	for i, p := range s.Parameters() {
		x[i], names[i] = math.NaN(), p.Name
	}
	if n.shape != object {
		c.wrong(n, path, "an object with "+strings.Join(names, ", "))
		return x
	}
	given := c.fields(n, path, names...)
	for i, p := range s.Parameters() {
		f, there := given[p.Name]
		if !there {
			continue
		}
		v, want := levelOf(p, f.value)
		if v = p.Exact(v); want == "" && !p.Contains(v) {
			want = p.Range()
		}
		if want != "" {
			c.wrong(f.value, joined(path, p.Name), want)
			v = p.Value(0)
		}
		x[i] = v
	}
	active := s.SurelyActive(x)
	for i, p := range s.Parameters() {
		if _, there := given[p.Name]; !there && active.Has(i) {
			c.add(n.place, joined(path, p.Name), "missing: want %s", p.Range())
		}
	}
	return x
}

// levelOf is the value of a parameter; want, unless it is empty, says what the node should have been.
func levelOf(p space.Parameter, n node) (v float64, want string) {
	switch p.Kind {
	case space.KindCategorical:
		at := slices.Index(p.Choices, n.text)
		if n.shape != scalar || at < 0 {
			return 0, "one of " + strings.Join(p.Choices, ", ")
		}
		return float64(at), ""
	case space.KindBool:
		truth, want := n.truth()
		if truth {
			return 1, want
		}
		return 0, want
	}
	return n.number()
}
