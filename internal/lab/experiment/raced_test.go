//go:build race

package experiment

// The race detector makes everything ten times slower: one seed, and a few arms of each experiment.
const testSeeds, testArms = 1, 3
