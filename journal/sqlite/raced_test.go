//go:build race

package sqlite

// The race detector makes everything ten times slower: studies have fewer moments, fewer ways to damage them are drawn, fewer
// bytes are damaged, and not every transaction is looked at.
const (
	moments    = 40
	usualDraws = "7"
	looksEvery = 5
	fewer      = 2
)
