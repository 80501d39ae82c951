//go:build race

package policytest

// The race detector makes everything ten times slower: three seeds decide.
const duelSeeds = 3
