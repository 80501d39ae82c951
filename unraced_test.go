//go:build !race

package tarry_test

const raced = false

func seeds(n uint64) uint64 { return n }
