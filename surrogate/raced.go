//go:build race

package surrogate

import (
	"runtime"
	"unsafe"

	"github.com/tarry-bo/tarry/space"
)

// The innermost loops carry //go:norace, since the race detector's call for each number took half of the time of all tests. They tell
// it themselves what they read and write, with one call for each slice, so that it misses nothing; internal/house finds a slice that
// is left out. //go:nocheckptr beside it leaves out checks of the pointers of math.Float64bits and of ranges.

func reads[T any](x []T) {
	if len(x) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&x[0]), len(x)*int(unsafe.Sizeof(x[0])))
	}
}

func writes[T any](x []T) {
	if len(x) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&x[0]), len(x)*int(unsafe.Sizeof(x[0])))
	}
}

//go:norace
//go:nocheckptr
func readsPoints(xs []space.Unit) {
	reads(xs)
	for _, x := range xs {
		reads(x)
	}
}
