//go:build race

package sqlite

// The race detector makes everything ten times slower: studies have fewer moments, fewer ways to damage them are drawn, and
// not every transaction is looked at.
const (
	moments    = 60
	usualDraws = "10"
	looksEvery = 3
)
