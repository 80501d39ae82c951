package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// Kind is what values a parameter takes.
type Kind int

// The kinds of parameter.
const (
	KindFloat       Kind = iota // a real number in [Low, High]
	KindInt                     // a whole number in Low … High, both included
	KindCategorical             // one of Choices; its value is the index of the choice
)

// String returns "float", "int" or "categorical".
func (k Kind) String() string {
	switch k {
	case KindFloat:
		return "float"
	case KindInt:
		return "int"
	case KindCategorical:
		return "categorical"
	}
	return fmt.Sprintf("Kind(%d)", int(k))
}

// Role is who sets a parameter.
type Role int

// The roles of a parameter.
const (
	Action  Role = iota // the policy chooses it
	Context             // the world sets it before each query; the policy sees it and chooses the rest
)

// Parameter is one coordinate of a query. Build one with Float, LogFloat, Int, LogInt or Categorical.
type Parameter struct {
	Name      string
	Kind      Kind
	Role      Role
	Low, High float64  // user units; for KindInt both are whole numbers; unused by KindCategorical
	Log       bool     // evenly spread in the logarithm: 0 < Low
	Choices   []string // KindCategorical only
}

// Float is a real parameter in [low, high].
func Float(name string, low, high float64) Parameter {
	return Parameter{Name: name, Kind: KindFloat, Low: low, High: high}
}

// LogFloat is a real parameter in [low, high] whose logarithm is searched evenly; low > 0.
func LogFloat(name string, low, high float64) Parameter {
	return Parameter{Name: name, Kind: KindFloat, Low: low, High: high, Log: true}
}

// Int is a whole-number parameter in low … high, both included.
func Int(name string, low, high int) Parameter {
	return Parameter{Name: name, Kind: KindInt, Low: float64(low), High: float64(high)}
}

// LogInt is Int with its logarithm searched evenly; low ≥ 1.
func LogInt(name string, low, high int) Parameter {
	p := Int(name, low, high)
	p.Log = true
	return p
}

// Categorical is a parameter without order. Its value is the index of the choice, as a float64.
func Categorical(name string, choices ...string) Parameter {
	return Parameter{Name: name, Kind: KindCategorical, Choices: choices}
}

// AsContext returns the parameter with the role Context.
func (p Parameter) AsContext() Parameter {
	p.Role = Context
	return p
}

// maxLevels bounds the number of values of a discrete parameter: unit coordinates must keep neighbours apart.
const maxLevels = 1 << 40

// Validate reports every violation at once; path is how the user reaches the parameter.
func (p Parameter) Validate(path string) error {
	var c check.List
	c.Require(p.Name != "", path+".Name", `""`, "a name")
	c.Require(p.Role == Action || p.Role == Context, path+".Role", int(p.Role), "Action or Context")
	switch p.Kind {
	case KindFloat, KindInt:
		p.validateRange(&c, path)
	case KindCategorical:
		c.Require(len(p.Choices) >= 2, path+".Choices", p.Choices, "at least two choices")
		for i, choice := range p.Choices {
			c.Require(slices.Index(p.Choices, choice) == i, fmt.Sprintf("%s.Choices[%d]", path, i), choice, "distinct choices")
		}
		c.Require(!p.Log, path+".Log", p.Log, "false for a categorical parameter")
	default:
		c.Add(path+".Kind", int(p.Kind), "KindFloat, KindInt or KindCategorical")
	}
	return c.Err()
}

func (p Parameter) validateRange(c *check.List, path string) {
	c.Finite(path+".Low", p.Low)
	c.Finite(path+".High", p.High)
	c.Require(!(p.Low >= p.High), path+".High", p.High, fmt.Sprintf("a number above Low = %v", p.Low))
	c.Require(p.High-p.Low <= math.MaxFloat64, path+".High", p.High, "High − Low to be finite")
	if p.Log {
		c.Require(p.Low > 0, path+".Low", p.Low, "a number > 0, since Log is set")
	}
	if p.Kind == KindInt {
		c.Require(p.Low == math.Trunc(p.Low), path+".Low", p.Low, "a whole number")
		c.Require(p.High == math.Trunc(p.High), path+".High", p.High, "a whole number")
		c.Require(p.High-p.Low < maxLevels, path+".High", p.High, "fewer than 2^40 values")
	}
}

// Levels returns the number of values of a discrete parameter, 0 for a float.
func (p Parameter) Levels() int {
	switch p.Kind {
	case KindInt:
		return int(p.High-p.Low) + 1
	case KindCategorical:
		return len(p.Choices)
	}
	return 0
}

// Contains reports whether v (user units) is a value of the parameter. NaN is not.
func (p Parameter) Contains(v float64) bool {
	switch p.Kind {
	case KindInt:
		return v >= p.Low && v <= p.High && v == math.Trunc(v)
	case KindCategorical:
		return v >= 0 && v < float64(len(p.Choices)) && v == math.Trunc(v)
	}
	return v >= p.Low && v <= p.High
}

// Value maps u in [0, 1] to user units. The k levels of a discrete parameter own equal shares of [0, 1] (equal
// shares of the logarithm with Log); the ends of a float's range are reached exactly.
func (p Parameter) Value(u float64) float64 {
	u = min(max(u, 0), 1)
	switch {
	case p.Kind == KindCategorical:
		n := float64(len(p.Choices))
		return min(math.Floor(u*n), n-1)
	case p.Kind == KindInt && p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High+1)
		return min(max(math.Floor(math.Exp(lo+u*(hi-lo))), p.Low), p.High)
	case p.Kind == KindInt:
		n := p.High - p.Low + 1
		return p.Low + min(math.Floor(u*n), n-1)
	case u == 0:
		return p.Low
	case u == 1:
		return p.High
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High)
		return min(max(math.Exp(lo+u*(hi-lo)), p.Low), p.High)
	}
	return min(max(p.Low+u*(p.High-p.Low), p.Low), p.High)
}

// Unit maps v in user units to [0, 1]; a level of a discrete parameter goes to the middle of its share.
func (p Parameter) Unit(v float64) float64 {
	var u float64
	switch {
	case p.Kind == KindCategorical:
		u = (v + 0.5) / float64(len(p.Choices))
	case p.Kind == KindInt && p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High+1)
		u = ((math.Log(v)+math.Log(v+1))/2 - lo) / (hi - lo)
	case p.Kind == KindInt:
		u = (v - p.Low + 0.5) / (p.High - p.Low + 1)
	case v == p.High:
		u = 1
	case p.Log:
		lo, hi := math.Log(p.Low), math.Log(p.High)
		u = (math.Log(v) - lo) / (hi - lo)
	default:
		u = (v - p.Low) / (p.High - p.Low)
	}
	return min(max(u, 0), 1)
}

// Format prints a value as a user would write it: the choice's name, a whole number, or six significant digits.
func (p Parameter) Format(v float64) string {
	switch {
	case p.Kind == KindCategorical && p.Contains(v):
		return p.Choices[int(v)]
	case p.Kind == KindInt:
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.6g", v)
}
