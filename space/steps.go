package space

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// steps are the values of a float with a step. Where low and step are short decimals, as they are when a person wrote them,
// value k is (origin + k·stride)/power or ·power with whole numbers below 2^53 and a power of ten that a float64 holds
// exactly. So the one rounding at the end gives the float64 that is nearest to the decimal, which is printed as that
// decimal: 0.3 for the third step of 0.1. Other numbers, such as 1/3, have no such decimal; then value k is low + k·step,
// rounded once.
type steps struct {
	low, high, step float64 // of the parameter
	count           float64 // of the values, a whole number
	origin, stride  float64 // whole numbers
	power           float64 // of ten; 0 where the numbers are no short decimals
	divides         bool    // whether power divides
}

const (
	wholes     = 1 << 53 // whole numbers up to here are float64s
	exactPower = 22      // powers of ten up to here are
)

// newSteps returns the values of a range low < high with a step. The last one may be beyond high by a millionth of a step,
// since high may have been computed: then it is high. Cost O(1), with big numbers.
func newSteps(low, high, step float64) *steps {
	s := &steps{low: low, high: high, step: step}
	l, h, d := decimalOf(low), decimalOf(high), decimalOf(step)
	finest := min(l.exponent, h.exponent, d.exponent)
	whole, span := d.in(finest), new(big.Int).Sub(h.in(finest), l.in(finest))
	parts := big.NewInt(1 / stepTolerance)
	span.Add(span.Mul(span, parts), whole)
	s.count, _ = new(big.Float).SetInt(span.Div(span, whole.Mul(whole, parts))).Float64()
	s.count++

	unit := min(l.exponent, d.exponent, exactPower)
	origin, stride := l.in(unit), d.in(unit)
	last := new(big.Int).Mul(stride, big.NewInt(int64(min(s.count, wholes))-1))
	last.Add(last, origin)
	if most := big.NewInt(wholes); unit >= -exactPower && origin.CmpAbs(most) <= 0 && last.CmpAbs(most) <= 0 {
		s.origin, s.stride = float64(origin.Int64()), float64(stride.Int64())
		s.divides = unit < 0
		s.power = math.Pow10(max(unit, -unit))
	}
	return s
}

// at returns value k.
func (s *steps) at(k float64) float64 {
	switch {
	case s.power == 0:
		return min(math.FMA(k, s.step, s.low), s.high)
	case s.divides:
		return min((s.origin+k*s.stride)/s.power, s.high)
	}
	return min((s.origin+k*s.stride)*s.power, s.high)
}

// rank returns the k of the value that is nearest to v; NaN of NaN.
func (s *steps) rank(v float64) float64 {
	return min(max(math.Round((v-s.low)/s.step), 0), s.count-1)
}

// stepped returns the values of a float with a step: those made by New, unless a field was changed since.
func (p Parameter) stepped() *steps {
	if s := p.steps; s != nil && s.low == p.Low && s.high == p.High && s.step == p.Step {
		return s
	}
	return newSteps(p.Low, p.High, p.Step)
}

// decimal is the number digits·10^exponent.
type decimal struct{ digits, exponent int }

// decimalOf returns the shortest decimal that is read as v, which is finite; 0 has the greatest exponent of all.
func decimalOf(v float64) decimal {
	if v == 0 {
		return decimal{0, math.MaxInt}
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	var d decimal
	d.digits, _ = strconv.Atoi(whole + fraction) // at most 17 digits
	d.exponent, _ = strconv.Atoi(exponent)
	d.exponent -= len(fraction)
	return d
}

// in returns the number in units of 10^exponent, of which it is a multiple.
func (d decimal) in(exponent int) *big.Int {
	out := big.NewInt(int64(d.digits))
	if d.digits == 0 {
		return out
	}
	return out.Mul(out, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(d.exponent-exponent)), nil))
}
