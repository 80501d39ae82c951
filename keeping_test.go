package tarry_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// gated is a journal whose disk is slow: each write waits until somebody says how it ends.
type gated struct {
	journal.Memory
	open  atomic.Bool // nothing waits
	syncs atomic.Int64
	ends  chan func() error
}

func (g *gated) Sync() error {
	if g.open.Load() {
		return nil
	}
	g.syncs.Add(1)
	return (<-g.ends)()
}

func kept() error { return nil }

// asked begins a study of as many queries on the journal, which are asked for while nothing waits.
func asked(t *testing.T, g *gated, queries int) (*tarry.Study, []tarry.Query) {
	g.ends = make(chan func() error)
	g.open.Store(true)
	study := newStudy(t, tarry.Options{Budget: 100, Pending: 100, Journal: g, Policy: policy(t, "random")})
	var all []tarry.Query
	for range queries {
		all = append(all, ask(t, study))
	}
	g.open.Store(false)
	return study, all
}

// telling tells of each query from a goroutine of its own: of the first alone, and of the others while that is written.
func telling(study *tarry.Study, queries []tarry.Query) []chan error {
	var all []chan error
	for i, q := range queries {
		ended := make(chan error, 1)
		go func() {
			defer func() {
				if r := recover(); r != nil {
					ended <- fmt.Errorf("panic: %v", r)
				}
			}()
			ended <- study.Tell(q.ID, float64(i))
		}()
		if all = append(all, ended); i == 0 {
			synctest.Wait()
		}
	}
	synctest.Wait()
	return all
}

func count(all []chan error) (ended int) {
	for _, one := range all {
		ended += len(one)
	}
	return ended
}

// While one write is under way others tell and ask, and what they bring is written at once, after it. Nobody hears that it is kept before
// it is; what is known by then is seen by nobody either.
func TestWhoTellsAtOnceSharesAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{}
		study, queries := asked(t, g, 20)
		all := telling(study, queries[:19])
		more, seen, again := make(chan error, 1), make(chan *tarry.Result, 1), make(chan error, 1)
		go func() { _, err := study.Ask(); more <- err }()
		go func() { seen <- study.Result() }()
		go func() { again <- study.Tell(queries[0].ID, 0) }() // nothing new, but what it repeats is not kept yet
		synctest.Wait()
		if count(all) != 0 || len(more)+len(seen)+len(again) != 0 || g.syncs.Load() != 1 {
			t.Fatalf("%d have ended, and %d, %d, %d; %d writes", count(all), len(more), len(seen), len(again), g.syncs.Load())
		}
		g.ends <- kept
		synctest.Wait()
		if len(all[0]) != 1 || count(all) != 1 || g.syncs.Load() != 2 {
			t.Fatalf("after one write %d have ended; %d writes", count(all), g.syncs.Load())
		}
		g.ends <- kept
		synctest.Wait()
		for i, one := range append(all, more, again) {
			if err := <-one; err != nil {
				t.Error(i, err)
			}
		}
		if r := <-seen; r.Count(tarry.Observed) != 19 || g.syncs.Load() != 2 {
			t.Errorf("%d values, %d writes", r.Count(tarry.Observed), g.syncs.Load())
		}
		g.open.Store(true)
		study.Close()
	})
}

// A write that fails is heard by everybody whose answers it had, and by everybody after. What was kept before stays known.
func TestAWriteThatFailsFailsForAll(t *testing.T) {
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("disk full") },
		"panic": func() error { panic("no disk") },
	} {
		synctest.Test(t, func(t *testing.T) {
			g := &gated{}
			study, queries := asked(t, g, 20)
			all := telling(study, queries[:19])
			g.ends <- kept
			synctest.Wait()
			g.ends <- end
			synctest.Wait()
			if count(all) != len(all) {
				t.Fatalf("%s: %d wait for ever", name, len(all)-count(all))
			}
			if err := <-all[0]; err != nil {
				t.Error(name, err)
			}
			refused := 0
			for _, one := range all[1:] {
				err := <-one
				if err == nil {
					t.Errorf("%s: acknowledged", name)
				}
				if errors.Is(err, tarry.ErrNotKept) {
					refused++
				}
			}
			if name == "error" && refused != len(all)-1 {
				t.Errorf("%d of %d were told that nothing is kept", refused, len(all)-1)
			}
			if err := study.Tell(queries[19].ID, 1); err == nil {
				t.Errorf("%s: it goes on", name)
			}
			if err := study.Tell(queries[0].ID, 0); name == "error" && err != nil {
				t.Errorf("what is kept is not known: %v", err)
			}
			study.Close()
		})
	}
}

