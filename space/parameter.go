package space

import (
	"math"
	"slices"
)

// Parameter is one coordinate of a query. Build one with Float, LogFloat, Int, LogInt, Categorical, Bool or Ordered. A
// parameter with a single value, as where Low = High, is fixed: it is a legal coordinate that never varies.
type Parameter struct {
	Name      string
	Kind      Kind
	Role      Role
	Low, High float64   // user units; for KindInt both are whole numbers; only KindFloat and KindInt use them
	Log       bool      // evenly spread in the logarithm: 0 < Low; KindFloat and KindInt only
	Choices   []string  // KindCategorical only
	Step      float64   // between neighbouring values, from Low on; 0 means none; KindFloat and KindInt only, without Log
	Values    []float64 // KindOrdered only, increasing
	Costs     []float64 // of an evaluation, each > 0; with the role Fidelity only, see AsFidelity

	Conditions []Condition // all must hold for the parameter to be active; none: it always is

	steps *steps // of a float with a Step, made by New; see stepped
}

// Float is a real parameter in [low, high].
func Float(name string, low, high float64) Parameter {
	return Parameter{Name: name, Kind: KindFloat, Low: low, High: high}
}

// LogFloat is a real parameter in [low, high] whose logarithm is searched evenly; low > 0, and high is the same or greater by a millionth of it.
func LogFloat(name string, low, high float64) Parameter {
	return Parameter{Name: name, Kind: KindFloat, Low: low, High: high, Log: true}
}

// Int is a whole-number parameter in low … high, both included.
func Int(name string, low, high int) Parameter {
	return Parameter{Name: name, Kind: KindInt, Low: float64(low), High: float64(high)}
}

// LogInt is Int with its logarithm searched evenly; low ≥ 1, high ≤ 2^44.
func LogInt(name string, low, high int) Parameter {
	p := Int(name, low, high)
	p.Log = true
	return p
}

// Categorical is a parameter without order. Its value is the index of the choice, as a float64.
func Categorical(name string, choices ...string) Parameter {
	return Parameter{Name: name, Kind: KindCategorical, Choices: choices}
}

// Bool is a parameter that is false or true. Its value is 0 or 1.
func Bool(name string) Parameter { return Parameter{Name: name, Kind: KindBool} }

// Ordered is a parameter that takes one of the numbers, given in any order. It is searched by rank: neighbours are equally
// far from each other whatever lies between them, as 16, 32, 64 and 128 are. Its value is the number.
func Ordered(name string, values ...float64) Parameter {
	values = slices.Clone(values)
	slices.Sort(values)
	return Parameter{Name: name, Kind: KindOrdered, Values: values}
}

// Stepped returns the parameter, a float or an int, restricted to the values Low, Low + step, … up to the last that is at
// most High; High itself need not be one of them. The values of a float are exact decimals, 0.3 and not
// 0.30000000000000004. A step of 0 means no restriction.
func (p Parameter) Stepped(step float64) Parameter {
	p.Step = step
	return p
}

// AsContext returns the parameter with the role Context.
func (p Parameter) AsContext() Parameter {
	p.Role = Context
	return p
}

// AsFidelity returns the parameter with the role Fidelity, with what an evaluation costs in units of the user's: one cost for each
// value, in their order, or for a parameter of numbers some at values that are evenly spread from the least to the greatest, with
// straight lines between. The greatest value is the target: what is found is judged there.
func (p Parameter) AsFidelity(costs ...float64) Parameter {
	p.Role, p.Costs = Fidelity, slices.Clone(costs)
	return p
}

// Fixed reports whether the parameter has a single value.
func (p Parameter) Fixed() bool { return p.Levels() == 1 }

// Whole reports whether every value is a whole number: those of an int, and of an ordered parameter with such Values.
func (p Parameter) Whole() bool {
	fraction := func(v float64) bool { return v != math.Trunc(v) }
	return p.Kind == KindInt || p.Kind == KindOrdered && !slices.ContainsFunc(p.Values, fraction)
}

// apart returns a parameter that shares no list with p.
func (p Parameter) apart() Parameter {
	p.Choices, p.Values, p.Costs = slices.Clone(p.Choices), slices.Clone(p.Values), slices.Clone(p.Costs)
	p.Conditions = slices.Clone(p.Conditions)
	for i, c := range p.Conditions {
		p.Conditions[i] = c.clone()
	}
	return p
}

// settled returns a valid parameter with what follows from its fields, and shares nothing with p.
func (p Parameter) settled() Parameter {
	p = p.apart()
	p.steps = nil
	if p.Kind == KindFloat && p.Step != 0 {
		p.steps = newSteps(p.Low, p.High, p.Step)
	}
	return p
}

// ranged reports whether Low and High say what the values are.
func (p Parameter) ranged() bool { return p.Kind == KindFloat || p.Kind == KindInt }

// discrete reports whether the values can be counted: whether Levels is not 0.
func (p Parameter) discrete() bool {
	return p.Kind != KindFloat || p.Step != 0 || p.Low == p.High
}
