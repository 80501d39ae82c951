//go:build race

package experiment

// labSeeds is smaller under the race detector, which makes everything ten times slower.
const labSeeds = 1
