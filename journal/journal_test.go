package journal

import (
	"errors"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

func config(t *testing.T, policy string) loop.Config {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := policies.Parse(policy)
	if err != nil {
		t.Fatal(err)
	}
	return loop.Config{Space: s, Traits: p.Traits(), Seed: 5, Budget: 12, Initial: 4}
}

// record plays a study in which every second answer is held back, and returns its journal.
func record(t *testing.T, policy string) *Memory {
	t.Helper()
	l, err := loop.New(config(t, policy))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := policies.Parse(policy)
	store := NewMemory(NewHeader(l.Config()))
	queue := []loop.Event{loop.WorkerJoined{Worker: 1, Slots: 3}}
	var held []loop.Event
	for seq := uint64(1); len(queue) > 0; seq++ {
		e := loop.Stamped{Seq: seq, Event: queue[0]}
		queue = queue[1:]
		if err := store.Append(Record{Event: e}); err != nil {
			t.Fatal(err)
		}
		reaction, err := l.Step(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Mark(l.Digest()); err != nil {
			t.Fatal(err)
		}
		for _, effect := range reaction.Effects {
			switch effect := effect.(type) {
			case loop.Ask:
				queue = append(queue, l.Task().Run(p))
			case loop.Fit:
				queue = append(queue, effect.Run())
			case loop.Dispatch:
				answer := loop.FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: outcome.Of(effect.X[0] - effect.X[1])}
				if effect.Evaluation%2 == 0 {
					held = append(held, answer)
				} else {
					queue = append(queue, answer)
				}
			}
		}
		if len(queue) == 0 && len(held) > 0 {
			queue, held = []loop.Event{held[0]}, held[1:]
		}
	}
	if !l.Finished() {
		t.Fatal("the study did not end")
	}
	return store
}

// A study that is cut off after any record goes on where it was: the replay has the recorded digest, and its open
// effects, performed again, lead to the same next record.
func TestReplayAfterEveryRecord(t *testing.T) {
	for _, policy := range []string{"random", "gp-bucb", "ucb-sdf"} {
		all := record(t, policy).All()
		p, _ := policies.Parse(policy)
		for cut := range all {
			part := NewMemory(NewHeader(config(t, policy)))
			for _, r := range all[:cut] {
				if err := part.Append(r); err != nil {
					t.Fatal(err)
				}
			}
			l, open, err := Replay(part)
			if err != nil {
				t.Fatalf("%s: after %d records: %v", policy, cut, err)
			}
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
			var answers []loop.Event
			for _, effect := range open {
				switch effect := effect.(type) {
				case loop.Ask:
					answers = append(answers, l.Task().Run(p))
				case loop.Fit:
					answers = append(answers, effect.Run())
				case loop.Dispatch:
					answers = append(answers, loop.FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: outcome.Of(effect.X[0] - effect.X[1])})
				}
			}
			if cut > 0 && !contains(answers, all[cut].Event.Event) {
				t.Fatalf("%s: after %d records the next event is %+v, the open effects lead to %+v", policy, cut, all[cut].Event.Event, answers)
			}
		}
	}
}

func contains(events []loop.Event, want loop.Event) bool {
	for _, e := range events {
		if same(e, want) {
			return true
		}
	}
	return false
}

func same(a, b loop.Event) bool {
	x, ok1 := a.(loop.Proposed)
	y, ok2 := b.(loop.Proposed)
	if ok1 && ok2 {
		if x.Ask != y.Ask || len(x.Proposals) != len(y.Proposals) {
			return false
		}
		for i := range x.Proposals {
			for j := range x.Proposals[i].X {
				if x.Proposals[i].X[j] != y.Proposals[i].X[j] {
					return false
				}
			}
		}
		return true
	}
	f, ok1 := a.(loop.Fitted)
	g, ok2 := b.(loop.Fitted)
	if ok1 && ok2 {
		for i := range f.Hyper {
			if f.Hyper[i] != g.Hyper[i] {
				return false
			}
		}
		return f.Fit == g.Fit && f.Noise == g.Noise
	}
	return reflect.DeepEqual(a, b)
}

