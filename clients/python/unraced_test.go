//go:build !race

package python_test

const raced = false
