//go:build race

package hindsight_test

// raced says that the race detector watches, which takes ten times as long: a few policies stand for all.
const raced = true
