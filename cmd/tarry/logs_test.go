package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// real is a new folder by its path without links.
func real(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestLogsLieBesideTheFileWhateverLinksLeadToIt(t *testing.T) {
	dir := real(t)
	must(t, os.Mkdir(filepath.Join(dir, "a"), 0o755), os.WriteFile(filepath.Join(dir, "a", "s.db"), nil, 0o644),
		os.Symlink(filepath.Join("a", "s.db"), filepath.Join(dir, "link.db")), os.Symlink("a", filepath.Join(dir, "b")))
	for path, want := range map[string]string{
		"a/s.db": "a/s.db.logs", "link.db": "a/s.db.logs", "b/s.db": "a/s.db.logs", "b/new.db": "a/new.db.logs",
	} {
		if got, err := logsOf(filepath.Join(dir, path)); err != nil || got != filepath.Join(dir, want) {
			t.Errorf("%s: %s, %v", path, got, err)
		}
	}
	t.Chdir(dir)
	if got, err := logsOf("b/s.db"); err != nil || shortened(got) != filepath.Join("a", "s.db.logs") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAMovedStudyFindsItsLogs(t *testing.T) {
	dir := real(t)
	study, here, old := filepath.Join(dir, "new.db"), filepath.Join(dir, "new.db.logs"), filepath.Join(dir, "old.db.logs")
	must(t, os.WriteFile(study, nil, 0o644))
	expect := func(why, kept string, want ...string) {
		t.Helper()
		if got, err := logsNow(study, kept); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v; want %v", why, got, err, want)
		}
	}
	expect("kept before there was such a field", "", here)
	expect("not moved", here, here)
	expect("moved, and nothing is left", old, here)
	must(t, os.Mkdir(old, 0o755))
	expect("moved without its logs", old, old)
	must(t, os.Mkdir(here, 0o755))
	expect("moved with a part of its logs", old, here, old)
	must(t, os.WriteFile(filepath.Join(dir, "old.db"), nil, 0o644))
	expect("copied: the other logs belong to the other study", old, here)
}

// orphaned leaves a command of a study s.db behind whose process was killed.
func orphaned(t *testing.T, dir string) {
	t.Helper()
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "2", "--", "./train.sh")
	must(t, cmd.Start())
	for begun := false; !begun; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "begun"))
		begun = err == nil
	}
	cmd.Process.Kill()
	cmd.Wait()
}

const waitsOnce = `[ -e begun ] || { touch begun; sleep 300; }; echo 1`

// forget removes a study, but not its logs.
func forget(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "s.db*"))
	must(t, err)
	for _, f := range files {
		if !isFolder(f) {
			must(t, os.Remove(f))
		}
	}
}

// Logs of a study that is gone are renamed when nothing runs in them any more.
func TestCommandsOfAStudyThatIsGoneAreEnded(t *testing.T) {
	dir := folder(t, waitsOnce)
	orphaned(t, dir)
	forget(t, dir)
	got := tune(t, dir, "--budget", "2")
	if got.code != exitOK || !strings.Contains(got.log, "ended attempt 000001.1 ") || !strings.Contains(got.log, "logs of another study are now in s.db.logs.old-") {
		t.Errorf("%+v", got)
	}
}

