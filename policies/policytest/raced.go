//go:build race

package policytest

// The race detector makes everything ten times slower: fewer seeds decide.
const duelSeeds = 3