func TestDivergenceIsNamed(t *testing.T) {
	all := record(t, "random").All()
	for want, program := range map[string]Program{
		`architecture "vax"`: {Tarry: "v0.0.1", Go: "go1.2", Arch: "vax"},
		"another build of the same version wrote it, or the file was changed": ThisProgram(),
	} {
		changed := NewMemory(Header{Format: Format, Config: config(t, "random"), Program: program})
		for i, r := range all {
			if f, ok := r.Event.Event.(loop.FeedbackArrived); ok && i > 5 {
				f.Value++
				r.Event.Event = f
			}
			if err := changed.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := Replay(changed); !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// broken is a source that fails in a chosen way.
type broken struct {
	Memory
	headerErr, recordErr error
}

func (b *broken) Header() (Header, error) { return b.header, b.headerErr }
func (b *broken) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) { yield(Record{}, b.recordErr) }
}

func TestCorruptJournals(t *testing.T) {
	good := NewHeader(config(t, "random"))
	bad := errors.New("torn")
	wrongFormat, wrongConfig := good, good
	wrongFormat.Format = 99
	wrongConfig.Config.Budget = -1
	for name, s := range map[string]Source{
		"header":   &broken{headerErr: bad},
		"format":   &broken{Memory: Memory{header: wrongFormat}},
		"config":   &broken{Memory: Memory{header: wrongConfig}},
		"record":   &broken{Memory: Memory{header: good}, recordErr: bad},
		"sequence": &broken{Memory: Memory{header: good}}, // record 0 is none
	} {
		if _, _, err := Replay(s); !errors.Is(err, ErrCorruptJournal) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if err := NewMemory(good).Append(Record{Event: loop.Stamped{Seq: 2}}); err == nil {
		t.Error("a gap in the sequence was accepted")
	}
	if d := ThisProgram().Differences(ThisProgram()); len(d) != 0 {
		t.Errorf("a program differs from itself: %v", d)
	}
}

func TestRecordsStopWhenTold(t *testing.T) {
	n := 0
	for range record(t, "random").Records() {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Error("did not stop")
	}
	if new(Memory).Mark(1) == nil {
		t.Error("there was nothing to mark")
	}
	if err := record(t, "random").Begin(Header{}); err == nil || !strings.Contains(err.Error(), "go on with it by tarry.Resume or StartOrResume") {
		t.Error("a journal began twice")
	}
}

// shelf is a journal in memory with a snapshot.
type shelf struct {
	*Memory
	seq   uint64
	state []byte
}

func (s *shelf) KeepSnapshot(seq uint64, state []byte) error {
	s.seq, s.state = seq, state
	return nil
}

func (s *shelf) Snapshot() (uint64, []byte, error) { return s.seq, s.state, nil }

func (s *shelf) RecordsAfter(seq uint64) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, r := range s.All()[seq:] {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// A snapshot that is sound, but that of another study, is found by where it differs.
func TestASnapshotOfOtherEventsIsNamedByWhereItDiffers(t *testing.T) {
	store := record(t, "random")
	all := store.All()
	for name, c := range map[string]struct {
		change func(loop.Event) loop.Event
		want   string
	}{
		"the same": {func(e loop.Event) loop.Event { return e }, ""},
		"another value": {func(e loop.Event) loop.Event {
			if f, ok := e.(loop.FeedbackArrived); ok && f.Evaluation == 1 {
				f.Value = 100
				return f
			}
			return e
		}, "ledger.evaluations[0].Outcome.Value: 100, "},
	} {
		l, err := loop.New(config(t, "random"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			if _, err := l.Step(loop.Stamped{Seq: r.Event.Seq, At: r.Event.At, Event: c.change(r.Event.Event)}); err != nil {
				t.Fatal(err)
			}
		}
		state, err := l.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		_, err = Verify(&shelf{store, uint64(len(all)), state})
		if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
