//go:build race

package surrogate

// The race detector makes everything ten times slower: fewer draws, whose moments may be that much farther off, and fits of
// fewer points.
const manyDraws, fitted = 1000, 400
