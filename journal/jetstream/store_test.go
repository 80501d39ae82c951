package jetstream

import (
	"bytes"
	"testing"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

func TestWhatWasSyncedIsOnTheDiskInTheStreamAndOnTheStandby(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	follow(t, other, standby)
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a.study", 10)
	must(t, s.KeepSnapshot(9, []byte("state of nine")))
	must(t, s.Keep("task", []byte("task <of> a study")))
	extend(t, s, 25)
	must(t, s.Sync())
	holds(t, s, 25)
	copied := comes(t, file(standby, "a.study"), 25)
	if seq, state, err := copied.Snapshot(); err != nil || seq != 9 || string(state) != "state of nine" {
		t.Errorf("snapshot %d %q, %v", seq, state, err)
	}
	if text := check(copied.Kept("task"))(t); !bytes.Equal(text, []byte("task <of> a study")) {
		t.Errorf("kept %q", text)
	}
	if ours, theirs := check(s.Created())(t), check(copied.Created())(t); !ours.Equal(theirs) {
		t.Errorf("created %v, on the standby %v", ours, theirs)
	}
	must(t, s.Close())
	again := check(term.Open(file(folder, "a.study"), "a.study"))(t)
	holds(t, again, 25)
	extend(t, again, 26)
	must(t, again.Sync())
	must(t, again.Close())
	comes(t, file(standby, "a.study"), 26)
	if _, err := term.Create(file(folder, "a.study"), "a.study"); err == nil {
		t.Error("created twice")
	} else {
		is(t, err, sqlite.ErrExists)
	}
	_, err := term.Open(file(folder, "none"), "none")
	is(t, err, sqlite.ErrNoStudy)
}
