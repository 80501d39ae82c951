//go:build !race

package policytest

const duelSeeds = 10
