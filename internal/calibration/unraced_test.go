//go:build !race

package calibration

const raced = false
