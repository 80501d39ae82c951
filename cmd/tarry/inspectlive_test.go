package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func TestAStudyIsInspectedWhileItIsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	store, err := sqlite.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	policy, err := tarry.ParsePolicy("random")
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(space3(t), tarry.Options{Budget: 200, Policy: policy, Journal: store})
	if err != nil {
		t.Fatal(err)
	}
	defer study.Close()
	done := make(chan error, 1)
	go func() {
		for i := range 200 {
			q, err := study.Ask(float64(i % 24))
			if err = errors.Join(err, study.Tell(q.ID, float64(i))); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	var before []map[string]string
	for ended := false; !ended; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			ended = true
		default:
		}
		_, rows := sheet(t, path)
		if len(rows) < len(before) || ended && len(rows) != 200 {
			t.Fatalf("%d evaluations after %d", len(rows), len(before))
		}
		for i, row := range before {
			if row["status"] == "observed" && row["value"] != rows[i]["value"] {
				t.Fatalf("#%d was %v, and is %v", i+1, row, rows[i])
			}
		}
		before = rows
	}
}

func TestARunningStudyShowsWhatIsUnderWay(t *testing.T) {
	dir := folder(t, "while [ ! -e go ]; do sleep 0.02; done; echo $1\n")
	running := program(t, dir, "tune", "--space", "space.yaml", "--budget", "4", "--workers", "2", "--policy", "random", "-q", "--", "./train.sh", "{lr}")
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- running.Wait() }()
	t.Cleanup(func() { running.Process.Kill() })
	path := filepath.Join(dir, "study.db")
	text := until(t, path, "2 pending")
	for _, want := range []string{fmt.Sprintf("goes on: process %d is at it", running.Process.Pid), "runs ./train.sh {lr}, 2 at once\n", "\n1        1  pending", "\n2        1  pending", "no value yet"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	until(t, path, "ended: budget spent")
}

// until inspects a study until the text has some words, and returns it.
func until(t *testing.T, path, words string) string {
	t.Helper()
	var got called
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if got = call(t, "", "inspect", path); got.code == exitOK && strings.Contains(got.out, words) {
			return got.out
		}
	}
	t.Fatalf("no %q within five minutes: code %d, %s\n%s", words, got.code, got.log, got.out)
	return ""
}

func TestTheExamplesOfInspectRunAsTheyStand(t *testing.T) {
	dir := folder(t, "")
	if _, err := exec.LookPath("awk"); err != nil {
		t.Skip("no awk here")
	}
	bin := installed(t)
	shell := exec.Command("sh", "-e", "-c", newInspect().Example)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, name := range []string{"s.csv", "s.json", "pictures/incumbent.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() < 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
