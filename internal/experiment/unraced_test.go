//go:build !race

package experiment

const labSeeds = 2
