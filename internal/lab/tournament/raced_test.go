//go:build race

package tournament

// raced says that the race detector watches, which takes ten times as long: fewer seeds and samples.
const raced = true
