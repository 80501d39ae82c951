package actors

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// sitter is a guest that answers after a time, unless the attempt was cancelled before, or never where it has no pace.
type sitter struct {
	engine *Engine
	pace   time.Duration

	mutex     sync.Mutex
	tasks     []workers.Task
	cancelled []Cancel
	ended     []error
	open      map[Cancel]bool
	most      int
}

func (g *sitter) Evaluate(t workers.Task) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.open == nil {
		g.open = map[Cancel]bool{}
	}
	g.tasks = append(g.tasks, t)
	key := Cancel{t.Evaluation, t.Attempt}
	g.open[key] = true
	g.most = max(g.most, len(g.open))
	if g.pace == 0 {
		return
	}
	time.AfterFunc(g.pace, func() {
		g.mutex.Lock()
		wanted := g.open[key]
		delete(g.open, key)
		g.mutex.Unlock()
		if wanted {
			g.engine.Hear(outcome.Answer{Evaluation: key.Evaluation, Attempt: key.Attempt, Outcome: outcome.Of(gain(t.X))})
		}
	})
}

func (g *sitter) Cancel(evaluation, attempt int) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.open, Cancel{evaluation, attempt})
	g.cancelled = append(g.cancelled, Cancel{evaluation, attempt})
}

func (g *sitter) Ended(err error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.ended = append(g.ended, err)
}

// counts returns how many attempts have begun, and how many run.
func (g *sitter) counts() (begun, running int) {
	synctest.Wait()
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.tasks), len(g.open)
}

// seat gives a new guest a seat at a study.
func (s *story) seat(slots int, pace time.Duration) (*sitter, *Seat) {
	s.t.Helper()
	g := &sitter{engine: s.Engine, pace: pace}
	seat, err := s.Join(slots, g)
	if err != nil {
		s.t.Fatal(err)
	}
	synctest.Wait()
	return g, seat
}

func TestGuestsOfAnEngineEvaluateItsStudy(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, outside(t, 9))
		time.Sleep(24 * time.Hour) // without a worker it waits
		one, _ := s.seat(1, 2*time.Minute)
		two, _ := s.seat(2, 2*time.Minute)
		end := s.Wait()
		if end.Err != nil || end.At != 24*time.Hour+6*time.Minute || len(one.tasks) != 3 || len(two.tasks) != 6 || two.most != 2 {
			t.Errorf("%v at %v: %d and %d evaluations, at most %d at a time", end.Err, end.At, len(one.tasks), len(two.tasks), two.most)
		}
		for _, g := range []*sitter{one, two} {
			if len(g.ended) != 1 || !errors.Is(g.ended[0], ErrEnded) {
				t.Errorf("a guest heard %v of the end", g.ended)
			}
		}
		if _, err := s.Join(1, one); !errors.Is(err, ErrEnded) {
			t.Errorf("a seat after the end: %v", err)
		}
		if r, err := s.Hear(outcome.Answer{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(end.Result.Evaluations[0].Value)}); err != nil || r.Fate != loop.FateRepeated {
			t.Errorf("an answer that is known, after the end: %v, %v", r.Fate, err)
		}
		if e, there := s.Evaluation(9); !there || e.Status != loop.Observed {
			t.Errorf("evaluation 9 is %v", e.Status)
		}
	})
}

func TestAGuestThatLosesSlotsFinishesWhatItHas(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, outside(t, 8))
		g, seat := s.seat(4, time.Minute)
		time.Sleep(30 * time.Second)
		seat.Resize(1)
		seat.Resize(-1) // counted and dropped
		time.Sleep(31 * time.Second)
		if begun, run := g.counts(); begun != 5 || run != 1 {
			t.Errorf("with one slot %d evaluations began, %d run", begun, run)
		}
		seat.Resize(0)
		time.Sleep(time.Hour)
		if begun, run := g.counts(); begun != 5 || run != 0 {
			t.Errorf("without slots %d evaluations began, %d run", begun, run)
		}
		seat.Resize(3)
		end := s.Wait()
		if end.Err != nil || len(end.Result.Evaluations) != 8 || g.most != 4 || end.Result.Counters.Vanished != 0 || end.Result.Counters.Dropped != 1 {
			t.Errorf("%v, %d evaluations, %+v", end.Err, len(end.Result.Evaluations), end.Result.Counters)
		}
		if _, _, err := journal.Replay(s.store); err != nil {
			t.Error(err)
		}
	})
}

