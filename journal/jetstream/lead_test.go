package jetstream

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

func TestTheStandbyTakesOverWithAllThatWasAcknowledged(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	a, b := begun(t, term, folder, "a", 10), begun(t, term, folder, "b", 20)

	next := make(chan *Term)
	go func() { next <- lead(t, other, standby) }()
	comes(t, file(standby, "b"), 20)
	extend(t, a, 15)
	must(t, a.Sync())
	must(t, a.Close())
	must(t, b.Close())
	start := time.Now()
	must(t, term.End(t.Context()))
	second := <-next
	t.Logf("an orderly change of leaders took %v", time.Since(start))
	if second.Epoch() <= term.Epoch() {
		t.Errorf("epoch %d after epoch %d", second.Epoch(), term.Epoch())
	}
	select {
	case <-term.Lost():
	default:
		t.Error("the term that was ended is not lost")
	}
	s := check(second.Open(file(standby, "a"), "a"))(t)
	holds(t, s, 15)
	extend(t, s, 30)
	must(t, s.Sync())
	must(t, s.Close())

	follow(t, g, folder) // who led before follows
	comes(t, file(folder, "a"), 30)
}

// What a leader sends after another has taken over is refused, and it acknowledges nothing, also where it does not know yet.
func TestALeaderThatWasReplacedCanNeitherAppendNorAcknowledge(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 10)
	must(t, term.End(t.Context())) // the store is still open
	second := lead(t, other, standby)
	extend(t, s, 11)
	is(t, s.Sync(), ErrFenced)

	// Its own clock says that it leads: the numbers of the messages stop it.
	old := lasting(term)
	writer := *s.writer
	writer.term = old
	unaware := &Store{Store: s.Store, term: old, study: s.study, writer: &writer, at: s.at, batch: s.batch}
	is(t, unaware.Sync(), ErrFenced)
	is(t, unaware.Append(event(12)), ErrFenced) // nothing more is taken
	must(t, s.Close())
	_, err := old.Open(file(folder, "a"), "a")
	is(t, err, ErrFenced)

	t2 := check(second.Open(file(standby, "a"), "a"))(t)
	holds(t, t2, 10)
	must(t, t2.Close())
}

func TestAFileThatWasKeptAloneGetsAStream(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, log := group(t, url)
	other, _ := group(t, url)
	folder, standby := t.TempDir(), t.TempDir()
	alone := check(sqlite.Create(file(folder, "old")))(t)
	must(t, alone.Keep("task", []byte("what it is for")))
	must(t, alone.Begin(header()))
	extend(t, alone, 3000)
	must(t, alone.KeepSnapshot(2999, []byte("state")))
	must(t, alone.Sync())
	must(t, alone.Close())
	follow(t, other, standby)
	lead(t, g, folder)
	copied := comes(t, file(standby, "old"), 3000)
	if seq, state, err := copied.Snapshot(); err != nil || seq != 2999 || string(state) != "state" {
		t.Errorf("snapshot %d %q, %v", seq, state, err)
	}
	if text := check(copied.Kept("task"))(t); string(text) != "what it is for" {
		t.Errorf("kept %q", text)
	}
	if said := log.all(); said != "study old: events 1 to 3000 of the file were not in the stream, and are now" {
		t.Errorf("it said %q", said)
	}
}

func TestALeaseIsHeldByOne(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	other, _ := group(t, url)
	first := check(g.Acquire(t.Context(), "first"))(t)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // more than the lease lasts
	defer cancel()
	if l, err := other.Acquire(ctx, "second"); err == nil {
		t.Fatalf("two have the lease, of epochs %d and %d", first.Epoch(), l.Epoch())
	}
	if !first.held() {
		t.Error("a lease that is renewed has ended")
	}
	first.stop() // as if the process had died
	<-first.done
	start := time.Now()
	second := check(other.Acquire(t.Context(), "second"))(t)
	t.Logf("the lease of a process that died was free after %v", time.Since(start))
	if second.Epoch() <= first.Epoch() {
		t.Errorf("epoch %d after %d", second.Epoch(), first.Epoch())
	}
	must(t, second.Release(t.Context()))
}

func TestOfTwoStandbysOneLeadsAndTheOtherFollowsIt(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, url)
	folder := t.TempDir()
	term := lead(t, g, folder)
	must(t, begun(t, term, folder, "a", 10).Close())
	type leader struct {
		term   *Term
		folder string
	}
	next := make(chan leader)
	ctx, cancel := context.WithCancel(t.Context())
	var folders []string
	for range 2 {
		other, _ := group(t, url)
		standby := t.TempDir()
		folders = append(folders, standby)
		go func() {
			term, err := other.Lead(ctx, standby, "standby")
			if err == nil {
				next <- leader{term, standby}
			} else if errors.Is(err, context.Canceled) {
				close(next)
			}
		}()
	}
	for _, standby := range folders {
		comes(t, file(standby, "a"), 10)
	}
	must(t, term.End(t.Context()))
	second := <-next
	s := check(second.term.Open(file(second.folder, "a"), "a"))(t)
	extend(t, s, 20)
	must(t, s.Sync())
	for _, standby := range folders {
		comes(t, file(standby, "a"), 20)
	}
	begun(t, second.term, second.folder, "b", 5)
	for _, standby := range folders {
		comes(t, file(standby, "b"), 5)
	}
	cancel()
	if third, more := <-next; more {
		t.Errorf("epochs %d and %d lead", second.term.Epoch(), third.term.Epoch())
	}
	must(t, s.Close())
	must(t, second.term.End(t.Context()))
}
