//go:build race

package classifiers

// raced says that the race detector watches, which takes ten times as long.
const raced = true
