//go:build !race

package policies

const Raced = false
