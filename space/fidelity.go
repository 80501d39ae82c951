package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// Fidelity returns the index of the parameter with that role, and whether there is one.
func (s Space) Fidelity() (int, bool) { return s.fidelity - 1, s.fidelity > 0 }

// Cost returns what an evaluation at u is expected to cost by its fidelity, in units of the user's; 0 without a fidelity.
func (s Space) Cost(u Unit) float64 {
	i, has := s.Fidelity()
	if !has {
		return 0
	}
	return s.parameters[i].Cost(s.parameters[i].Value(u[i]))
}

// Target returns the unit coordinate of the greatest fidelity; NaN without a fidelity.
func (s Space) Target() float64 {
	i, has := s.Fidelity()
	if !has {
		return math.NaN()
	}
	return s.parameters[i].top()
}

// OnTarget reports whether the value of a query at u is one of what is wanted: its fidelity is the greatest, or there is none.
func (s Space) OnTarget(u Unit) bool {
	i, has := s.Fidelity()
	return !has || u[i] == s.parameters[i].top()
}

// AtTarget returns u at the greatest fidelity, with what is inactive there at 0.5; u itself where it is there already.
func (s Space) AtTarget(u Unit) Unit {
	if s.OnTarget(u) {
		return u
	}
	u = slices.Clone(u)
	u[s.fidelity-1] = s.Target()
	return s.Canonical(u)
}

// Meant returns the point that is meant by x, in user units: values to the bit, see Exact, at the greatest fidelity where x leaves the
// fidelity out. It does so with NaN, or with a coordinate for each other parameter only.
func (s Space) Meant(x Point) Point {
	i, has := s.Fidelity()
	if !has {
		return s.Exact(x)
	}
	x = slices.Clone(x)
	if len(x) == len(s.parameters)-1 {
		x = slices.Insert(x, i, math.NaN())
	}
	if len(x) == len(s.parameters) && math.IsNaN(x[i]) {
		x[i] = s.parameters[i].Value(s.Target())
	}
	return s.Exact(x)
}

// Fidelities returns the unit coordinates of the fidelities, ascending, the last of them the target: all of a discrete one with at
// most that many values, otherwise so many that are evenly spread, at least two; nil without a fidelity.
func (s Space) Fidelities(most int) []float64 {
	i, has := s.Fidelity()
	if !has {
		return nil
	}
	p := s.parameters[i]
	n := p.Levels()
	if n == 0 || n > most {
		n = max(most, 2)
	}
	out := make([]float64, n)
	for k := range out {
		switch share := float64(k) / float64(n-1); {
		case !p.discrete():
			out[k] = share
		default:
			out[k] = p.Level(int(math.Round(share * float64(p.Levels()-1))))
		}
	}
	return out
}

// Hold returns the coordinates of the parameters that are held, in their order, from those of the contexts and that of the fidelity,
// which is not looked at where there is none.
func (s Space) Hold(context Unit, fidelity float64) Unit {
	out := make(Unit, 0, len(s.held))
	for _, i := range s.held {
		if i == s.fidelity-1 {
			out = append(out, fidelity)
			continue
		}
		out, context = append(out, context[0]), context[1:]
	}
	return out
}

// top is the unit coordinate of the greatest value of a parameter of numbers.
func (p Parameter) top() float64 {
	if p.discrete() {
		return p.Level(p.Levels() - 1)
	}
	return 1
}

// Cost returns what an evaluation costs at a value of a fidelity, see AsFidelity; 0 of another parameter.
func (p Parameter) Cost(v float64) float64 {
	last := len(p.Costs) - 1
	if last < 1 {
		return 0
	}
	if p.discrete() && len(p.Costs) == p.Levels() {
		return p.Costs[p.Rank(p.Unit(v))]
	}
	low, high := p.ends()
	at := min(max((v-low)/(high-low), 0), 1) * float64(last)
	k := min(int(at), last-1)
	return p.Costs[k] + (at-float64(k))*(p.Costs[k+1]-p.Costs[k])
}

// ends are the least and the greatest value of a parameter of numbers.
func (p Parameter) ends() (low, high float64) {
	if p.Kind == KindOrdered {
		return p.Values[0], p.Values[len(p.Values)-1]
	}
	return p.Low, p.Value(p.top())
}

// Dear returns the values of a fidelity, ascending, that cost at least as much as a greater one, of those whose costs are stated. That is
// allowed: nobody needs to query there, but what is worth a query is for the policy to say.
func (p Parameter) Dear() (values []float64) {
	last := len(p.Costs) - 1
	for k := 0; k < last; k++ {
		if p.Costs[k] < slices.Min(p.Costs[k+1:]) {
			continue
		}
		if p.discrete() && len(p.Costs) == p.Levels() {
			values = append(values, p.Value(p.Level(k)))
			continue
		}
		low, high := p.ends()
		values = append(values, low+float64(k)/float64(last)*(high-low))
	}
	return values
}

// validateCosts wants a fidelity to be a number, with costs.
func (p Parameter) validateCosts(c *check.List, path string) {
	if p.Role != Fidelity {
		c.Require(p.Costs == nil, path+".Costs", p.Costs, "none, unless Role is Fidelity")
		return
	}
	if !p.ranged() && p.Kind != KindOrdered {
		c.Add(path+".Kind", p.Kind, "KindFloat, KindInt or KindOrdered for a fidelity: its values have an order")
		return
	}
	var wrong check.List
	wrong.Join(Parameter{Name: "x", Kind: p.Kind, Low: p.Low, High: p.High, Log: p.Log, Step: p.Step, Values: p.Values}.Validate(path))
	if wrong.Err() != nil {
		return // it is said
	}
	levels := p.settled().Levels()
	c.Require(levels != 1, path, p.Name, "at least two values of a fidelity")
	switch n := len(p.Costs); {
	case n < 2:
		c.Add(path+".Costs", p.Costs, "what an evaluation costs at each value of a fidelity, or at the least and the greatest")
	case levels > 0 && n > levels:
		c.Add(path+".Costs", n, fmt.Sprintf("at most %d costs, one for each value", levels))
	}
	for k, v := range p.Costs {
		c.Require(v > 0 && !math.IsInf(v, 0), fmt.Sprintf("%s.Costs[%d]", path, k), v, "a finite number > 0")
	}
}
