package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// programs returns the Go programs in the README.
func programs(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, after := range strings.Split(read(t, "README.md"), "```go\n")[1:] {
		program, _, closed := strings.Cut(after, "```")
		if !closed {
			t.Fatal("a program in the README has no end")
		}
		out = append(out, program)
	}
	return out
}

// What the README shows is tested: each line of its programs stands in an example, in the same order.
func TestTheProgramsInTheReadmeAreExamples(t *testing.T) {
	examples := []string{read(t, "example_test.go"), read(t, "resume_example_test.go"), read(t, "actors", "example_test.go")}
	for _, program := range programs(t) {
		if _, body, whole := strings.Cut(program, "func main() {\n"); whole {
			program = strings.TrimSuffix(strings.TrimSpace(body), "}")
		}
		if !slices.ContainsFunc(examples, func(example string) bool { return standsIn(program, example) }) {
			t.Errorf("no example has these lines in this order:\n%s", program)
		}
	}
}

func standsIn(program, example string) bool {
	for line := range strings.Lines(program) {
		_, after, found := strings.Cut(example, strings.TrimSpace(line))
		if !found {
			return false
		}
		example = after
	}
	return true
}

// The first program is whole: it compiles as it stands and prints what the README says. Its main function has at most
// fifteen lines.
func TestTheFirstProgramInTheReadmeRuns(t *testing.T) {
	program := programs(t)[0]
	_, body, _ := strings.Cut(program, "func main() {\n")
	if n := strings.Count(strings.TrimSuffix(strings.TrimSpace(body), "}"), "\n"); n < 5 || n > 15 {
		t.Errorf("main has %d lines, want at most 15", n)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("go", "run", file)
	run.Dir = filepath.Join("..", "..")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if says := "It prints `" + strings.TrimSpace(string(out)) + "`."; !strings.Contains(read(t, "README.md"), says) {
		t.Errorf("it prints %s, and the README does not say so", out)
	}
}
