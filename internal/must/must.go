// Package must is for tests: it takes the value of a call that cannot fail there, and compares numbers.
//
//	s := must.Get(space.New(space.Float("x", 0, 1)))(t)
//	must.Near(t, "mean", mean, 0.3, 1e-12)
package must

import "math"

// Test is what this package needs of a test: *testing.T, *testing.B and *rapid.T have it.
type Test interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// Near is an error of the test where got is farther from want than the tolerance, relative to want where that is above 1, or NaN.
func Near(t Test, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1, math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// Get returns a function that returns v, and that ends its test where err is not nil.
func Get[T any](v T, err error) func(t Test) T {
	return func(t Test) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
