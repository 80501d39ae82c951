//go:build !race

package hindsight_test

const raced = false
