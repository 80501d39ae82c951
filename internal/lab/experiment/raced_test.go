//go:build race

package experiment

// The race detector makes everything ten times slower: one seed, a few arms of each experiment, and of reports and sets a
// fourth.
const testSeeds, testArms, testShare = 1, 2, 4