// A study that this program cannot go on with is refused before anything of it is touched; with --any-program it goes on,
// in the logs that it left where it was.
func TestWhatCannotGoOnIsLeftAlone(t *testing.T) {
	dir := folder(t, waitsOnce)
	orphaned(t, dir)
	store, err := sqlite.Read(filepath.Join(dir, "s.db"))
	must(t, err)
	header, err := store.Header()
	must(t, err)
	text, err := store.Kept(taskName)
	must(t, err, store.Close())
	forget(t, dir)
	write := func(name string, change func(*journal.Header)) {
		h := header
		change(&h)
		s, err := sqlite.Create(filepath.Join(dir, name))
		must(t, err)
		must(t, s.Keep(taskName, text), s.Begin(h), s.Sync(), s.Close())
	}
	write("other program.db", func(h *journal.Header) { h.Program.Go = "go1.0" })
	write("policy.db", func(h *journal.Header) { h.Config.Traits.Name = "tpe" })
	got := callIn(t, dir, "", "resume", "other program.db")
	if got.code != exitUsage || !strings.Contains(got.log, `Go "go1.0"`) || !strings.Contains(got.log, "--any-program") || strings.Contains(got.log, "ended") {
		t.Errorf("another program: %+v", got)
	}
	if got := callIn(t, dir, "", "resume", "policy.db"); got.code == exitOK || !strings.Contains(got.log, `"tpe"`) || strings.Contains(got.log, "ended") {
		t.Errorf("an unknown policy: %+v", got)
	}
	got = callIn(t, dir, "", "resume", "other program.db", "--any-program")
	if got.code != exitOK || !strings.Contains(got.log, "ended attempt 000001.1 ") || !strings.Contains(got.out, "in s.db.logs; more with: tarry inspect 'other program.db'") {
		t.Errorf("all the same: %+v", got)
	}
}

// The task says where the logs are; commands to go on with can be pasted.
func TestAStudyWithASpaceInItsName(t *testing.T) {
	dir := folder(t, "echo 1")
	args := []string{"tune", "--space", "space.yaml", "--budget", "1", "--study", "a study.db", "--", "./train.sh"}
	if got := callIn(t, dir, "", args...); got.code != exitOK || !strings.Contains(got.out, "tarry inspect 'a study.db'") {
		t.Fatalf("%+v", got)
	}
	for _, again := range [][]string{args, {"asktell", "--study", "a study.db"}} {
		if got := callIn(t, dir, "", again...); got.code != exitUsage || !strings.Contains(got.log, "tarry resume 'a study.db'") {
			t.Errorf("%+v", got)
		}
	}
	store, err := sqlite.Read(filepath.Join(dir, "a study.db"))
	must(t, err)
	defer store.Close()
	text, err := store.Kept(taskName)
	var kept task
	must(t, err, json.Unmarshal(text, &kept))
	if want, err := logsOf(filepath.Join(dir, "a study.db")); err != nil || kept.Logs != want {
		t.Errorf("kept %s, want %s, %v", kept.Logs, want, err)
	}
	for word, want := range map[string]string{"-s.db": "./-s.db", "it's": `'it'\''s'`, "{a,b}.db": "'{a,b}.db'", "{lr}": "{lr}", "": "''"} {
		if got := argument(word); got != want {
			t.Errorf("%q: %s", word, got)
		}
	}
}

// refusing is a journal that keeps nothing.
type refusing struct{ *journal.Memory }

func (refusing) Begin(journal.Header) error { return errors.New("disk full") }

// Whose fault it is that a session cannot begin decides its exit code.
func TestASessionThatCannotBegin(t *testing.T) {
	dir := folder(t, "")
	code := func(d dialogue) int {
		_, err := d.begin(io.Discard)
		var e exit
		if !errors.As(err, &e) {
			t.Fatalf("%v", err)
		}
		return e.code
	}
	d := dialogue{space: filepath.Join(dir, "space.yaml"), study: loop.Config{Budget: 5, Traits: policies.Traits{Name: tarry.DefaultPolicy}}}
	if _, err := spacefile.Read(d.space); err != nil {
		t.Fatal(err)
	}
	wrong := d
	wrong.study.Retries = -1
	if got := code(wrong); got != exitUsage {
		t.Errorf("an option that is not allowed: %d", got)
	}
	_, err := wrong.begin(io.Discard)
	if !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), "--retries = -1") {
		t.Errorf("%v", err)
	}
	d.options.Journal = refusing{}
	if got := code(d); got != exitFailure {
		t.Errorf("a journal that cannot begin: %d", got)
	}
}
