//go:build race

package experiment

// The race detector makes everything ten times slower: one seed, and of experiments with many arms every nineteenth.
const testSeeds, armStep = 1, 19
