//go:build !race

package sqlite

const (
	moments    = 120
	usualDraws = "25"
	looksEvery = 1
)
