package jetstream

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestABatchMayBeLargerThanAMessage(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	follow(t, other, standby)
	s := begun(t, lead(t, g, folder), folder, "a", 3)
	before := s.writer.last
	extend(t, s, 20_000)
	must(t, s.KeepSnapshot(19_999, []byte(strings.Repeat("state", 500_000))))
	must(t, s.Sync())
	if parts := s.writer.last - before; parts < 5 {
		t.Errorf("it went in %d messages", parts)
	}
	copied := comes(t, file(standby, "a"), 20_000)
	if seq, state, err := copied.Snapshot(); seq != 19_999 || len(state) != 2_500_000 || err != nil {
		t.Errorf("snapshot %d of %d bytes, %v", seq, len(state), err)
	}
}

func TestAFullStreamTakesNothingMore(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	g.MaxBytes = 20_000
	folder, standby := t.TempDir(), t.TempDir()
	follow(t, other, standby)
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 3)
	acknowledged := s.Last()
	var err error
	for range 1000 {
		extend(t, s, s.Last()+10)
		if err = s.Sync(); err != nil {
			break
		}
		acknowledged = s.Last()
	}
	if err == nil || errors.Is(err, ErrFenced) || !strings.Contains(err.Error(), "maximum bytes") {
		t.Fatalf("after %d events: %v", acknowledged, err)
	}
	must(t, s.Close())
	comes(t, file(standby, "a"), acknowledged) // the beginning is not thrown away
	if _, err := term.Open(file(folder, "a"), "a"); err == nil || !strings.Contains(err.Error(), "maximum bytes") {
		t.Errorf("a claim was written to a full stream: %v", err)
	}
	config := g.config("a")
	config.MaxBytes = -1
	check(term.js.UpdateStream(t.Context(), config))(t)
	s = check(term.Open(file(folder, "a"), "a"))(t)
	holds(t, s, acknowledged)
	extend(t, s, acknowledged+10)
	must(t, s.Sync())
	comes(t, file(standby, "a"), acknowledged+10)
	must(t, s.Close())
}

// The servers lose what they had acknowledged. The leader's file has it, and gives it back.
func TestServersThatLostMessagesGetThemBack(t *testing.T) {
	for name, back := range map[string]func(t *testing.T, storage, older string){
		"everything": func(t *testing.T, storage, _ string) { must(t, os.RemoveAll(storage)) },
		"the end": func(t *testing.T, storage, older string) {
			must(t, os.RemoveAll(storage))
			must(t, os.CopyFS(storage, os.DirFS(older)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			storage, older := t.TempDir()+"/a", t.TempDir()+"/b"
			s := &servers{}
			s.options = append(s.options, serverOptions(t, storage, false))
			s.start(t, 0)
			g, log := group(t, s.url())
			folder := t.TempDir()
			term := lead(t, g, folder)
			a := begun(t, term, folder, "a", 100)
			must(t, a.Keep("task", []byte("text")))
			s.stop(0)
			must(t, os.CopyFS(older, os.DirFS(storage)))
			s.start(t, 0)
			waitFor(t, "the stream is back", func() bool { _, err := g.info(t.Context(), term.js, "a"); return err == nil })
			a.term = lasting(term)
			a.writer.term = a.term
			extend(t, a, 200)
			must(t, a.KeepSnapshot(150, []byte("state")))
			must(t, a.Sync())
			s.stop(0)
			back(t, storage, older)
			s.start(t, 0)
			waitFor(t, "the server is back", func() bool { return g.Conn.Status() == nats.CONNECTED })
			a.term.group.Patience = attempt
			extend(t, a, 201)
			is(t, a.Sync(), ErrUnanswered) // it sees that something is missing, and has nothing acknowledged
			must(t, a.Close())
			g.Patience = 0
			_ = term.End(t.Context()) // the lease may have been lost too
			term = lead(t, g, folder)
			a = check(term.Open(file(folder, "a"), "a"))(t)
			holds(t, a, 200)
			if said := log.all(); !strings.Contains(said, "to 200 of the file were not in the stream") {
				t.Errorf("it said %q", said)
			}
			other, _ := group(t, s.url())
			standby := t.TempDir()
			follow(t, other, standby)
			copied := comes(t, file(standby, "a"), 200)
			if text := check(copied.Kept("task"))(t); string(text) != "text" {
				t.Errorf("kept %q", text)
			}
			if seq, state, err := copied.Snapshot(); seq != 150 || string(state) != "state" || err != nil {
				t.Errorf("snapshot %d %q, %v", seq, state, err)
			}
			if names := asides(t, folder); len(names) > 0 {
				t.Errorf("set aside: %q", names)
			}
			must(t, a.Close())
		})
	}
}

// A stream that this program cannot read costs nobody a file.
func TestAStreamThatCannotBeReadLeavesTheFileAlone(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, log := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	stop := follow(t, other, standby)
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 10)
	comes(t, file(standby, "a"), 10)
	must(t, s.writer.write(t.Context(), []byte(`{"surprise":"of a newer program"}`)))
	must(t, s.Close())
	waitFor(t, "the follower says so", func() bool { return strings.Contains(log.all(), "surprise") })
	comes(t, file(standby, "a"), 10)
	stop()
	_, err := term.Open(file(folder, "a"), "a")
	is(t, err, ErrUnreadable)
	must(t, term.End(t.Context()))
	second := lead(t, other, standby) // that one study cannot be read keeps nobody from leading
	_, err = second.Open(file(standby, "a"), "a")
	is(t, err, ErrUnreadable)
	begun(t, second, standby, "b", 5)
	if names := append(asides(t, folder), asides(t, standby)...); len(names) > 0 {
		t.Errorf("set aside: %q", names)
	}
}

