package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/loop"
)

// remaining are the folders of attempts of a study.
func remaining(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "s.db.logs"))
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimPrefix(e.Name(), "00000"))
	}
	return strings.Join(names, " ")
}

// Of the best, of what failed, and of what is spared the folders stay; what is no attempt's is not touched.
func TestPruneDeletesWhatNobodyNeeds(t *testing.T) {
	dir := folder(t, `
case $TARRY_EVALUATION.$TARRY_ATTEMPT in
3.*) exit 3;;
4.*) exit 65;;
5.1) exit 1;;
esac
head -c 100000 /dev/zero; echo; echo $((TARRY_EVALUATION == 2))`)
	if got := tune(t, dir, "--budget", "7", "--retries", "1", "--policy", "random"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	notes := filepath.Join(dir, "s.db.logs", "notes")
	must(t, os.Mkdir(notes, 0o755), os.Symlink(notes, filepath.Join(dir, "s.db.logs", "000001.9")))
	must(t, os.Rename(filepath.Join(dir, "s.db.logs", "000005.1"), filepath.Join(dir, "s.db.logs", "000005.1.old")))
	const before = "1.1 1.9 2.1 3.1 3.2 4.1 5.1.old 5.2 6.1 7.1 notes"
	for _, c := range []struct {
		flags     []string
		says      string
		remaining string
	}{
		{[]string{"--dry-run"}, "000001.1  98KiB\n", before},
		{[]string{"-n", "--failed"}, "8 of 9 folders in s.db.logs would be deleted, 39", before},
		{[]string{"--keep", "7"}, "0 of 9 folders in s.db.logs deleted, 0\n", before},
		{[]string{"--older-than", "1h"}, "0 of 9 folders in s.db.logs deleted, 0\n", before},
		{[]string{"--keep", "2"}, "4 of 9 folders", "1.9 2.1 3.1 3.2 6.1 7.1 notes"},
		{nil, "2 of 5 folders", "1.9 2.1 3.1 3.2 notes"},
		{[]string{"--failed"}, "2 of 3 folders", "1.9 2.1 notes"},
		{[]string{"--failed"}, "0 of 1 folders", "1.9 2.1 notes"},
	} {
		got := callIn(t, dir, "", append([]string{"prune", "s.db"}, c.flags...)...)
		if left := remaining(t, dir); got.code != exitOK || !strings.Contains(got.out, c.says) || left != c.remaining {
			t.Errorf("%v: %+v, left %s", c.flags, got, left)
		}
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); got.code != exitOK || !strings.Contains(got.out, "best         #2  1  ") {
		t.Errorf("%+v", got)
	}
}

// What is pending stays, and so does what runs on although its evaluation was given up: it may have a value yet.
func TestPruneSparesWhatRuns(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, stubborn+`echo $TARRY_EVALUATION`)
	cmd := overdue(t, dir, givenUp, "--budget", "3", "--workers", "2")
	t.Cleanup(func() { must(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o644), cmd.Wait()) })
	got := callIn(t, dir, "", "prune", "s.db", "--failed")
	if left := remaining(t, dir); got.code != exitOK || left != "1.1 2.1" {
		t.Errorf("%+v, left %s", got, left)
	}
}

// An outcome that the study has not heard of yet stays until it is told.
func TestPruneSparesWhatIsUntold(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, stubborn+`exit 65`)
	deaf(t, dir, "000001.1", givenUp, "--budget", "1")
	for range 2 {
		if got := callIn(t, dir, "", "prune", "s.db", "--failed"); got.code != exitOK || remaining(t, dir) != "1.1" {
			t.Errorf("%+v, left %s", got, remaining(t, dir))
		}
	}
	if _, l := resumed(t, dir, exitNoValue); l.Evaluations()[0].Status != loop.Infeasible {
		t.Errorf("%+v", l.Evaluations()[0])
	}
	if got := callIn(t, dir, "", "prune", "s.db"); got.code != exitOK || remaining(t, dir) != "" {
		t.Errorf("%+v, left %s", got, remaining(t, dir))
	}
}

func TestWhatCannotBePrunedIsNamed(t *testing.T) {
	dir := folder(t, "")
	if got := callIn(t, dir, `{"op":"ask"}`, "asktell", "--space", "space.yaml", "--study", "a.db"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"a.db"}, "study a.db runs no command"},
		{[]string{"a.db", "--keep", "-1", "--older-than", "-1h"}, "--older-than = -1h0m0s: want a duration ≥ 0"},
		{[]string{"none.db"}, "there is no study at"},
		{nil, "STUDY is missing"},
	} {
		if got := callIn(t, dir, "", append([]string{"prune"}, c.args...)...); got.code != exitUsage || !strings.Contains(got.log, c.want) {
			t.Errorf("%v: %+v", c.args, got)
		}
	}
}

func TestSizesAreReadAndWritten(t *testing.T) {
	for text, want := range map[string]size{"0": 0, "70000": 70000, "500kB": 500_000, "10MB": 10_000_000, "64MiB": 64 << 20, "64mib": 64 << 20, "1.5 GiB": 3 << 29} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "10XB", "20EB", "1e6", "NaN"} {
		s := size(7)
		if err := s.Set(text); err == nil || s != 7 {
			t.Errorf("%s: %d, %v", text, s, err)
		}
	}
	for s, want := range map[size]string{0: "0", 64 << 20: "64MiB", 100_000: "98KiB", 12: "12B"} {
		if got := s.String(); got != want {
			t.Errorf("%d: %s", s, got)
		}
	}
}
