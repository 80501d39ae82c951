package space

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// maxLevels bounds the number of values of a discrete parameter: unit coordinates must keep neighbours apart.
const maxLevels = 1 << 40

// Validate reports every violation at once. The errors name the parameter by path.
func (p Parameter) Validate(path string) error {
	var c check.List
	c.Require(p.Name != "", path+".Name", `""`, "a name")
	c.Require(p.Role.known(), path+".Role", int(p.Role), roleWords())
	p.validateCosts(&c, path)
	switch p.Kind {
	case KindFloat, KindInt:
		p.validateRange(&c, path)
		p.validateStep(&c, path)
	case KindCategorical:
		c.Require(len(p.Choices) > 0, path+".Choices", p.Choices, "at least one choice")
		for i, choice := range p.Choices {
			c.Require(slices.Index(p.Choices, choice) == i, fmt.Sprintf("%s.Choices[%d]", path, i), choice, "distinct choices")
		}
	case KindBool:
	case KindOrdered:
		p.validateValues(&c, path)
	default:
		c.Add(path+".Kind", int(p.Kind), "KindFloat, KindInt, KindCategorical, KindBool or KindOrdered")
		return c.Err()
	}
	if !p.ranged() {
		c.Require(!p.Log, path+".Log", p.Log, "false, unless Kind is KindFloat or KindInt")
		c.Require(p.Step == 0, path+".Step", p.Step, "0, unless Kind is KindFloat or KindInt")
	}
	c.Require(p.Kind == KindOrdered || p.Values == nil, path+".Values", p.Values, "none, unless Kind is KindOrdered")
	return c.Err()
}

func (p Parameter) validateRange(c *check.List, path string) {
	c.Finite(path+".Low", p.Low)
	c.Finite(path+".High", p.High)
	c.Require(!(p.Low > p.High), path+".High", p.High, fmt.Sprintf("a number of at least Low = %v", p.Low))
	c.Require(p.High-p.Low <= math.MaxFloat64, path+".High", p.High, "High − Low to be finite")
	if p.Log {
		c.Require(p.Low > 0, path+".Low", p.Low, "a number > 0, since Log is set")
		c.Require(!(p.Low > 0 && p.Low < leastLog), path+".Low", p.Low, "at least 2.3e-308, since Log is set")
		p.validateLogarithms(c, path)
	}
	if p.Kind == KindInt {
		c.Require(!(math.Abs(p.Low) > mostWhole), path+".Low", p.Low, "a whole number from −2^53 to 2^53: beyond, not all of them are numbers")
		c.Require(!(math.Abs(p.High) > mostWhole), path+".High", p.High, "a whole number from −2^53 to 2^53: beyond, not all of them are numbers")
		c.Require(p.Low == math.Trunc(p.Low), path+".Low", p.Low, "a whole number")
		c.Require(p.High == math.Trunc(p.High), path+".High", p.High, "a whole number")
		c.Require(p.Step != 0 || p.High-p.Low < maxLevels, path+".High", p.High, "fewer than 2^40 values")
	}
}

// validateLogarithms wants numbers that their logarithms keep apart. A single value has no neighbour.
func (p Parameter) validateLogarithms(c *check.List, path string) {
	switch {
	case !(p.Low > 0 && p.Low < p.High) || math.IsInf(p.High, 0):
	case p.Kind == KindInt:
		c.Require(p.High <= mostLogWhole, path+".High", p.High, "a whole number up to 2^44, since Log is set: the logarithms of greater ones do not differ enough")
	default:
		lo, hi := math.Log(p.Low), math.Log(p.High)
		least := leastLogSpan * max(math.Abs(lo), math.Abs(hi))
		c.Require(hi-lo >= least, path+".High", p.High, fmt.Sprintf("at least %.14g, or Low = %v, since Log is set: the logarithms of nearer numbers do not differ enough", math.Exp(lo+1.1*least), p.Low))
	}
}

const (
	leastLog     = 0x1p-1022 // the least number whose logarithm leads back to it with all its digits
	leastLogSpan = 0x1p-32   // of the logarithm: between two that differ by less there are too few others
	mostWhole    = 1 << 53   // the greatest number up to which all whole numbers are numbers
	mostLogWhole = 1 << 44   // the same of their logarithms: half of 2^-44 is eight times the distance of two float64s there
)

// validateStep wants values that are apart and not too many. What depends on the range is looked at where that is one.
func (p Parameter) validateStep(c *check.List, path string) {
	span := p.High - p.Low
	want := ""
	switch {
	case p.Step == 0:
		return
	case p.Log:
		want = "none, since Log is set"
	case !(p.Step > 0) || math.IsInf(p.Step, 0):
		want = "a finite number > 0"
	case p.Kind == KindInt && p.Step != math.Trunc(p.Step):
		want = "a whole number"
	case !(span >= 0) || math.IsInf(span, 0):
	case span == 0:
		want = "none, since Low = High"
	case span/p.Step >= maxLevels:
		want = "fewer than 2^40 values"
	case p.Step < p.leastStep():
		want = fmt.Sprintf("a number of at least %.2g, so that all values between Low and High differ", p.leastStep())
	case newSteps(p.Low, p.High, p.Step).count < 2: // in decimals: 0.3 fits between 0.9 and 1.2, whose difference is smaller
		want = fmt.Sprintf("a number of at most High − Low = %.6g", span)
	}
	c.Require(want == "", path+".Step", p.Step, want)
}

// leastStep is the distance between a float64 of the size of the range and the next one, and for a float four times that:
// values so far apart differ whatever is rounded.
func (p Parameter) leastStep() float64 {
	size := max(math.Abs(p.Low), math.Abs(p.High))
	least := size - math.Nextafter(size, 0)
	if p.Kind == KindFloat {
		least *= 4
	}
	return least
}

func (p Parameter) validateValues(c *check.List, path string) {
	c.Require(len(p.Values) > 0, path+".Values", p.Values, "at least one number")
	for i, v := range p.Values {
		at := fmt.Sprintf("%s.Values[%d]", path, i)
		c.Finite(at, v)
		if i == 0 {
			continue
		}
		before := p.Values[i-1]
		c.Require(v != before, at, v, "distinct numbers")
		c.Require(!(v < before), at, v, fmt.Sprintf("a number above the one before it, %v", before))
	}
}