// A guest that leaves may answer all the same: the answer counts, once, and what began again elsewhere is cancelled.
func TestWhatAGuestThatLeftBringsIsLateAndCounts(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, outside(t, 1))
		gone, seat := s.seat(1, 0)
		seat.Leave("its network is down")
		seat.Leave("as I said")
		other, _ := s.seat(1, time.Hour)
		answer := outcome.Answer{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(3)}
		r, err := s.Hear(answer)
		if err != nil || r.Fate != loop.FateTaken || !r.Overdue {
			t.Errorf("its answer: %+v, %v", r, err)
		}
		end := s.Wait()
		if end.Result.Best.Value != 3 || len(gone.ended) != 0 || !slices.Equal(other.cancelled, []Cancel{{1, 2}}) {
			t.Errorf("best %v, the guest that left heard %v, the other was told to stop %v", end.Result.Best, gone.ended, other.cancelled)
		}
		if e := end.Result.Evaluations[0]; e.Reason != "its network is down" {
			t.Errorf("evaluation 1: %q", e.Reason)
		}
		if _, err := s.Hear(outcome.Answer{Evaluation: 1, Attempt: 2, Outcome: outcome.Of(4)}); err == nil {
			t.Error("another value was taken after the end")
		}
	})
}

func TestWhatIsHeardIsCheckedLikeAnAnswerOfAWorker(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := outside(t, 3)
		c.Study.Exclusive, c.Study.Timeout, c.Study.Initial = true, time.Minute, 3
		s := begin(t, c)
		g, _ := s.seat(1, 0)
		if _, err := s.Hear(outcome.Answer{Evaluation: 7, Attempt: 1, Outcome: outcome.Of(1)}); !errors.Is(err, ErrUnknownEvaluation) {
			t.Errorf("an evaluation that does not exist: %v", err)
		}
		if r, err := s.Hear(outcome.Answer{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(2)}); err != nil || r.Status != loop.Observed {
			t.Errorf("a value: %+v, %v", r, err)
		}
		synctest.Wait()
		if len(g.cancelled) != 0 {
			t.Errorf("it was told to stop what it had answered: %v", g.cancelled)
		}
		if _, err := s.Hear(outcome.Answer{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(5)}); !errors.Is(err, ErrContradiction) {
			t.Errorf("another value: %v", err)
		}
		time.Sleep(2 * time.Minute) // 2 takes too long, and keeps its slot
		if begun, _ := g.counts(); begun != 2 {
			t.Errorf("%d attempts began", begun)
		}
		for range 2 { // once it is said, and once repeated
			if _, err := s.Hear(outcome.Answer{Evaluation: 2, Attempt: 1, Returned: true}); err != nil {
				t.Errorf("it has returned: %v", err)
			}
		}
		if begun, _ := g.counts(); begun != 3 {
			t.Errorf("%d attempts began", begun)
		}
		s.Stop("enough")
		if end := s.Wait(); end.Err != nil {
			t.Error(end.Err)
		}
	})
}

func TestSeatsHaveSlotsWithinLimits(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, outside(t, 1))
		for _, slots := range []int{0, -1, loop.MaxSlots + 1} {
			if _, err := s.Join(slots, &sitter{}); err == nil || !strings.Contains(err.Error(), "1 ≤ slots ≤ 100000") {
				t.Errorf("%d slots: %v", slots, err)
			}
		}
		all := make([]*sitter, loop.MaxWorkers+1)
		for i := range all {
			all[i], _ = s.seat(1, 0)
		}
		if last := all[loop.MaxWorkers]; len(last.ended) != 1 || !strings.Contains(last.ended[0].Error(), "as many workers as it can have") {
			t.Errorf("one guest too many heard %v", last.ended)
		}
		s.Stop("enough")
		s.Wait()
	})
}

// reckless is a guest that panics.
type reckless struct{ sitter }

func (*reckless) Evaluate(workers.Task) { panic("no") }

func TestAGuestThatPanicsIsGone(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, outside(t, 2))
		if _, err := s.Join(1, &reckless{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.seat(1, time.Minute)
		if end := s.Wait(); end.Err != nil || end.Result.Counters.Vanished != 1 {
			t.Errorf("%v, %+v", end.Err, end.Result.Counters)
		}
	})
}