func TestAGroupSaysWhatItMayBe(t *testing.T) {
	conn := connect(t, serverAt(t, t.TempDir()).ClientURL())
	for want, g := range map[string]Group{
		"Group.Conn = nil: want a connection":                     {},
		`Group.Prefix = "a-b": want 1 … 32 letters, digits and _`: {Conn: conn, Prefix: "a-b"},
		"Group.Replicas = 2: want 1, 3 or 5":                      {Conn: conn, Replicas: 2},
		"Group.Replicas = 7: want 1, 3 or 5":                      {Conn: conn, Replicas: 7},
		"Group.MaxBytes = -1: want ≥ 0":                           {Conn: conn, MaxBytes: -1},
		"Group.Patience = -1ns: want ≥ 0":                         {Conn: conn, Patience: -1},
	} {
		if err := g.Follow(t.Context(), t.TempDir()); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, err := g.Lead(t.Context(), t.TempDir(), ""); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestEveryStudyHasAStreamOfItsOwn(t *testing.T) {
	g := &Group{Prefix: "p"}
	for study, want := range map[string]string{"a": "p-journal-a", "a.b-c_D.1": "p-journal-a=b-c_D=1", "journal": "p-journal-journal"} {
		if got := g.Stream(study); got != want {
			t.Errorf("stream %s, want %s", got, want)
		}
		for _, name := range []string{g.Stream(study), g.Subject(study)} {
			if got, ours := g.named(name); !ours || got != study {
				t.Errorf("%s is of study %q, %v", name, got, ours)
			}
		}
	}
	for _, name := range []string{"p-journal", "p-journal-", "p-journals-a", "q-journal-a", "p-journal-*", "KV_p-lease"} {
		if study, ours := g.named(name); ours {
			t.Errorf("%s is of study %q", name, study)
		}
	}
	term := &Term{group: g}
	for _, study := range []string{"", "-a", "a/b", "a b", strings.Repeat("a", 101)} {
		if _, err := term.Open("path", study); err == nil || !strings.HasPrefix(err.Error(), "name of the study = ") {
			t.Errorf("study %q: %v", study, err)
		}
	}
}
