//go:build race

package experiment

// The race detector makes everything ten times slower: one seed, and of experiments with many arms every seventh.
const testSeeds, armStep = 1, 7
