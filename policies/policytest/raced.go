//go:build race

package policytest

// The race detector makes everything ten times slower: three seeds decide, and each situation has one count of proposals.
const duelSeeds, counts = 3, 1
