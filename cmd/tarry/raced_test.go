//go:build race

package main

// usualKills are fewer where the race detector watches, which takes ten times as long.
const usualKills = 3
