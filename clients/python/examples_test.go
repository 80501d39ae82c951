package python_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// example runs a program in a folder of its own and returns what it printed.
func example(t *testing.T, interpreter, program string) string {
	t.Helper()
	path, err := filepath.Abs(program)
	if err != nil {
		t.Fatal(err)
	}
	cmd := started(t, interpreter, path)
	cmd.Dir = t.TempDir()
	return passes(t, cmd)
}

var accuracy = regexp.MustCompile(`(?m)^accuracy (0\.\d+) with {`)

// accurate fails where a program did not end with an accuracy of at least this.
func accurate(t *testing.T, out string, least float64) {
	t.Helper()
	if found := accuracy.FindStringSubmatch(out); found == nil {
		t.Error("no accuracy in", out)
	} else if got, _ := strconv.ParseFloat(found[1], 64); got < least {
		t.Errorf("an accuracy of %v, want %v", got, least)
	}
}

func TestTheExampleWithScikitLearn(t *testing.T) {
	accurate(t, example(t, python(t, "sklearn"), "examples/classifier.py"), 0.97)
}

func TestTheExampleWithOptuna(t *testing.T) {
	accurate(t, example(t, python(t, "sklearn", "optuna"), "examples/with_optuna.py"), 0.85)
}

// served starts the program for a folder of its own and returns its address. It ends in good order with the test.
func served(t *testing.T) string {
	t.Helper()
	server := exec.Command(tarry, "serve", t.TempDir(), "--http", "127.0.0.1:0", "--without-tls", "--until-eof")
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := server.Wait(); err != nil {
			t.Error(err)
		}
	})
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if _, url, found := strings.Cut(lines.Text(), " is served on "); found {
			return url
		}
	}
	t.Fatal("the server says no address")
	return ""
}

func curl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl here")
	}
}

func TestTheExampleWithCurl(t *testing.T) {
	curl(t)
	out := passes(t, exec.Command("sh", "examples/curl.sh", served(t)))
	found := regexp.MustCompile(`"best":{"id":\d+,"x":{"x":([^}]*)}`).FindStringSubmatch(out)
	if found == nil {
		t.Fatal("no best in", out)
	}
	if x, err := strconv.ParseFloat(found[1], 64); err != nil || x < 1.9 || x > 2.1 {
		t.Error("the best is at", found[1])
	}
}

// The commands of the guide to HTTP, with the program's own export.
func TestTheCommandsOfTheGuideToHTTPRun(t *testing.T) {
	curl(t)
	guide, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	url, all := served(t), ""
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(guide), -1) {
		script := strings.ReplaceAll(strings.ReplaceAll(block[1], "http://127.0.0.1:8080", url), "curl ", "curl --fail-with-body ")
		all += passes(t, exec.Command("sh", "-ec", script))
	}
	for _, part := range []string{"id,attempt,status,value", "1,1,observed,0.31", "2,1,failed", "3,1,cancelled"} {
		if !strings.Contains(all, part) {
			t.Errorf("no %s in\n%s", part, all)
		}
	}
}

var blocks = regexp.MustCompile("(?s)```python\n(.*?)```")

// The programs of the guide, those that begin with an import, run as they stand.
func TestTheProgramsOfTheGuideRun(t *testing.T) {
	guide, err := os.ReadFile("../../docs/python.md")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range blocks.FindAllStringSubmatch(string(guide), -1) {
		if !strings.HasPrefix(block[1], "import ") {
			continue
		}
		interpreter := python(t)
		if strings.Contains(block[1], "import optuna") {
			interpreter = python(t, "optuna")
		}
		program := filepath.Join(t.TempDir(), "program.py")
		if err := os.WriteFile(program, []byte(block[1]), 0o600); err != nil {
			t.Fatal(err)
		}
		if out := example(t, interpreter, program); !strings.Contains(out, "{'") {
			t.Errorf("it prints no parameters: %s\n%s", out, block[1])
		}
		ran++
	}
	if ran < 2 {
		t.Errorf("%d programs in the guide", ran)
	}
}
