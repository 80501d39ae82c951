//go:build !race

package actors

const raced = false
