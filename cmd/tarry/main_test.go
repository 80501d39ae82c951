package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(asNATS); text != "" {
		fmt.Fprintln(os.Stderr, beNATS(text))
		os.Exit(1)
	}
	if os.Getenv(asProgram) == "1" {
		os.Unsetenv(asProgram) // the commands it runs are themselves
		signal.Ignore(syscall.SIGPIPE)
		os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Setenv("TZ", "UTC")                   // times of the wall are printed alike everywhere; a library reads time.Local from its init on
	os.Setenv("GORACE", "atexit_sleep_ms=0") // the programs that the tests start would take a second to end
	code := m.Run()
	if err := os.RemoveAll(builtIn); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// program is the program with arguments, in a folder, to be started as a process of its own.
func program(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, variable := executable(t)
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), variable, "GOMAXPROCS=2")
	return cmd
}

// called is what a call of the program came to.
type called struct {
	code     int
	out, log string
}

// call runs the program to its end, in this process.
func call(t *testing.T, in string, args ...string) called {
	t.Helper()
	var out, log bytes.Buffer
	code := run(args, strings.NewReader(in), &out, &log)
	return called{code, out.String(), log.String()}
}

// callIn runs the program to its end in a folder, as a process of its own.
func callIn(t *testing.T, dir, in string, args ...string) called {
	t.Helper()
	cmd := program(t, dir, args...)
	var out, log bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(in), &out, &log
	err := cmd.Run()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	return called{cmd.ProcessState.ExitCode(), out.String(), log.String()}
}

const twoParameters = `parameters:
- {name: lr, type: float, low: 1e-5, high: 1, log: true}
- {name: layers, type: int, low: 1, high: 8}
`

// folder returns a new folder with a space file and, where text is given, an executable script ./train.sh.
func folder(t *testing.T, script string) string {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh here")
	}
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write("space.yaml", twoParameters, 0o644)
	if script != "" {
		write("train.sh", "#!/bin/sh\n"+script, 0o755)
	}
	return dir
}
