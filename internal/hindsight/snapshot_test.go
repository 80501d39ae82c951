package hindsight_test

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// snapped is a journal that kept the state after one of its events, and counts what is read of it.
type snapped struct {
	*journal.Memory
	seq   uint64
	state []byte
	read  int
}

func (s *snapped) KeepSnapshot(uint64, []byte) error         { return nil }
func (s *snapped) Snapshot() (uint64, []byte, error)         { return s.seq, s.state, nil }
func (s *snapped) Records() iter.Seq2[journal.Record, error] { return s.RecordsAfter(0) }

func (s *snapped) RecordsAfter(seq uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		for r, err := range s.Memory.Records() {
			if r.Event.Seq <= seq {
				continue
			}
			if s.read++; !yield(r, err) {
				return
			}
		}
	}
}

// Wherever the latest snapshot was kept, also while an ask was open, an explanation is the same, and less is read where the
// snapshot is earlier.
func TestSnapshotsExplainTheSame(t *testing.T) {
	store := played(t, twoParameters(t), tarry.Options{Budget: 12, Initial: 4}, "gp-bucb", 2, bowl)
	explained := func(s journal.Source, number int) string {
		e := must.Get(hindsight.Explain(s, number))(t)
		return string(must.Get(json.Marshal(e))(t))
	}
	want := map[int]string{}
	for _, number := range []int{3, 6, 12} {
		want[number] = explained(store, number)
	}
	h := must.Get(store.Header())(t)
	l := must.Get(loop.New(h.Config))(t)
	open, spared := 0, 0
	for _, r := range store.All() {
		must.Get(l.Step(r.Event))(t)
		for _, e := range l.Outstanding() {
			if _, is := e.(loop.Ask); is {
				open++
			}
		}
		marked := journal.NewMemory(h)
		for _, other := range store.All() {
			if other.Event.Seq == r.Event.Seq {
				other.Digest = l.Digest()
			}
			if err := marked.Append(other); err != nil {
				t.Fatal(err)
			}
		}
		s := &snapped{Memory: marked, seq: r.Event.Seq, state: must.Get(l.Snapshot())(t)}
		for number, words := range want {
			s.read = 0
			if got := explained(s, number); got != words {
				t.Errorf("a snapshot after event %d: #%d is explained as %s, want %s", s.seq, number, got, words)
			}
			if len(l.Evaluations()) < number && s.read < 2*len(store.All())-2*int(s.seq)+2 {
				spared++
			}
		}
	}
	if open == 0 || spared < 20 {
		t.Errorf("%d snapshots with an open ask, %d that spared events", open, spared)
	}
}
