package tournament

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
)

// Possible returns nil when every policy can be played on every problem of the cells, as the seed draws it. The error blames the flag,
// and names each policy with each problem on which it cannot; under which conditions makes no difference.
func Possible(flag string, cells []Cell, contenders []console.Contender, seed uint64) error {
	var l check.List
	seen := map[*Problem]bool{}
	for _, c := range cells {
		if seen[c.Problem] {
			continue
		}
		seen[c.Problem] = true
		problem, err := c.Problem.draw(c.Problem, seed)
		if err != nil {
			return fmt.Errorf("problem %s: %w", c.Problem.Name, err)
		}
		w := world{problem: problem} // what is measured on it does not matter here
		for _, p := range contenders {
			l.Join(console.Blame(fmt.Sprintf("%s %s on problem %s", flag, p.Name, c.Problem.Name), c.possible(w, p, seed)))
		}
	}
	return l.Err()
}

// possible returns nil when a policy can be played in the cell.
func (c Cell) possible(w world, p console.Contender, seed uint64) error {
	s, err := c.scenario(w, p.On(w.problem), seed)
	if err != nil {
		return err
	}
	var l check.List
	l.Join(s.Validate())
	l.Join(s.Config().Validate())
	return l.Err()
}
