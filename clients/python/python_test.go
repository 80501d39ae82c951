// Package python_test runs the tests of the Python client against the program as it is.
package python_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tarry is the program, built once.
var tarry string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "tarry")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	tarry = filepath.Join(folder, "tarry")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", tarry, "../../cmd/tarry").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// python returns an interpreter with these modules, and skips the test where there is none. No race detector watches Python and the program that it starts, so with one the tests that
// need modules, which take most of the time, are skipped too.
func python(t *testing.T, modules ...string) string {
	t.Helper()
	if raced && len(modules) > 0 {
		t.Skipf("with the race detector as without: go test ./clients/python runs what needs %v", modules)
	}
	try := "import sys; assert sys.version_info >= (3, 9)"
	for _, module := range modules {
		try += "; import " + module
	}
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", try).Run() == nil {
			return name
		}
	}
	t.Skipf("no python3 of at least 3.9 with %v here", modules)
	return ""
}

// started is a command that writes nothing beside the sources.
func started(t *testing.T, name string, args ...string) *exec.Cmd {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "TARRY="+tarry, "PYTHONPATH="+here+string(filepath.ListSeparator)+os.Getenv("PYTHONPATH"), "PYTHONDONTWRITEBYTECODE=1",
		"PATH="+filepath.Dir(tarry)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return cmd
}

// passes runs a command and returns what it said, which the test shows where it fails.
func passes(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return string(out)
}

// suite runs the tests of one file, of which there must be some, and none may be skipped.
func suite(t *testing.T, interpreter, file string, environment ...string) {
	t.Helper()
	cmd := started(t, interpreter, "-m", "unittest", "discover", "-s", "tests", "-p", file)
	cmd.Env = append(cmd.Env, environment...)
	out := passes(t, cmd)
	if strings.Contains(out, "Ran 0 tests") || strings.Contains(out, "skipped=") || strings.Contains(out, "ResourceWarning") {
		t.Error(out)
	}
}

// leaks lets Python tell of connections and files that nobody closed.
const leaks = "PYTHONWARNINGS=default::ResourceWarning"

func TestTheClient(t *testing.T) { suite(t, python(t), "test_client.py", leaks) }
func TestOptimize(t *testing.T)  { suite(t, python(t), "test_optimize.py", leaks) }
func TestTrouble(t *testing.T) {
	suite(t, python(t), "test_trouble.py", "TARRY_CERTIFICATES="+certificates(t))
}

func TestTheSamplerOfOptuna(t *testing.T) { suite(t, python(t, "optuna"), "test_optuna.py") }

func TestTheSourcesCompile(t *testing.T) {
	cmd := started(t, python(t), "-m", "compileall", "-q", "tarry", "tarry_optuna", "tests", "examples")
	cmd.Env = append(cmd.Env, "PYTHONPYCACHEPREFIX="+t.TempDir())
	passes(t, cmd)
}

func TestTheTypesAreRight(t *testing.T) {
	for module, needs := range map[string][]string{"tarry": {"mypy"}, "tarry_optuna": {"mypy", "optuna"}} {
		t.Run(module, func(t *testing.T) {
			passes(t, started(t, python(t, needs...), "-m", "mypy", "--strict", "--cache-dir", t.TempDir(), module))
		})
	}
}

// What pip installs from the folder, without a network, is the client with its types.
func TestTheFolderIsInstalled(t *testing.T) {
	interpreter := python(t, "setuptools", "wheel", "pip")
	source, target := t.TempDir(), t.TempDir()
	for _, name := range []string{"tarry", "tarry_optuna"} {
		if err := os.CopyFS(filepath.Join(source, name), os.DirFS(name)); err != nil {
			t.Fatal(err)
		}
	}
	project, err := os.ReadFile("pyproject.toml")
	if err == nil {
		err = os.WriteFile(filepath.Join(source, "pyproject.toml"), project, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	passes(t, started(t, interpreter, "-m", "pip", "install", "--no-build-isolation", "--no-index", "--no-deps", "--quiet", "--target", target, source))
	for _, file := range []string{"tarry/__init__.py", "tarry/py.typed", "tarry_optuna/__init__.py", "tarry_optuna/py.typed"} {
		ours, err := os.ReadFile(file)
		installed, missing := os.ReadFile(filepath.Join(target, file))
		if err != nil || missing != nil || !bytes.Equal(ours, installed) {
			t.Errorf("%s is not installed: %v %v", file, err, missing)
		}
	}
}
