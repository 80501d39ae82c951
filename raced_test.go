//go:build race

package tarry_test

// raced says that the race detector watches, which takes ten times as long: what is repeated has fewer repetitions.
const raced = true
