//go:build race

package fidelity

// raced says that the race detector watches, which takes ten times as long: there are fewer cases.
const raced = true
