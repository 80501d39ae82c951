//go:build !race

package experiment

const testSeeds, testArms, testShare = 2, 1000, 1
