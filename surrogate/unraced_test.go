//go:build !race

package surrogate

const manyDraws = 6000
