//go:build !race

package sqlite

const (
	moments    = 120
	usualDraws = "25"
	looksEvery = 1
	fewer      = 1
)
