package comparison

import (
	"context"
	"io"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

// run is the program but for the process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return consoletest.Program(Command()).Run(ctx, args, stdout, stderr)
}

// execute runs the program as the shell would.
func execute(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return consoletest.Execute(t, consoletest.Program(Command()), args...)
}
