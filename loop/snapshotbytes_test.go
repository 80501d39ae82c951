package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// someSagas are studies in the middle, with their snapshots.
func someSagas(t *testing.T) (studies []*saga, states [][]byte) {
	t.Helper()
	for i, where := range places {
		stream := rng.New(uint64(i+1), rng.Test, 2)
		s := newSaga(t, sagaConfig(t, where, imputations[i%3], stream), stream)
		for range 60 + 40*i {
			s.turn()
		}
		state, err := s.loop.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		studies, states = append(studies, s), append(states, state)
	}
	return studies, states
}

func TestBytesThatWereCutOffOrChangedAreErrors(t *testing.T) {
	studies, states := someSagas(t)
	for i, s := range studies {
		state := states[i]
		refused := func(what string, at int, bytes []byte) {
			t.Helper()
			if l, err := Restore(s.config, bytes); !errors.Is(err, ErrBadSnapshot) || l != nil {
				t.Fatalf("study %d, %s %d: %v", i, what, at, err)
			}
		}
		for n := 0; n < len(state); n += 1 + n/20 {
			refused("cut at", n, state[:n])
		}
		for at := 0; at < len(state); at += 1 + at/20 {
			changed := slices.Clone(state)
			changed[at] ^= 1 << (at % 8)
			refused("changed at", at, changed)
		}
		refused("with one byte more than", len(state), append(slices.Clone(state), 0))
	}
}

// What passes the checksum is still looked at: a state that was made up is refused, or it is one that can be played on.
func TestMadeUpStatesNeverPanic(t *testing.T) {
	studies, states := someSagas(t)
	tries := 1500
	if raced {
		tries = 80
	}
	for i, s := range studies {
		t.Run(fmt.Sprintf("study %d", i), func(t *testing.T) {
			t.Parallel()
			stream := rng.New(uint64(i), rng.Test, 3)
			accepted := 0
			for range tries {
				state := slices.Clone(body(states[i]))
				for range 1 + stream.IntN(3) {
					at := stream.IntN(len(state))
					switch stream.IntN(4) {
					case 0:
						state = slices.Delete(state, at, at+1)
					case 1:
						state = slices.Insert(state, at, byte(stream.Uint32()))
					default:
						state[at] = byte(stream.Uint32())
					}
				}
				accepted += bit(playsOn(t, s.config, state))
			}
			if accepted == 0 {
				t.Error("not one was accepted: nothing was played on")
			}
		})
	}
}

// FuzzRestore gives a loop any bytes as its state. It refuses them, or goes on without a panic.
func FuzzRestore(f *testing.F) {
	studies, states := someSagas(new(testing.T)) // sagas want one, and panic with it where they fail
	for i, state := range states {
		f.Add(byte(i), body(state))
	}
	f.Fuzz(func(t *testing.T, which byte, state []byte) {
		playsOn(t, studies[int(which)%len(studies)].config, state)
	})
}

// body is the state in a snapshot, without version, checksum and fingerprints.
func body(snapshot []byte) []byte {
	_, n := binary.Uvarint(snapshot)
	return snapshot[n+sealSize+fingerprintsSize:]
}

// playsOn reports whether a state is accepted. If so everything happens to it.
func playsOn(t *testing.T, c Config, state []byte) bool {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if l.restore(state) != nil {
		return false
	}
	if _, err := l.Snapshot(); err != nil {
		t.Fatalf("accepted, but there is no snapshot of it: %v", err)
	}
	n := len(l.Evaluations())
	events := []Event{
		WorkerJoined{1, 2}, ProposeFailed{l.plan.ask.ID, ""}, LeaseRenewed{n, 1}, Woke{}, FitFailed{l.model.Fits(), ""}, Resumed{},
		WorkerJoined{2, 3},
	}
	if z := len(c.Space.Contexts()); z > 0 {
		events = append(events, ContextArrived{make([]float64, z)}, ContextArrived{slices.Repeat([]float64{1}, z)})
	}
	for number := max(n-8, 1); number <= n; number++ {
		events = append(events, AnswerFollows{number, 1, true}, FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(float64(number))})
	}
	events = append(events, ObservationArrived{X: c.Space.Value(make([]float64, c.Space.Dim())), Value: 1}, ProposeFailed{l.plan.asked + 1, ""}, WorkerLeft{1, ""})
	events = append(events, Proposed{Ask: l.plan.asked + 1}, StopRequested{""}, CancelRequested{n, ""})
	for i, e := range events {
		stamped := Stamped{Seq: l.seq + 1, At: l.now + time.Duration(i)*20*time.Millisecond, Event: e}
		if _, err := l.Step(stamped); err != nil {
			t.Fatal(err)
		}
	}
	l.Outstanding()
	l.Result()
	return true
}

