//go:build race

package surrogate

// The race detector makes everything ten times slower: fewer draws, whose moments may be that much farther off, and fits of
// fewer points, and every other kernel where all would do the same.
const manyDraws, fitted, raced = 1000, 400, true
