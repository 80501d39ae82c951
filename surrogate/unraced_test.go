//go:build !race

package surrogate

const manyDraws, fitted, raced = 6000, 700, false
