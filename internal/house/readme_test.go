package house

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The program in the README is the example of the loop: each of its lines stands there, in the same order.
func TestTheProgramInTheReadmeIsTested(t *testing.T) {
	_, after, found := strings.Cut(read(t, "README.md"), "```go\n")
	program, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("the README has no program")
	}
	rest := read(t, "loop", "example_test.go")
	for line := range strings.Lines(program) {
		line = strings.TrimSpace(line)
		_, after, found := strings.Cut(rest, line)
		if !found {
			t.Fatalf("the example does not have, or not in this order: %s", line)
		}
		rest = after
	}
}