func TestSnapshotsOfAnotherVersionAreRefused(t *testing.T) {
	studies, states := someSagas(t)
	state := slices.Clone(states[0])
	state[0]++
	_, err := Restore(studies[0].config, state)
	if want := "bad snapshot: version 28, this program reads 27"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Whoever changes which fields a snapshot has, or of what kind they are, counts the version up: what an older program wrote is refused then, and not
// read as something else. Whoever changes which of them a digest has makes every study that is under way one that cannot be resumed.
func TestTheVersionOfSnapshotsCountsTheListsOfFields(t *testing.T) {
	const version, written, digested = 27, "dab6152 717", "5c3c582d"
	l := fullLoop(t)
	all, some, marks := fnv.New32a(), fnv.New32a(), marksOf(l)
	for _, f := range fieldsOf("", "", reflect.ValueOf(l).Elem(), marks) {
		mark, marked := marks[f.path]
		if !marked || mark.Of == state.Unhashed {
			fmt.Fprintln(all, f.path, f.value.Kind())
		}
		if !marked {
			fmt.Fprintln(some, f.path, f.value.Kind())
		}
	}
	if got := fmt.Sprintf("%x %d", all.Sum32(), len(state.Bytes(nil, l.visit))); snapshotVersion != version || got != written {
		t.Errorf("version %d is of the fields %s, want %d and %s: after a change of the fields both are others", snapshotVersion, got, version, written)
	}
	if got := fmt.Sprintf("%x", some.Sum32()); got != digested {
		t.Errorf("a digest is of the fields %s, want %s: no study that was begun before goes on", got, digested)
	}
}

// A state that is consistent but not the one that was put away is refused.
func TestAStateWithAnotherDigestIsRefused(t *testing.T) {
	studies, states := someSagas(t)
	s, state := studies[0], slices.Clone(states[0])
	inside := state[1+sealSize:]
	inside[8]++ // of the digest
	binary.LittleEndian.PutUint64(state[1:], crc64.Checksum(inside, snapshotTable))
	if _, err := Restore(s.config, state); !errors.Is(err, ErrBadSnapshot) {
		t.Errorf("%v", err)
	}
}

// Every choice of a configuration tells its studies apart; only the configuration that a study was made with restores it.
func TestASnapshotBelongsToItsConfiguration(t *testing.T) {
	base := func() Config {
		s, err := space.List([]space.Point{{0}, {1}, {2}}, space.Float("x", 0, 2))
		if err != nil {
			t.Fatal(err)
		}
		return Config{Space: s, Budget: 50, Model: Model{Hyper: []float64{1, 1}, Noise: 1}, Window: feedback.Window{Rounds: 5, Strict: true}}
	}
	list := func(x float64, p space.Parameter) space.Space {
		s, err := space.List([]space.Point{{0}, {1}, {x}}, p)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	l, err := New(base())
	if err != nil {
		t.Fatal(err)
	}
	state, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Config){
		"point": func(c *Config) { c.Space = list(1.5, space.Float("x", 0, 2)) }, "name": func(c *Config) { c.Space = list(2, space.Float("y", 0, 2)) },
		"seed": func(c *Config) { c.Seed++ }, "exclusive": func(c *Config) { c.Exclusive = true }, "learned": func(c *Config) { c.Model = Model{} },
	} {
		c := base()
		change(&c)
		if _, err := Restore(c, state); !errors.Is(err, ErrBadSnapshot) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	for _, budget := range []int{40, 50, 60} { // which the snapshot has
		c := base()
		c.Budget = budget
		if l, err := Restore(c, state); err != nil || l.Config().Budget != 50 {
			t.Errorf("budget %d: %v, %d", budget, err, l.Config().Budget)
		}
	}
	if _, err := Restore(Config{}, state); !errors.Is(err, check.ErrInvalidOption) || errors.Is(err, ErrBadSnapshot) {
		t.Errorf("no configuration at all: %v", err)
	}
}

func TestABrokenLoopHasNoSnapshot(t *testing.T) {
	l, err := New(valid(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Step(Stamped{Seq: 2, Event: Woke{}}); err == nil {
		t.Fatal("event 2 was the first")
	}
	if _, err := l.Snapshot(); !errors.Is(err, ErrBrokenContract) {
		t.Errorf("%v", err)
	}
}

// The hyperparameters of every kernel come back to the bit, also where their logarithms do not.
func TestHyperparametersOfEveryKernelComeBack(t *testing.T) {
	for _, name := range surrogate.KernelNames() {
		c := valid(t)
		c.Traits, c.Model.Kernel, c.FitBeside = policies.Traits{Model: true}, name, true
		c.Budget, c.Initial = 20, 3
		d := drive(t, c)
		d.step(0, WorkerJoined{1, 3})
		for k := 1; k <= 3; k++ {
			d.step(0, FeedbackArrived{Evaluation: k, Attempt: 1, Outcome: outcome.Of(float64(k))})
		}
		d.step(0, Proposed{Ask: 1, Proposals: []policies.Proposal{{X: []float64{0.5, 0.5}}}})
		hyper := hyperOf(lookAt(d.l).prior.Kernel)
		for i := range hyper {
			hyper[i] = math.Pi / float64(i+3)
		}
		d.step(0, Fitted{Fit: 1, Hyper: hyper, Noise: 0.1})
		if d.l.Counters().Fits != 1 {
			t.Fatalf("%s: the fit was not adopted", name)
		}
		before := lookAt(cut(t, c, d.l)).prior.Kernel.Params()
		d.step(0, Proposed{Ask: 2, Proposals: []policies.Proposal{{X: []float64{0.2, 0.5}}}})
		if after := lookAt(cut(t, c, d.l)).prior.Kernel.Params(); slices.Equal(before, after) {
			t.Errorf("%s: the next ask does not see the fit", name)
		}
	}
}
