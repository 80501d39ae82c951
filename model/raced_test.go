//go:build race

package model

// raced says that the race detector watches, which takes ten times as long: of what is combined some is left out.
const raced = true
