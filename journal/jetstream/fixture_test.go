package jetstream

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// header is that of the studies in the tests.
func header() journal.Header {
	s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Categorical("kind", "a", "<b>"))
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
		e := loop.EvaluationFailed{Evaluation: k, Attempt: 1}
		e.Reason = "<&> \"quoted\"\n\u2028"
		r.Event.Event = e
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

func connect(t testing.TB, url string) *nats.Conn {
	t.Helper()
	conn := check(nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.RetryOnFailedConnect(true)))(t)
	t.Cleanup(conn.Close)
	return conn
}

// told collects what a group says.
type told struct {
	mutex sync.Mutex
	lines []string
}

func (l *told) say(text string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.lines = append(l.lines, text)
}

func (l *told) all() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return strings.Join(l.lines, "\n")
}

// group is one over a new connection to a server.
func group(t testing.TB, url string) (*Group, *told) {
	t.Helper()
	log := &told{}
	return &Group{Conn: connect(t, url), Log: log.say}, log
}

// lead leads at once.
func lead(t testing.TB, g *Group, folder string) *Term {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	term := check(g.Lead(ctx, folder, "test"))(t)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = term.End(ctx)
	})
	return term
}

// lasting is the term of one whose clock says that he leads for an hour.
func lasting(t *Term) *Term {
	sure := *t
	sure.lease = &Lease{until: time.Now().Add(time.Hour), lost: make(chan struct{})}
	return &sure
}

// follow follows to the end of the test, or until stop is called.
func follow(t testing.TB, g *Group, folder string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- g.Follow(ctx, folder) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func file(folder, study string) string { return filepath.Join(folder, study+".db") }

// begun creates a study with the events 1 … n, synced.
func begun(t testing.TB, term *Term, folder, study string, n uint64) *Store {
	t.Helper()
	s := check(term.Create(file(folder, study), study))(t)
	t.Cleanup(func() { s.Close() })
	must(t, s.Begin(header()))
	extend(t, s, n)
	must(t, s.Sync())
	return s
}

// extend appends events up to n.
func extend(t testing.TB, s interface {
	journal.Appender
	Last() uint64
}, n uint64) {
	t.Helper()
	for seq := s.Last() + 1; seq <= n; seq++ {
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

// comes waits until a file holds the events 1 … n, and returns it open to be read.
func comes(t testing.TB, path string, n uint64) *sqlite.Store {
	t.Helper()
	var why error
	for range 1200 {
		s, err := sqlite.Read(path)
		if err == nil {
			if s.Last() >= n {
				t.Cleanup(func() { s.Close() })
				holds(t, s, n)
				return s
			}
			why = fmt.Errorf("%d events", s.Last())
			err = s.Close()
		}
		if err != nil {
			why = err
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s does not come to %d events: %v", path, n, why)
	return nil
}

// asides are the files of a folder that were set aside.
func asides(t testing.TB, folder string) (names []string) {
	t.Helper()
	for _, e := range check(os.ReadDir(folder))(t) {
		if strings.Contains(e.Name(), ".aside-") && !strings.HasSuffix(e.Name(), "-wal") && !strings.HasSuffix(e.Name(), "-shm") {
			names = append(names, filepath.Join(folder, e.Name()))
		}
	}
	return names
}

func is(t testing.TB, err, kind error) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("error %v, want %v", err, kind)
	}
}
