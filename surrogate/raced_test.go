//go:build race

package surrogate

// The race detector makes everything ten times slower: fewer draws, whose moments may be that much farther off.
const manyDraws = 1500
