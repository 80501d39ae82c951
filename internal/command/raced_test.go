//go:build race

package command

// gigabyte is a tenth of one where the race detector watches, which takes ten times as long.
const gigabyte = "100000000"
