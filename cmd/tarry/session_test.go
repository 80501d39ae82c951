package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asking is a session of a policy that learns over tasks, in a folder that has space.yaml.
func asking(t *testing.T, dir, study, in string, more ...string) called {
	t.Helper()
	return callIn(t, dir, in, append([]string{"asktell", "--space", "space.yaml", "--policy", "mft-mes:particles=3", "--study", study}, more...)...)
}

const (
	askOne  = `{"op":"ask"}` + "\n"
	tellOne = `{"op":"tell","id":1,"value":0.5}` + "\n"
)

// A study remembers the file of its sequence: who asks in one session tells in another, which need not name it; before the first answer there is
// nothing to learn, and that is no failure.
func TestASessionRemembersTheFileOfItsSequence(t *testing.T) {
	dir := folder(t, "")
	spaceOf(t, dir, threeFidelities)
	file := filepath.Join(dir, "tasks.json")
	got := asking(t, dir, "s.db", askOne, "--sequence", "tasks.json")
	if got.code != exitOK || !strings.Contains(got.log, "nothing was answered yet") {
		t.Errorf("before an answer: %+v", got)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("before an answer there is a file")
	}
	if got := callIn(t, dir, tellOne, "asktell", "--study", "s.db", "--target", "0.9"); got.code != exitOK || !strings.Contains(got.log, "what was learned is in tasks.json") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, askOne, "asktell", "--study", "s.db", "--sequence", "other.json"); got.code != exitOK || !strings.Contains(got.log, "what was learned is in other.json") {
		t.Errorf("another file: %+v", got)
	}
	if got := callIn(t, dir, "", "asktell", "--study", "s.db"); got.code != exitOK || !strings.Contains(got.log, "what was learned is in other.json") {
		t.Errorf("the file of before: %+v", got)
	}
}

// Whether a file can get what a study learns is known when the session begins.
func TestAFileThatAnotherStudyHasWrittenToIsSaidAtTheBeginning(t *testing.T) {
	dir := folder(t, "")
	spaceOf(t, dir, threeFidelities)
	for study, file := range map[string]string{"one.db": "one.json", "two.db": "two.json", "none.db": ""} {
		more := []string{"--sequence", file}
		if file == "" {
			more = nil
		}
		if got := asking(t, dir, study, askOne+tellOne, more...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	for _, study := range []string{"two.db", "none.db"} {
		got := callIn(t, dir, askOne, "asktell", "--study", study, "--sequence", "one.json")
		if got.code != exitUsage || got.out != "" || !strings.Contains(got.log, "one.json has the tasks [one.db] now, and the study began with none: it is left as it is") {
			t.Errorf("%s: %+v", study, got)
		}
	}
	must(t, os.Rename(filepath.Join(dir, "two.json"), filepath.Join(dir, "one.json")))
	got := callIn(t, dir, askOne, "asktell", "--study", "one.db")
	if got.code != exitFailure || !strings.Contains(got.out, "queries") || !strings.Contains(got.log, "what the study learns cannot be written as it is: --sequence: ") {
		t.Errorf("a file of before: %+v", got)
	}
	if got := asking(t, dir, "three.db", askOne+tellOne, "--sequence", "one.json"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, askOne, "asktell", "--study", "three.db", "--sequence", "new.json"); got.code != exitOK {
		t.Errorf("a file that is not there yet: %+v", got)
	}
}

// A name that was mistyped is seen: a session that begins a study says so, and without a space there is none to begin.
func TestASessionSaysWhetherItsStudyIsNew(t *testing.T) {
	dir := folder(t, "")
	const begins = "tarry: a new study begins in s.db\n"
	for i, want := range []string{begins, ""} {
		if got := callIn(t, dir, "", "asktell", "--space", "space.yaml", "--study", "s.db"); got.code != exitOK || got.log != want {
			t.Errorf("session %d: %+v", i+1, got)
		}
	}
	if got := callIn(t, dir, "", "asktell", "--space", "space.yaml"); got.code != exitOK || got.log != "" {
		t.Errorf("without a file: %+v", got)
	}
	if got := callIn(t, dir, "", "asktell", "--study", "z.db"); got.code != exitUsage || !strings.Contains(got.log, "there is no study at z.db: to begin one give --space FILE") {
		t.Errorf("without a space: %+v", got)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "z.db*")); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}
