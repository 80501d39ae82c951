// Package space describes where queries live: parameters with their ranges, finite lists of points, and the map
// between a user's units and the unit cube on which the rest of the house works.
//
//	s, err := space.New(space.LogFloat("lr", 1e-5, 1), space.Int("layers", 1, 8), space.Categorical("opt", "adam", "sgd"))
//	u := s.Snap(space.Unit{0.3, 0.7, 0.1}) // the nearest representable point of the unit cube
//	x := s.Value(u)                        // 0.0316, 6, 0 (the choice "adam")
//
// A point has one entry a parameter, in the order of the parameters: in user units it is a Point (a categorical entry is the index
// of its choice, a bool 0 or 1), in the unit cube a Unit. Coordinates never tell evaluations apart.
//
// Parameters are real numbers, or discrete: ints, choices, bools, numbers in steps and ordered numbers. The k values of a
// discrete one own equal shares of the unit interval, in their order, and lie in the middle of them; with a logarithm an
// int's shares are equal in that. A parameter with a single value is fixed: at 0.5, wherever a point is.
//
// A parameter may be active for some values of other, discrete ones only:
//
//	space.Float("beta", 0.8, 1).When("kind", "adam"), space.Int("width2", 8, 64).WhenAtLeast("layers", 2)
//
// Where it is inactive it is NaN in user units and at 0.5 in the unit cube, whatever was there (Canonical). So points that mean the
// same are the same, in lists of points, in the kernel and wherever a second query is avoided, and what is inactive at both of two
// points adds nothing to their distance. A kernel of canonical points is a kernel of configurations: k(c(u), c(v)) is positive
// semidefinite for every map c where k is (Rasmussen & Williams 2006, sec. 4.2.3; imputing a constant so: Lévesque et al. 2017).
//
// The package is pure, and a Space is immutable after New: safe for concurrent use.
package space

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// ErrOutsideSpace says that a point is not a member of the space.
var ErrOutsideSpace = errors.New("point outside the space")

// MaxPoints bounds a finite list of points.
const MaxPoints = 1_000_000

// MaxDim bounds the number of parameters.
const MaxDim = 1000

// Space is an ordered set of parameters, optionally restricted to a finite list of points. Build it with New or List.
type Space struct {
	parameters []Parameter
	points     []Point        // finite list, user units, actions only; nil for a box
	unit       []Unit         // the same in the unit cube
	index      map[uint64]int // from the mixed bits of a point of unit to its place; looked up only
	actions    []int          // indices of the parameters that the policy chooses
	contexts   []int          // indices of the parameters that the world sets
	held       []int          // indices of the parameters that no search moves: contexts and the fidelity
	fidelity   int            // index of the fidelity, plus one; 0 without one
	when       *conditions    // when parameters are active; nil where all always are
}

// New returns the space of all combinations of the parameters. The error lists every violation; those of the conditions where the
// parameters they name are valid.
func New(parameters ...Parameter) (Space, error) {
	s := Space{parameters: slices.Clone(parameters)}
	var c check.List
	c.Between("Space.Parameters", len(parameters), 1, MaxDim)
	sound := make([]bool, len(parameters))
	for i, p := range s.parameters {
		path := fmt.Sprintf("Space.Parameters[%d]", i)
		wrong := p.Validate(path)
		c.Join(wrong)
		if sound[i] = wrong == nil; sound[i] {
			s.parameters[i] = p.settled()
		}
		same := func(q Parameter) bool { return q.Name == p.Name }
		c.Require(slices.IndexFunc(parameters, same) == i, path+".Name", p.Name, "distinct names")
		s.enter(&c, i)
	}
	c.Require(len(s.actions) > 0 || len(parameters) == 0, "Space.Parameters", len(parameters), "at least one parameter with the role Action")
	s.when = newConditions(&c, s.parameters, sound)
	if err := c.Err(); err != nil {
		return s, err
	}
	if s.when != nil {
		s.when.tree = newTree(s)
	}
	return s, nil
}

// List returns the space of the given points: the policy may only choose among them. Each point has one entry for
// each parameter that the policy chooses, in user units, and lies within the parameters' ranges, after Exact. What is inactive there
// is not looked at, and NaN from then on. No parameter of a list may depend on a context.
func List(points []Point, parameters ...Parameter) (Space, error) {
	s, err := New(parameters...)
	if err != nil {
		return s, err
	}
	var c check.List
	c.Between("Space.Points", len(points), 1, MaxPoints)
	c.Require(!s.facesHeld(), "Space.Points", len(points), "no list where a parameter depends on a context or a fidelity")
	exact := make([]Point, len(points))
	for i, point := range points {
		path := fmt.Sprintf("Space.Points[%d]", i)
		if len(point) != len(s.actions) {
			c.Add(path, point, fmt.Sprintf("%d coordinates, one for each action", len(s.actions)))
			continue
		}
		x := s.exact(s.spread(point))
		active := s.ActiveAt(x)
		for j, k := range s.actions {
			p := s.parameters[k]
			c.Require(!active.Has(k) || p.Contains(x[k]), fmt.Sprintf("%s[%d]", path, j), x[k], "a value of parameter "+p.Name+": "+p.Range())
		}
		exact[i] = action(s, x)
	}
	if err := c.Err(); err != nil {
		return s, err
	}
	for _, point := range exact {
		s.unit = append(s.unit, action(s, s.toUnit(s.spread(point))))
	}
	s.points, s.index = exact, make(map[uint64]int, len(points))
	for k, unit := range slices.Backward(s.unit) {
		s.index[Hash(unit)] = k // the first of equals is written last
	}
	return s, nil
}

