//go:build !race

package experiment

const testSeeds, testArms = 2, 1000
