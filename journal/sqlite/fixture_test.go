package sqlite

import (
	"database/sql"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// header is that of the studies in the tests.
func header() journal.Header {
	s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Categorical("kind", "a", "b"))
	if err != nil {
		panic(err)
	}
	p, err := policies.Parse("gp-bucb")
	if err != nil {
		panic(err)
	}
	return journal.NewHeader(loop.Config{Space: s, Traits: p.Traits(), Seed: math.MaxUint64, Budget: 100, Timeout: time.Minute})
}

// event is what happened at a number in the tests: anyone can compute it again.
func event(seq uint64) journal.Record {
	r := journal.Record{Event: loop.Stamped{Seq: seq, At: time.Duration(seq) * time.Second}}
	switch k := int(seq); seq % 4 {
	case 0:
		r.Event.Event = loop.Proposed{Ask: k, Proposals: []policies.Proposal{{X: []float64{1 / float64(k), 0.5}, Forecast: &policies.Forecast{Mean: math.NaN(), Scale: 1}}}}
	case 1:
		r.Event.Event = loop.WorkerJoined{Worker: k, Slots: 1}
	default:
		r.Event.Event = loop.FeedbackArrived{Evaluation: k, Attempt: 1, Outcome: outcome.Outcome{Value: math.Sqrt(float64(k)), Constraints: []float64{-1}}}
	}
	if seq%3 == 0 {
		r.Digest = seq * 0x9e3779b97f4a7c15
	}
	return r
}

// text prints a record so that two of them print alike if and only if they are the same.
func text(r journal.Record) string {
	kind, body, err := journal.EncodeEvent(r.Event.Event)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%d %d %s %s %x", r.Event.Seq, r.Event.At, kind, body, r.Digest)
}

func check[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begun creates a store with the header and the events 1 … n, synced.
func begun(t testing.TB, path string, n uint64) *Store {
	t.Helper()
	s := check(Create(path))(t)
	t.Cleanup(func() { s.Close() })
	must(t, s.Begin(header()))
	extend(t, s, n)
	must(t, s.Sync())
	return s
}

// extend appends events up to n.
func extend(t testing.TB, s *Store, n uint64) {
	t.Helper()
	for seq := s.last.seq + 1; seq <= n; seq++ {
		r := event(seq)
		digest := r.Digest
		r.Digest = 0
		must(t, s.Append(r))
		if digest != 0 {
			must(t, s.Mark(digest))
		}
	}
}

// holds requires the events 1 … n and nothing more.
func holds(t testing.TB, s journal.Source, n uint64) {
	t.Helper()
	seq := uint64(0)
	for r, err := range s.Records() {
		must(t, err)
		seq++
		if got, want := text(r), text(event(seq)); got != want {
			t.Fatalf("record %d is\n%s, want\n%s", seq, got, want)
		}
	}
	if seq != n {
		t.Fatalf("there are %d records, want %d", seq, n)
	}
}

func files(t testing.TB, folder string) string {
	t.Helper()
	var names []string
	for _, entry := range check(os.ReadDir(folder))(t) {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

// brought has SQLite bring the log to the database and delete it, as any program does that opens the two after a crash.
func brought(t testing.TB, path string) {
	t.Helper()
	db := check(sql.Open("sqlite", path))(t)
	var n int
	must(t, db.QueryRow("SELECT count(*) FROM events").Scan(&n))
	must(t, db.Close())
	if size(path+"-wal") >= 0 {
		t.Fatal("the log is still there")
	}
}

// copyFile copies the bytes of a file.
func copyFile(to, from string) error {
	b, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, b, 0o644)
}
