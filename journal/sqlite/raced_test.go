//go:build race

package sqlite

// moments of a study are fewer where the race detector watches, which takes ten times as long.
const moments = 60
