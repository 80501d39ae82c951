package delay

import (
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// MaxSpec is the length in bytes of the longest text that ParseLaw and ParseFaults read.
const MaxSpec = 1024

// forms lists the laws that ParseLaw knows, sorted by name. A new law is a type, its form, and one word here.
var forms = []form{
	exponentialForm, fixedForm, geometricForm, inputForm, lognormalForm, neverForm, paretoForm, poissonForm, valueForm,
}

// ParseLaw returns the law that spec describes:
//
//	fixed:D                 always D
//	poisson:MEAN            0, 1, 2, ...
//	geometric:P             1, 2, 3, ...: trials up to the first success
//	exponential:MEAN
//	lognormal:MU,SIGMA      mean and standard deviation of the logarithm
//	pareto:SCALE,SHAPE      at least SCALE
//	input:LO,HI             Poisson, mean LO at first unit coordinate 0, HI at 1
//	value:LO,HI             Poisson, mean LO at the worst value, HI at the best
//	never:P+LAW             with probability P no answer, otherwise LAW
//
// Parameters are decimal numbers without spaces or a leading plus. Everything else is an error, which names the law,
// the parameter, what was found and the allowed range, and unwraps to check.ErrInvalidOption.
func ParseLaw(spec string) (Law, error) {
	if len(spec) > MaxSpec {
		return nil, tooLong("delay law", spec)
	}
	name, args, _ := strings.Cut(spec, ":")
	for _, f := range forms {
		switch {
		case f.name != name:
		case name == neverForm.name:
			return parseNever(spec, args)
		default:
			values, err := f.parse(spec, args)
			if err != nil {
				return nil, err
			}
			return f.build(values), nil
		}
	}
	return nil, &check.FieldError{
		Field: "delay law", Value: strconv.Quote(spec), Want: "one of " + strings.Join(Laws(), " "),
	}
}

// Laws returns the notation of every law that ParseLaw knows, such as "poisson:MEAN", sorted.
func Laws() []string {
	all := make([]string, len(forms))
	for i, f := range forms {
		all[i] = f.notation()
	}
	return all
}

// parseNever reads P+LAW. A plus may also belong to an exponent, but only the one before LAW is followed by a letter.
func parseNever(spec, args string) (Law, error) {
	for i := range len(args) - 1 {
		if next := args[i+1]; args[i] != '+' || next < 'a' || next > 'z' {
			continue
		}
		var list check.List
		p, err := neverForm.parse(spec, args[:i])
		list.Join(err)
		law, err := ParseLaw(args[i+1:])
		list.Join(err)
		if err := list.Err(); err != nil {
			return nil, err
		}
		return Never{P: p[0], Law: law}, nil
	}
	return nil, neverForm.misread(spec)
}
