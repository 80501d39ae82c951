//go:build race

package functions

// raced says that the race detector watches, which takes ten times as long: searches are shorter.
const raced = true
