//go:build race

package loop

// raced says that the race detector watches, which takes ten times as long: statistics and long studies are made smaller.
const raced = true
