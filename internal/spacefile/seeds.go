package spacefile

import (
	"fmt"

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
	all := make([]int, s.Dim())
	for i := range all {
		all[i] = i
	}
	read := c.points(s, all)
	for i, item := range n.items {
		out = append(out, read(item, fmt.Sprintf("seeds[%d]", i)))
	}
	return out
}
