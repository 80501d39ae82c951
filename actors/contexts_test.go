package actors

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// weekly is plot with the day of the week as a context.
func weekly(t *testing.T, budget int) Config {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1), space.Int("day", 1, 7).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	c := plot(t, budget)
	c.Study.Space = s
	return c
}

// A query waits for its context, and is made at it.
func TestEachContextGetsAQuery(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := weekly(t, 4)
		s := begin(t, c)
		day := make([]float64, 1) // used again and again: what was offered is kept
		for k := range 4 {
			time.Sleep(time.Hour)
			if got := len(s.Snapshot().Result.Evaluations); got != k {
				t.Errorf("%d queries before context %d", got, k+1)
			}
			day[0] = float64(7 - k)
			if err := s.Offer(day); err != nil {
				t.Error(err)
			}
			synctest.Wait()
		}
		end := s.ends()
		if end.Err != nil || end.At != 4*time.Hour {
			t.Errorf("the study ended with %v at %v", end.Err, end.At)
		}
		for i, e := range end.Result.Evaluations {
			if got := c.Study.Space.Value(e.X)[2]; got != float64(7-i) {
				t.Errorf("query %d is made for day %v, want %d", i+1, got, 7-i)
			}
		}
	})
}

func TestAContextOutsideTheSpaceIsRefused(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, weekly(t, 2))
		for _, context := range [][]float64{{0}, {8}, {1.5}, {}, nil, {1, 2}} {
			if err := s.Offer(context); !errors.Is(err, space.ErrOutsideSpace) {
				t.Errorf("%v: %v", context, err)
			}
		}
		s.Stop("enough")
		if end := s.ends(); len(end.Result.Evaluations) != 0 || end.Result.Counters != (loop.Counters{}) {
			t.Errorf("%d evaluations, counters %+v", len(end.Result.Evaluations), end.Result.Counters)
		}
		if err := s.Offer([]float64{1}); !errors.Is(err, ErrEnded) {
			t.Errorf("a context after the end: %v", err)
		}
	})
}

func TestNoMoreThanSoManyContextsWait(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := weekly(t, 2)
		c.Objective = lasting(time.Hour)
		s := begin(t, c)
		for k := range loop.MaxContexts + 1 { // the first is taken from the queue at once
			if err := s.Offer([]float64{float64(1 + k%7)}); err != nil {
				t.Fatalf("context %d: %v", k+1, err)
			}
			synctest.Wait()
		}
		if err := s.Offer([]float64{1}); err == nil || !strings.Contains(err.Error(), "1024 contexts wait") {
			t.Errorf("one more: %v", err)
		}
		end := s.ends()
		if end.Err != nil || end.Result.Counters.Dropped != 1 || !s.warned("context arrived") {
			t.Errorf("counters %+v, %v", end.Result.Counters, end.Err)
		}
		if got := s.of(loop.FateRefused); len(got) != 1 || got[0].Seq != uint64(loop.MaxContexts)+3 {
			t.Errorf("%d notices of a refusal", len(got))
		}
	})
}

// The journal has what was offered, though the caller used the slice for something else.
func TestAContextThatWasTakenStaysAsItWas(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		s := begin(t, weekly(t, 3))
		day := []float64{1}
		for day[0] = 1; day[0] <= 3; day[0]++ {
			if err := s.Offer(day); err != nil {
				t.Error(err)
			}
		}
		s.ends()
		var offered []float64
		for _, r := range s.store.All() {
			if e, ok := r.Event.Event.(loop.ContextArrived); ok {
				offered = append(offered, e.Context...)
			}
		}
		if !slices.Equal(offered, []float64{1, 2, 3}) {
			t.Errorf("the journal has contexts %v", offered)
		}
		if _, _, err := journal.Replay(s.store); err != nil {
			t.Error(err)
		}
	})
}
