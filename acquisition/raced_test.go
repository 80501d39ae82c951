//go:build race

package acquisition

// The race detector makes everything ten times slower: fewer searches.
const searches = 4
