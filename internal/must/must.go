// Package must is for tests: it takes the value of a call that cannot fail there.
//
//	s := must.Get(space.New(space.Float("x", 0, 1)))(t)
package must

// Test is what Get needs of a test: *testing.T, *testing.B and *rapid.T have it.
type Test interface {
	Helper()
	Fatal(args ...any)
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
