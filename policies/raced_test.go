//go:build race

package policies_test

// raced says that the race detector watches, which takes ten times as long.
const raced = true
