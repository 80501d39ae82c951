//go:build race

package main

// raced says that the race detector watches, which takes ten times as long: the program is killed less often.
const raced, usualKills, usualMisfortunes = true, 3, 3
