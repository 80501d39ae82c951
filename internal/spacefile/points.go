package spacefile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/space"
)

// listed restricts the space to the points of a list, and records what is wrong with them.
func (c *checker) listed(n node, s space.Space) space.Space {
	switch {
	case n.shape != list:
		c.wrong(n, "points", "a list of points, each an object with a value for each parameter")
		return s
	case len(n.items) == 0 || len(n.items) > space.MaxPoints:
		c.add(n.place, "points", "want 1 to %d points, not %d", space.MaxPoints, len(n.items))
		return s
	}
	read := c.points(s, s.Actions())
	points := make([]space.Point, len(n.items))
	for k, item := range n.items {
		x := read(item, fmt.Sprintf("points[%d]", k))
		for _, i := range s.Actions() {
			points[k] = append(points[k], x[i])
		}
	}
	if len(c.found) > 0 {
		return s
	}
	list, err := Listed(s, points)
	c.objections(err, nil, n.place)
	return list
}

// Listed returns the space restricted to the points, each once: in user units, actions only. Errors are those of space.List.
func Listed(s space.Space, points []space.Point) (space.Space, error) {
	all, err := space.List(points, s.Parameters()...)
	if err != nil {
		return s, err
	}
	seen := make(map[string]bool, len(points))
	var distinct []space.Point
	for _, x := range all.Points() {
		if key := fmt.Sprint(x); !seen[key] {
			seen[key] = true
			distinct = append(distinct, x)
		}
	}
	if len(distinct) == len(points) {
		return all, nil
	}
	return space.List(distinct, s.Parameters()...)
}

// points returns what reads a point that has values of those parameters, and records what is wrong with it: NaN where a parameter is
// inactive, or none of those. One that is fixed may be left out. Cost O(d) a point.
func (c *checker) points(s space.Space, of []int) (read func(n node, path string) space.Point) {
	names := make([]string, len(of))
	for k, i := range of {
		names[k] = s.Parameter(i).Name
	}
	var held []space.Parameter
	for i, p := range s.Parameters() {
		if !slices.Contains(of, i) {
			held = append(held, p)
		}
	}
	return func(n node, path string) space.Point {
		x := make(space.Point, s.Dim())
		for i := range x {
			x[i] = math.NaN()
		}
		if n.shape != object {
			c.wrong(n, path, "an object with "+strings.Join(names, ", "))
			return x
		}
		given := c.fields(c.without(n, path, held, names), path, names...)
		for k, i := range of {
			if f, there := given[names[k]]; there {
				x[i] = c.coordinate(f.value, joined(path, names[k]), s.Parameter(i))
			} else if p := s.Parameter(i); p.Fixed() {
				x[i] = p.Value(0)
			}
		}
		active := s.SurelyActive(x)
		for k, i := range of {
			if _, there := given[names[k]]; !there && active.Has(i) && !s.Parameter(i).Fixed() {
				c.add(n.place, joined(path, names[k]), "missing: want %s", Wanted(s.Parameter(i)))
			}
		}
		return x
	}
}

// without is an object without the fields of parameters that are set for each query, and records that they are no part of a point.
func (c *checker) without(n node, path string, held []space.Parameter, names []string) node {
	n.fields = slices.Clone(n.fields)
	for _, p := range held {
		why := "a context, which the world sets for each query"
		if p.Role == space.Fidelity {
			why = "the fidelity, which is chosen for each query"
		}
		n.fields = slices.DeleteFunc(n.fields, func(f field) bool {
			if f.key.text == p.Name {
				c.add(f.key.place, joined(path, p.Name), "%s: leave it out of the points (want %s)", why, strings.Join(names, ", "))
			}
			return f.key.text == p.Name
		})
	}
	return n
}

// coordinate reads the value of a parameter, and records what is wrong with it: then it is some other one.
func (c *checker) coordinate(n node, path string, p space.Parameter) float64 {
	v, want := levelOf(p, n)
	if v = p.Exact(v); want == "" && !p.Contains(v) {
		want = p.Range()
	}
	if want != "" {
		c.wrong(n, path, want)
		return p.Value(0)
	}
	return v
}

// levelOf is the value of a parameter; want, unless it is empty, says what the node should have been.
func levelOf(p space.Parameter, n node) (v float64, want string) {
	switch p.Kind {
	case space.KindCategorical:
		at := slices.Index(p.Choices, n.text)
		if n.shape != scalar || at < 0 {
			return 0, Wanted(p)
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

// mostWords bounds the choices that a message names.
const mostWords = 20

// Wanted says which values a parameter has, as they are written in a file.
func Wanted(p space.Parameter) string {
	switch p.Kind {
	case space.KindBool:
		return "true or false"
	case space.KindCategorical:
		shown := "one of " + strings.Join(p.Choices[:min(len(p.Choices), mostWords)], ", ")
		if more := len(p.Choices) - mostWords; more > 0 {
			shown += fmt.Sprintf(", … %d more", more)
		}
		return shown
	}
	return p.Range()
}
