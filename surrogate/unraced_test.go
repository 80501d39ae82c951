//go:build !race

package surrogate

const manyDraws, fitted = 6000, 700
