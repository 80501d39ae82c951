package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// asProgram makes the test binary the program itself, so that tests can run and kill it.
const asProgram = "TARRY_TEST_AS_PROGRAM"

// watched are the tests whose programs have the race detector as well: commands that end, hang and are ended while values come.
// The others are about files and what is said, and a program with the detector takes ten times as long to begin.
var watched = []string{"TestExitCodesBecomeStates", "TestWildCommands", "TestCtrlC", "TestASessionEndsAtASignal", "TestKilledAgainAndAgain"}

// built is the program without the race detector, made once for all tests, in a folder that TestMain removes.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tarry-program-")
	if err != nil {
		return "", err
	}
	builtIn = dir
	path := filepath.Join(dir, "tarry")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", path, ".").CombinedOutput() // the version is that of a test
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

var builtIn string

// executable returns the program for a test and what its environment needs.
func executable(t *testing.T) (path, variable string) {
	t.Helper()
	program := built
	name, _, _ := strings.Cut(t.Name(), "/")
	if variable = asProgram + "=0"; !raced || slices.Contains(watched, name) {
		program, variable = os.Executable, asProgram+"=1"
	}
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path, variable
}
