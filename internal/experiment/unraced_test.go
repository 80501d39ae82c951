//go:build !race

package experiment

const testSeeds, armStep = 2, 1
