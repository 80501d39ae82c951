package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// A study that has ended goes on with more budget, at any time, and its file says what happened.
func TestAnEndedStudyGoesOnWithMoreBudget(t *testing.T) {
	dir := folder(t, "echo $2")
	if got := tune(t, dir, "--budget", "4", "--workers", "2"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitOK || !strings.Contains(got.out, "4 observed") || !strings.Contains(got.log, "tarry resume s.db --budget 8") {
		t.Errorf("an ended study: %+v", got)
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--budget", "7"); got.code != exitOK || !strings.Contains(got.out, "7 observed") || !strings.Contains(got.log, "7/7") {
		t.Errorf("with more budget: %+v", got)
	}
	for flag, want := range map[string]string{
		"6": "--budget = 6: want 7 ≤ budget ≤ 100000: so much the study has spent already", "0": "--budget = 0: want 1 ≤ budget ≤ 100000",
		"-1": "--budget = -1: want 1 ≤ budget", "100001": "--budget = 100001: want 1 ≤ budget", "many": "invalid argument",
	} {
		if got := callIn(t, dir, "", "resume", "s.db", "--budget", flag); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %+v", flag, got)
		}
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--budget", "7"); got.code != exitOK || !strings.Contains(got.out, "7 observed") {
		t.Errorf("with the same budget: %+v", got)
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "budget 7 ") || !strings.Contains(got.out, "ended: budget spent") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "verify", "s.db"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
}

// In a session by lines the budget may be another one than it was; what makes the study may not.
func TestTheBudgetOfASessionChanges(t *testing.T) {
	dir := folder(t, "")
	answers := "{\"op\":\"ask\"}\n{\"op\":\"tell\",\"id\":1,\"value\":1}\n{\"op\":\"ask\"}\n"
	if got := callIn(t, dir, answers, "asktell", "--space", "space.yaml", "--study", "s.db", "--budget", "1"); !strings.Contains(got.out, `"ended":true`) {
		t.Fatalf("%+v", got)
	}
	got := callIn(t, dir, "{\"op\":\"ask\"}\n{\"op\":\"state\"}\n", "asktell", "--space", "space.yaml", "--study", "s.db", "--budget", "3")
	if got.code != exitOK || !strings.Contains(got.out, `"id":2`) || !strings.Contains(got.out, `"budget":3`) {
		t.Errorf("with more budget: %+v", got)
	}
	if got := callIn(t, dir, "{\"op\":\"state\"}\n", "asktell", "--study", "s.db"); !strings.Contains(got.out, `"budget":3`) {
		t.Errorf("as it was left: %+v", got)
	}
	for _, flags := range [][]string{{"--budget", "1"}, {"--budget", "0"}, {"--seed", "3"}} {
		if got := callIn(t, dir, "", append([]string{"asktell", "--study", "s.db"}, flags...)...); got.code != exitUsage || !strings.Contains(got.log, flags[0]+" = "+flags[1]) {
			t.Errorf("%v: %+v", flags, got)
		}
	}
}

// Whoever cannot go on with a study is told who can.
func TestAStudyOfAProgramGoesOnInThatProgram(t *testing.T) {
	dir := folder(t, "")
	store, err := sqlite.Create(filepath.Join(dir, "s.db"))
	must(t, err)
	space, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	study, err := tarry.NewStudy(space, tarry.Options{Budget: 5, Journal: store})
	must(t, err)
	_, err = study.Ask()
	must(t, err)
	study.Close()
	must(t, store.Close())
	if got := callIn(t, dir, "", "resume", "s.db"); got.code != exitUsage || !strings.Contains(got.log, "tarry.StartOrResume") || !strings.Contains(got.log, "tarry asktell --study s.db") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "go on by: tarry.Resume") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "{\"op\":\"ask\"}", "asktell", "--space", "space.yaml", "--study", "t.db"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "resume", "t.db"); got.code != exitUsage || strings.Contains(got.log, "StartOrResume") || !strings.Contains(got.log, "tarry asktell --study t.db") {
		t.Errorf("%+v", got)
	}
}

// Another patch version of Go is said wherever the study is looked at, and is no obstacle; another release is one.
func TestAnotherVersionOfGo(t *testing.T) {
	dir := folder(t, "echo $2")
	if got := tune(t, dir, "--budget", "3"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	line := strings.Join(strings.SplitN(journal.ThisProgram().Go, ".", 3)[:2], ".")
	write(t, dir, "patch.db", line+".99")
	for _, args := range [][]string{{"resume", "patch.db", "--budget", "4"}, {"inspect", "patch.db"}, {"verify", "patch.db"}} {
		if got := callIn(t, dir, "", args...); got.code != exitOK || !strings.Contains(got.out+got.log, "written by another program: Go \""+line+".99\"") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	write(t, dir, "release.db", "go1.99.1")
	if got := callIn(t, dir, "", "resume", "release.db"); got.code != exitUsage || !strings.Contains(got.log, "--any-program") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "resume", "release.db", "--any-program"); got.code != exitOK || !strings.Contains(got.log, "go1.99.1") {
		t.Errorf("%+v", got)
	}
}

// write copies the study s.db to another file, as a program under another version of Go would have written it.
func write(t *testing.T, dir, name, version string) {
	t.Helper()
	from, err := sqlite.Read(filepath.Join(dir, "s.db"))
	must(t, err)
	defer from.Close()
	to, err := sqlite.Create(filepath.Join(dir, name))
	must(t, err)
	defer to.Close()
	text, err := from.Kept(taskName)
	must(t, err)
	must(t, to.Keep(taskName, text))
	h, err := from.Header()
	must(t, err)
	h.Program.Go = version
	must(t, to.Begin(h))
	for r, err := range from.Records() {
		must(t, err)
		must(t, to.Append(r))
	}
	must(t, to.Sync())
	must(t, os.CopyFS(filepath.Join(dir, name+".logs"), os.DirFS(filepath.Join(dir, "s.db.logs"))))
}
