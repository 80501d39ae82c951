package jetstream

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

// waitFor waits until something is so.
func waitFor(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 1200 {
		if is() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("it never came that %s", what)
}

func TestAFileThatDiffersFromItsStreamIsSetAsideAndMadeAnew(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, leads := group(t, url)
	folder := t.TempDir()
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 10)
	for name, spoil := range map[string]func(path string){
		"it has an event more": func(path string) {
			alone := check(sqlite.Open(path))(t)
			extend(t, alone, alone.Last()+1)
			must(t, alone.Sync())
			must(t, alone.Close())
		},
		"it is of another study": func(path string) {
			must(t, os.Remove(path))
			alone := check(sqlite.Create(path))(t)
			must(t, alone.Begin(header()))
			extend(t, alone, 3)
			must(t, alone.Sync())
			must(t, alone.Close())
		},
		"it is of another study that has just begun": func(path string) {
			must(t, os.Remove(path))
			alone := check(sqlite.Create(path))(t)
			must(t, alone.Begin(header()))
			must(t, alone.Close())
		},
		"it is of another stream": func(path string) {
			alone := check(sqlite.Open(path))(t)
			at := check(positionOf(alone))(t)
			at.Chain = strings.Repeat("0", len(at.Chain))
			must(t, alone.Keep(positionName, at.text()))
			must(t, alone.Close())
		},
		"it is damaged": func(path string) {
			b := check(os.ReadFile(path))(t)
			copy(b[4096:], "nothing that SQLite would write")
			must(t, os.WriteFile(path, b, 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			other, log := group(t, url)
			standby := t.TempDir()
			path := file(standby, "a")
			stop := follow(t, other, standby)
			comes(t, path, s.Last())
			stop()
			spoil(path)
			spoiled := check(os.ReadFile(path))(t)
			extend(t, s, s.Last()+1)
			must(t, s.Sync())
			stop = follow(t, other, standby)
			waitFor(t, "a file is set aside", func() bool { return len(asides(t, standby)) == 1 })
			comes(t, path, s.Last())
			stop()
			names := asides(t, standby)
			if len(names) != 1 || !strings.Contains(log.all(), names[0]) {
				t.Fatalf("set aside are %q; it said %q", names, log.all())
			}
			if kept := check(os.ReadFile(names[0]))(t); len(kept) != len(spoiled) {
				t.Errorf("what was set aside has %d bytes, and had %d", len(kept), len(spoiled))
			}
		})
	}
	if said := leads.all(); said != "" {
		t.Errorf("the leader said %q", said)
	}
}

func TestAStudyWhoseStreamIsDeletedVanishesFromTheStandby(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	follow(t, other, standby)
	must(t, begun(t, term, folder, "a", 10).Close())
	begun(t, term, folder, "b", 10)
	comes(t, file(standby, "a"), 10)
	comes(t, file(standby, "b"), 10)
	must(t, term.js.DeleteStream(t.Context(), g.Stream("a")))
	waitFor(t, "the file is set aside", func() bool { return len(asides(t, standby)) == 1 })
	if _, err := os.Stat(file(standby, "a")); err == nil {
		t.Error("the file is still there")
	}
	comes(t, file(standby, "b"), 10)
}

// That a study could not be read any more does not save its file from vanishing with its stream.
func TestAStudyThatIsReadWhileItsStreamIsDeletedVanishes(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	must(t, begun(t, term, folder, "a", 10).Close())
	f := check(other.follower(standby))(t)
	must(t, f.list(t.Context()))
	f.advance(t.Context())
	if a := f.tails["a"]; a == nil || !a.known {
		t.Fatalf("%+v is not followed", a)
	}
	must(t, term.js.DeleteStream(t.Context(), g.Stream("a")))
	f.suspect()
	f.advance(t.Context())
	must(t, f.list(t.Context()))
	if names := asides(t, standby); len(names) != 1 || len(f.tails) != 0 {
		t.Errorf("set aside are %q, and followed %v", names, f.tails)
	}
	must(t, f.close())
}
