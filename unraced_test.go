//go:build !race

package tarry_test

const raced = false