// Queries that are asked for ahead share a write, which anybody may wait for, any number of times.
func TestManyQueriesWithOneWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gated{}
		study, _ := asked(t, g, 0)
		var last tarry.Keeping
		for range 50 {
			_, kept, err := study.AskAhead()
			if err != nil {
				t.Fatal(err)
			}
			last = kept
		}
		ended := make(chan error, 2)
		for range cap(ended) {
			go func() { ended <- last.Wait() }()
		}
		synctest.Wait()
		if g.syncs.Load() != 1 || len(ended) != 0 {
			t.Fatalf("%d writes, %d have ended", g.syncs.Load(), len(ended))
		}
		g.ends <- kept
		if err := errors.Join(<-ended, <-ended, last.Wait(), tarry.Keeping{}.Wait()); err != nil || g.syncs.Load() != 1 {
			t.Error(g.syncs.Load(), err)
		}
	})
}

// A study that is closed has kept all, what is on its way to the journal and what nobody waited for, and its journal is not written any more.
func TestAClosedStudyHasKeptAll(t *testing.T) {
	for unawaited := range 2 {
		synctest.Test(t, func(t *testing.T) {
			g := &gated{}
			study, queries := asked(t, g, 2)
			telling(study, queries[:1])
			for range unawaited {
				if _, _, err := study.AnswerAhead(loop.FeedbackArrived{Evaluation: 2, Attempt: 1}); err != nil {
					t.Fatal(err)
				}
			}
			closed := make(chan bool)
			go func() { study.Close(); close(closed) }()
			for range 1 + unawaited {
				synctest.Wait()
				select {
				case <-closed:
					t.Fatal("closed before everything is kept")
				default:
				}
				g.ends <- kept
			}
			<-closed
			if g.syncs.Load() != int64(1+unawaited) {
				t.Error(g.syncs.Load(), "writes")
			}
		})
	}
}

// safe is a journal that knows which values are on the disk.
type safe struct {
	journal.Memory
	mutex sync.Mutex
	at    int
	has   map[int]float64
}

func (s *safe) Sync() error {
	time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
	all := s.All()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, r := range all[s.at:] {
		if e, is := r.Event.Event.(loop.FeedbackArrived); is {
			s.has[e.Evaluation] = e.Value
		}
	}
	s.at = len(all)
	return nil
}

func (s *safe) value(evaluation int) (float64, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	v, has := s.has[evaluation]
	return v, has
}

func (s *safe) safe() uint64 {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return uint64(s.at)
}

// Whoever asks and tells beside others finds each value on the disk that was acknowledged, and the events that readers hear of are in order.
func TestNothingIsAcknowledgedBeforeItIsKept(t *testing.T) {
	disk, heard := &safe{has: map[int]float64{}}, uint64(0)
	study := newStudy(t, tarry.Options{Budget: 400, Pending: 100, Journal: disk, Policy: policy(t, "random"), OnEvent: func(e tarry.Event) {
		if heard++; e.Seq != heard || e.Seq > disk.safe() {
			t.Errorf("event %d comes as number %d; on the disk are %d", e.Seq, heard, disk.safe())
		}
	}})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for {
				q, err := study.Ask()
				if errors.Is(err, tarry.ErrBudgetSpent) || errors.Is(err, tarry.ErrEnded) {
					return
				}
				if err == nil {
					err = study.Tell(q.ID, float64(q.ID.Evaluation))
				}
				if v, has := disk.value(q.ID.Evaluation); err != nil || !has || v != float64(q.ID.Evaluation) {
					t.Errorf("%v: %v, on the disk %v %v", q.ID, err, v, has)
					return
				}
			}
		})
	}
	all.Wait()
	if r := study.Result(); r.Count(tarry.Observed) != 400 || heard != disk.safe() {
		t.Errorf("%d values; readers heard of %d events of %d", r.Count(tarry.Observed), heard, disk.safe())
	}
}
