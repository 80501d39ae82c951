//go:build !race

package command

const gigabyte = "1000000000"
