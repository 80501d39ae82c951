//go:build race

package house

import (
	"os"
	"testing"
)

// The race detector has nothing to watch here: the laws read sources, and run without it.
func TestMain(*testing.M) { os.Exit(0) }
