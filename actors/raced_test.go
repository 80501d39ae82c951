//go:build race

package actors

// raced says that the race detector watches, which takes ten times as long: what is repeated with many seeds has fewer.
const raced = true
