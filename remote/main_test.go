package remote

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if how := os.Getenv(far); how != "" {
		workFar(how)
		return
	}
	if how := os.Getenv(chaotic); how != "" {
		inChaos(how)
		return
	}
	goleak.VerifyTestMain(m)
}
