//go:build !race

package asktell_test

const raced = false
