//go:build !race

package functions

const raced = false
