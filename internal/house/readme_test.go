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

// Every registered policy stands in the README's table with its name.
func TestTheReadmeListsEveryPolicy(t *testing.T) {
	text := read(t, "README.md")
	files, err := filepath.Glob(filepath.Join("..", "..", "policies", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		for line := range strings.Lines(read(t, "policies", filepath.Base(file))) {
			name, isName := strings.CutPrefix(strings.TrimSpace(line), `Name:`)
			name = strings.Trim(name, ` ",`)
			if !isName || strings.HasSuffix(file, "_test.go") || strings.ContainsAny(name, ".( ") {
				continue
			}
			n++
			if !strings.Contains(text, "| `"+name) {
				t.Errorf("policy %s is not in the README's table", name)
			}
		}
	}
	if n < 8 {
		t.Errorf("found only %d policies", n)
	}
}
