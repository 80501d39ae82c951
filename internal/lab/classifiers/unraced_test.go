//go:build !race

package classifiers

const raced = false
