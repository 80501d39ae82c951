package sqlite

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestANoteIsInTheTransactionOfTheEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := check(Create(path))(t)
	must(t, s.Note("a", []byte("before"))) // as Keep
	created := time.Date(2024, 2, 29, 12, 0, 0, 1, time.FixedZone("", 3600))
	must(t, s.BeginAt(header(), created))
	if at := check(s.Created())(t); !at.Equal(created) {
		t.Errorf("created %v, want %v", at, created)
	}
	look := check(Read(path))(t)
	defer look.Close()
	if text := string(check(look.Kept("a"))(t)); text != "before" {
		t.Errorf("kept %q", text)
	}
	extend(t, s, 5)
	must(t, s.Note("a", []byte("after")))
	must(t, s.Note("b", []byte("new")))
	if text := string(check(look.Kept("a"))(t)); text != "before" || s.Last() != 5 {
		t.Errorf("before Sync %q is kept, of %d events", text, s.Last())
	}
	must(t, s.Sync())
	texts := check(look.Texts())(t)
	if names := slices.Sorted(maps.Keys(texts)); !slices.Equal(names, []string{"a", "b"}) || string(texts["a"]) != "after" || string(texts["b"]) != "new" {
		t.Errorf("kept %q", texts)
	}
	must(t, s.Note("b", []byte("dropped"))) // it alone
	must(t, s.Close())
	s = check(Open(path))(t)
	holds(t, s, 5)
	if text := string(check(s.Kept("b"))(t)); text != "new" || s.Last() != 5 {
		t.Errorf("what was never synced is %q", text)
	}
	must(t, s.Note("b", []byte("alone")))
	must(t, s.Sync())
	must(t, s.Close())
	s = check(Open(path))(t)
	if text := string(check(s.Kept("b"))(t)); text != "alone" {
		t.Errorf("kept %q", text)
	}
	must(t, s.Verify())
	for _, name := range []string{"", "header", "created", "\xff"} {
		if s.Note(name, nil) == nil {
			t.Errorf("a note by the name %q", name)
		}
	}
	must(t, s.Close())
	if s.Note("b", nil) == nil {
		t.Error("a note in a store that is closed")
	}
}
