//go:build !race

package acquisition

const searches = 10
