//go:build !race

package sqlite

const moments = 120
