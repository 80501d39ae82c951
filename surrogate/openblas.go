//go:build openblas

package surrogate

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/netlib/blas/netlib"
)

// With the build tag openblas the products run in a C library: build with CGO_LDFLAGS=-lopenblas and run with
// OPENBLAS_NUM_THREADS=1, since the actors share the cores already. The numbers then differ in the last digits.
func init() { blas64.Use(netlib.Implementation{}) }
