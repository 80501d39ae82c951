//go:build race

package policies

// Raced says that the race detector watches, which takes ten times as long.
const Raced = true
