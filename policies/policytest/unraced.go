//go:build !race

package policytest

const duelSeeds, counts = 10, 2
