//go:build race

package tarry_test

// raced says that the race detector watches, which takes ten times as long: what is repeated has fewer repetitions.
const raced = true

// seeds is with how many of n seeds something is tested.
func seeds(n uint64) uint64 { return min(n, 1) }
