package spacefile

import (
	"errors"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// maxWhole bounds the ends of an int: beyond it not every whole number is a float64.
const maxWhole = 1 << 53

// maxLevels is how many values of an int are too many for space.
const maxLevels = 1 << 40

// numeric reads low, high, step and log; low and high must be there if required.
func (c *checker) numeric(e *entry, given map[string]field, required bool) {
	if f, there := given["log"]; there {
		var want string
		if e.Log, want = f.value.truth(); want != "" {
			c.wrong(f.value, e.path+".log", want)
		}
	}
	whole := required && e.Kind == space.KindInt
	var low, high bool
	e.Low, low = c.bound(*e, given, "low", required, whole)
	e.High, high = c.bound(*e, given, "high", required, whole)
	if low && e.Log && e.Low <= 0 {
		c.wrong(given["low"].value, e.path+".low", "a number > 0, since log is true")
	}
	_, stepped := given["step"]
	ranged := low && high
	if ranged {
		top, path := given["high"].value, e.path+".high"
		switch {
		case e.Low > e.High:
			c.wrong(top, path, "a number of at least low = "+given["low"].value.shown())
			ranged = false
		case math.IsInf(e.High-e.Low, 0):
			c.wrong(top, path, "high − low to be finite")
			ranged = false
		case whole && !stepped && e.High-e.Low >= maxLevels:
			c.wrong(top, path, "fewer than 2^40 values")
		}
	}
	if stepped {
		c.step(e, given["step"].value, ranged)
	}
}

// bound reads low or high and reports whether it is a number that the type allows.
func (c *checker) bound(e entry, given map[string]field, name string, required, whole bool) (float64, bool) {
	f, there := given[name]
	if !there {
		if required {
			c.add(e.at, joined(e.path, name), "missing: want a number")
		}
		return 0, false
	}
	v, want := f.value.number()
	switch {
	case want == "" && whole && v != math.Trunc(v):
		want = "a whole number, since type is int"
	case want == "" && whole && math.Abs(v) > maxWhole:
		want = "a whole number of at most 2^53 in size"
	}
	if want != "" {
		c.wrong(f.value, joined(e.path, name), want)
	}
	return v, want == ""
}

// step reads the step. What space says of it is said at its place, in the words of the file; how it fits the range, where
// that is known.
func (c *checker) step(e *entry, n node, ranged bool) {
	path := e.path + ".step"
	v, want := n.number()
	if want == "" && v == 0 { // which means none to space
		want = "a finite number > 0"
	}
	if want != "" {
		c.wrong(n, path, want)
		return
	}
	e.Step = v
	p := e.Parameter
	if !ranged {
		p.Low, p.High = math.Inf(-1), math.Inf(1)
	}
	for _, err := range violations(p.Validate("")) {
		var f *check.FieldError
		if errors.As(err, &f) && f.Field == ".Step" {
			c.wrong(n, path, strings.ToLower(f.Want))
		}
	}
}

// violations are the errors that were joined.
func violations(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}
