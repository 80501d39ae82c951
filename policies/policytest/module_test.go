package policytest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The example of a policy in a module of its own builds against this one, conforms, and proposes what gp-bucb does. The go
// command of the main module passes it by, so it is called here. Nothing is fetched: the modules are those of the main module.
func TestAPolicyInAModuleOfItsOwn(t *testing.T) {
	dir := filepath.Join("..", "..", "examples", "policy")
	source, err := os.ReadFile(filepath.Join(dir, "believer.go"))
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(source), "\n"); lines > 60 {
		t.Errorf("%d lines, want at most 60: what is it that package policies does not offer?", lines)
	}
	for _, arguments := range [][]string{{"vet", "./..."}, {"test", "./..."}} {
		command := exec.CommandContext(t.Context(), "go", arguments...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GOPROXY=off", "GOWORK=off", "GOFLAGS=-mod=readonly -buildvcs=false")
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v; where requirements changed run go mod tidy in examples/policy\n%s", command, err, out)
		}
	}
}
