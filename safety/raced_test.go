//go:build race

package safety

// raced says that the race detector watches, which takes ten times as long: there are fewer worlds.
const raced = true