// enter notes what parameter i is for.
func (s *Space) enter(c *check.List, i int) {
	if s.parameters[i].Role.Chosen() {
		s.actions = append(s.actions, i)
		return
	}
	s.held = append(s.held, i)
	if s.parameters[i].Role != Fidelity {
		s.contexts = append(s.contexts, i)
		return
	}
	c.Require(s.fidelity == 0, fmt.Sprintf("Space.Parameters[%d].Role", i), s.parameters[i].Role, "one fidelity at most")
	s.fidelity = i + 1
}

// Dim returns the number of parameters, contexts included.
func (s Space) Dim() int { return len(s.parameters) }

// Parameters returns a copy of the parameters, which shares nothing with the space.
func (s Space) Parameters() []Parameter {
	out := slices.Clone(s.parameters)
	for i := range out {
		out[i] = out[i].apart()
	}
	return out
}

// Clone returns the same space with memory of its own: who writes into a list of the one does not change the other. Cost O(d), and O(N·d)
// for a finite list of N points.
func (s Space) Clone() Space {
	s.parameters = s.Parameters()
	s.actions, s.contexts, s.held = slices.Clone(s.actions), slices.Clone(s.contexts), slices.Clone(s.held)
	s.points, s.unit = slices.Clone(s.points), slices.Clone(s.unit)
	for i := range s.points {
		s.points[i], s.unit[i] = slices.Clone(s.points[i]), slices.Clone(s.unit[i])
	}
	return s
}

// Parameter returns parameter i. Its lists are read only.
func (s Space) Parameter(i int) Parameter { return s.parameters[i] }

// Actions returns the indices of the parameters that the policy chooses. Read only.
func (s Space) Actions() []int { return s.actions }

// Contexts returns the indices of the parameters that the world sets. Read only.
func (s Space) Contexts() []int { return s.contexts }

// Held returns the indices of the parameters that no search moves: contexts and the fidelity. Read only.
func (s Space) Held() []int { return s.held }

// Points returns the finite list in user units, actions only and NaN where one is inactive; nil for a box. Read only.
func (s Space) Points() []Point { return s.points }

// Size returns the number of points of a finite list, or 0 for a box.
func (s Space) Size() int { return len(s.points) }

// Matching returns the points of a finite list, in the unit cube and actions only, that have the values of x, in user
// units with contexts. NaN in x matches every value. A value in x matches active parameters only, unless x itself says that
// the parameter is inactive: then it is ignored. Cost O(N·d) for N points.
func (s Space) Matching(x Point) (points []Unit) {
	x, none := s.silence(slices.Clone(x)), make(Unit, len(s.held))
	for _, point := range s.unit {
		has, active := true, everything
		if s.when != nil {
			active = s.Active(s.Join(point, none))
		}
		for j, i := range s.Actions() {
			p := s.parameters[i]
			has = has && (math.IsNaN(x[i]) || p.Contains(x[i]) && p.Unit(x[i]) == point[j] && active.Has(i))
		}
		if has {
			points = append(points, point)
		}
	}
	return points
}

// UnitPoints returns the finite list in the unit cube, actions only; nil for a box. Read only.
func (s Space) UnitPoints() []Unit { return s.unit }

// Categorical reports, for each parameter, whether its values have no order. A parameter with a single value counts as
// ordered.
func (s Space) Categorical() []bool {
	out := make([]bool, len(s.parameters))
	for i, p := range s.parameters {
		out[i] = len(p.Words()) > 1
	}
	return out
}

// Varying returns the number of parameters that are not fixed.
func (s Space) Varying() int {
	n := 0
	for _, p := range s.parameters {
		if !p.Fixed() {
			n++
		}
	}
	return n
}

// Format prints a point in user units as name=value pairs of what is active there.
func (s Space) Format(x Point) string {
	parts, active := make([]string, 0, len(x)), s.ActiveAt(x)
	for i, v := range x {
		if active.Has(i) {
			parts = append(parts, s.parameters[i].Name+"="+s.parameters[i].Format(v))
		}
	}
	return strings.Join(parts, " ")
}
