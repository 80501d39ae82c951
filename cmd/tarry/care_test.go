package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a command prints, gets and is called with is for the user alone, whatever the umask; a folder that was there keeps
// its mode.
func TestLogsAreForTheUserAlone(t *testing.T) {
	for _, there := range []bool{false, true} {
		dir := folder(t, "echo 1; echo 2 >&2")
		logs := filepath.Join(dir, "s.db.logs")
		if there {
			must(t, os.Mkdir(logs, 0o755), os.Chmod(logs, 0o755))
		}
		if got := tune(t, dir, "--budget", "2"); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		files := 0
		must(t, filepath.WalkDir(logs, func(path string, entry fs.DirEntry, err error) error {
			info, err2 := entry.Info()
			must(t, err, err2)
			want := fs.FileMode(0o600)
			switch {
			case path == logs && there:
				want = 0o755
			case entry.IsDir():
				want = 0o700
			default:
				files++
			}
			if info.Mode().Perm() != want {
				t.Errorf("%s: %v, want %v", path, info.Mode().Perm(), want)
			}
			return nil
		}))
		if files != 12 {
			t.Errorf("%d files", files)
		}
	}
}

// A choice that the system cannot pass on is refused with the space, before anything is made.
func TestAChoiceThatIsTooLongIsRefused(t *testing.T) {
	dir := folder(t, "echo 1")
	text := fmt.Sprintf("parameters:\n- {name: kind, type: categorical, choices: [adam, %s]}\n", strings.Repeat("x", 200_000))
	must(t, os.WriteFile(filepath.Join(dir, "space.yaml"), []byte(text), 0o644))
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "2", "--", "./train.sh", "{kind}")
	if got.code != exitUsage || !strings.Contains(got.log, `tarry: kind = "xxxx`) || !strings.Contains(got.log, "(200000 bytes)") || !strings.Contains(got.log, "this system allows") || len(got.log) > 1000 {
		t.Errorf("%.2000s", got.log)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "s.db*")); left != nil {
		t.Errorf("left: %v", left)
	}
}

// Whoever writes a choice into a script is warned, once, and the study goes on.
func TestAChoiceInAScriptIsWarnedOf(t *testing.T) {
	const warning = `tarry: command[2] is a script of sh, which takes the choice "a; touch x" of {kind} for a part of it; safe are `
	for _, c := range []struct {
		choices string
		command []string
		warned  bool
	}{
		{`[adam, "a; touch x"]`, []string{"sh", "-c", "echo {kind} 1; echo 1"}, true},
		{`[adam, "a; touch x"]`, []string{"sh", "-c", `test "$1" != x && echo 1`, "sh", "{kind}"}, false},
		{`[adam, sgd]`, []string{"sh", "-c", "echo {kind} 1; echo 1"}, false},
	} {
		dir := folder(t, "")
		must(t, os.WriteFile(filepath.Join(dir, "space.yaml"), []byte("parameters:\n- {name: kind, type: categorical, choices: "+c.choices+"}\n"), 0o644))
		args := append([]string{"tune", "--space", "space.yaml", "--study", "s.db", "--budget", "2", "--policy", "random", "--"}, c.command...)
		got := callIn(t, dir, "", args...)
		if got.code != exitOK || strings.Count(got.log, "a script of") != strings.Count(got.log, warning) || strings.Contains(got.log, warning) != c.warned {
			t.Errorf("%q: %+v", c.command, got)
		}
	}
}

// Output is limited as the user says, and that also holds after a resume.
func TestOutputIsLimited(t *testing.T) {
	dir := folder(t, `head -c 3000000 /dev/zero; echo; echo 1; head -c 1000000 /dev/zero >&2`)
	for size, want := range map[string]int64{"100kB": 100_000, "0": 3_000_003} {
		args := []string{"tune", "--space", "space.yaml", "--study", size + ".db", "--budget", "1", "--max-output", size, "--", "./train.sh"}
		if got := callIn(t, dir, "", args...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		info, err := os.Stat(filepath.Join(dir, size+".db.logs", "000001.1", "stdout"))
		if must(t, err); info.Size() > want || info.Size() < want/2 {
			t.Errorf("%s: %d bytes", size, info.Size())
		}
	}
	for flag, want := range map[string]string{"10XB": "want a size, as in 500kB, 10MB or 64MiB", "1kB": "--max-output = 1000: want 0 for all, or ≥ 65536"} {
		if got := tune(t, dir, "--budget", "1", "--max-output", flag); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %+v", flag, got)
		}
	}
}
