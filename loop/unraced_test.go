//go:build !race

package loop

const raced = false
