// Package consoletest runs commands of the laboratory in tests, and looks at what they print and draw.
package consoletest

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Program is the demo with one command and with help.
func Program(c console.Command) console.Program {
	return console.Program{Commands: []console.Command{c, {Name: "help", Summary: "explain a command"}}}
}

// Execute runs a program as the shell would.
func Execute(t *testing.T, p console.Program, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = p.Run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// Golden compares text with a file of testdata.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew); got:\n%s", path, got)
	}
}

// Contains wants every part in text.
func Contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("missing %q in:\n%s", p, text)
		}
	}
}

// PictureSize wants a PNG of this size.
func PictureSize(t *testing.T, path string, width, height int) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if size := drawn.Bounds().Size(); size.X != width || size.Y != height {
		t.Errorf("%s is %v, want %d x %d", path, size, width, height)
	}
}

// Full is a device without room.
type Full struct{}

// Write fails.
func (Full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
