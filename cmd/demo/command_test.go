package main

import (
	"bytes"
	"context"
	"io"
	"testing"
)

// run is the program but for the process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return demo().run(ctx, args, stdout, stderr)
}

// execute runs the program as the shell would.
func execute(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}
