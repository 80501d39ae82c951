package serve

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// polled is what a long poll got, and when.
type polled struct {
	Queries []struct{ ID int }
	Held    string
	status  int
	took    time.Duration
}

// poll asks in a goroutine of its own.
func poll(ctx context.Context, s *Server, wait string) <-chan polled {
	out := make(chan polled, 1)
	go func() {
		begun, w := time.Now(), httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "http://127.0.0.1"+lr+"/ask?wait="+wait, strings.NewReader("")))
		var p polled
		_ = json.Unmarshal(w.Body.Bytes(), &p) // of another kind it stays empty
		p.status, p.took = w.Code, time.Since(begun)
		out <- p
	}()
	synctest.Wait() // until it waits
	return out
}

// full lets as many queries be unanswered as may be, so that an ask has to wait.
func full(t *testing.T, s *Server) {
	for {
		if _, _, err := s.config.Live.server.Study.AskAhead(); err != nil {
			break
		}
	}
	if _, _, err := s.config.Live.server.Study.AskAhead(); err == nil {
		t.Fatal("there is a query")
	}
}

// Who waits for a query gets it in the instant in which an answer sets one free, one of two who wait, and the other waits on.
func TestALongPollEndsWhenAQueryIsFree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fuzzed(t, tarry.Options{Pending: 3})
		full(t, s)
		first, second := poll(t.Context(), s, "60s"), poll(t.Context(), s, "60s")
		time.Sleep(5 * time.Second)
		if err := s.config.Live.server.Study.Cancel(1, "no"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		got, late := polled{}, first
		select {
		case got = <-first:
			late = second
		case got = <-second:
		default:
			t.Fatal("nobody got it")
		}
		if len(got.Queries) != 1 || got.took != 5*time.Second {
			t.Errorf("%+v", got)
		}
		if got = <-late; len(got.Queries) != 0 || got.Held == "" || got.took != 60*time.Second || got.status != 200 {
			t.Errorf("the other: %+v", got)
		}
	})
}

// Who has gone away takes no query, and the one that he woke for goes to somebody who is still there.
func TestALongPollOfSomebodyWhoHasGoneTakesNoQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fuzzed(t, tarry.Options{Pending: 3})
		full(t, s)
		ctx, leave := context.WithCancel(t.Context())
		gone, here := poll(ctx, s, "60s"), poll(t.Context(), s, "60s")
		leave()
		synctest.Wait()
		<-gone
		if err := s.config.Live.server.Study.Cancel(1, "no"); err != nil {
			t.Fatal(err)
		}
		if got := <-here; len(got.Queries) != 1 || got.took != 0 {
			t.Errorf("%+v", got)
		}
	})
}

// A server that ends answers who waits at once.
func TestALongPollEndsWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fuzzed(t, tarry.Options{Pending: 3})
		full(t, s)
		waiting := poll(t.Context(), s, "60s")
		s.end.Do(func() { close(s.ending) })
		if got := <-waiting; got.took != 0 || got.status != 200 || got.Held == "" {
			t.Errorf("%+v", got)
		}
	})
}

// An attempt that times out while nobody does anything sets a query free for who waits.
func TestALongPollHearsOfATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fuzzed(t, tarry.Options{Pending: 3, Timeout: 10 * time.Second})
		full(t, s)
		if got := <-poll(t.Context(), s, "60s"); len(got.Queries) != 1 || got.took < 9*time.Second || got.took > 12*time.Second {
			t.Errorf("%+v", got)
		}
	})
}

// slow is a journal whose disk waits until somebody says that it is done.
type slow struct {
	journal.Memory
	begun bool
	ends  chan bool
}

func (s *slow) Sync() error {
	if s.begun {
		<-s.ends
	}
	return nil
}

// Who repeats a request hears no sooner than the first that its answer is kept; and while that is so, others are served.
func TestARequestThatIsRepeatedWaitsForTheJournalToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slow{ends: make(chan bool)}
		s := fuzzed(t, tarry.Options{Journal: disk})
		disk.begun = true
		ask := func(key string) <-chan string {
			out := make(chan string, 1)
			go func() {
				w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "http://127.0.0.1"+lr+"/ask", strings.NewReader(""))
				r.Header.Set("Idempotency-Key", key)
				s.ServeHTTP(w, r)
				out <- w.Body.String()
			}()
			synctest.Wait()
			return out
		}
		first, again, other := ask("k"), ask("k"), ask("l")
		if len(first)+len(again)+len(other) > 0 {
			t.Fatal("an answer before it is kept")
		}
		disk.ends <- true
		synctest.Wait()
		if len(first) != 1 || len(again) != 1 || len(other) != 0 {
			t.Fatal(len(first), len(again), len(other))
		}
		disk.ends <- true
		a, b, c := <-first, <-again, <-other
		if a != b || a == c || !strings.Contains(a, `"id":4`) || !strings.Contains(c, `"id":5`) {
			t.Error(a, b, c)
		}
		close(disk.ends) // the study is closed
	})
}

// Where time was up before an event, whoever waits for a query has a turn, whatever the event says.
func TestWhatExpiredBesideAnEventWakesWhoWaits(t *testing.T) {
	n := newNews()
	n.add(tarry.Event{Seq: 1, Event: loop.LeaseRenewed{Evaluation: 2, Attempt: 1}})
	if len(n.turn) > 0 {
		t.Error("a renewal wakes")
	}
	n.add(tarry.Event{Seq: 2, Event: loop.LeaseRenewed{Evaluation: 2, Attempt: 1}, Reaction: loop.Reaction{Expired: []loop.Expiry{{Evaluation: 1, Attempt: 1}}}})
	if len(n.turn) != 1 {
		t.Error("the end of a lease does not wake")
	}
}
