package loop

import (
	"bytes"
	"slices"
	"sync"
	"testing"

	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
)

// cut puts a loop away and restores it.
func cut(t *testing.T, c Config, l *Loop) *Loop {
	t.Helper()
	state, err := l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Restore(c, state)
	if err != nil {
		t.Fatal(err)
	}
	if what := apart(l, restored); what != "" {
		t.Fatalf("restored after event %d: %s", l.seq, what)
	}
	again, err := restored.Snapshot()
	if err != nil || !bytes.Equal(state, again) {
		t.Fatalf("after event %d: the snapshot of what was restored is another one, %v", l.seq, err)
	}
	return restored
}

// sameMind compares what two loops say of their study: results, and views with the bits of the posterior.
func sameMind(t *testing.T, l, restored *Loop) {
	t.Helper()
	if what := differs(l.Outstanding(), restored.Outstanding()); what != "" {
		t.Fatalf("event %d: outstanding: %s", l.seq, what)
	}
	if what := differs(l.Result(), restored.Result()); what != "" {
		t.Fatalf("event %d: result: %s", l.seq, what)
	}
	a, b := l.View(), restored.View()
	if a.Posterior != nil && b.Posterior != nil {
		if what := alike.Posteriors(l.config.Space, a.Posterior, b.Posterior); what != "" {
			t.Fatalf("event %d: posterior: %s", l.seq, what)
		}
		a.Posterior, b.Posterior = nil, nil
		for i := range a.Constraints {
			if what := alike.Posteriors(l.config.Space, a.Constraints[i].Posterior, b.Constraints[i].Posterior); what != "" {
				t.Fatalf("event %d: constraint %d: %s", l.seq, i, what)
			}
			a.Constraints[i].Posterior, b.Constraints[i].Posterior = nil, nil
		}
	}
	if what := differs(a, b); what != "" {
		t.Fatalf("event %d: view: %s", l.seq, what)
	}
	if l.Held() != restored.Held() {
		t.Fatalf("event %d: held by %v, %v", l.seq, l.Held(), restored.Held())
	}
}

// A study that is put away and restored anywhere goes on as if it had not been: the same effects and digests at every step,
// the same results, and the same bits of the posterior.
func TestARestoredStudyIsTheOneThatWasNeverCut(t *testing.T) {
	kept, rarely, some := 2, 10, 2 // those besides the latest one, and how many events pass from one cut to the next
	if raced {
		kept, rarely, some = 0, 20, 1
	}
	var guard sync.Mutex
	seen := map[string]bool{}
	t.Run("sagas", func(t *testing.T) {
		sagas(t, 3, some, func(t *testing.T, s *saga) { // with fewer imputations some fields are never filled
			stream := rng.New(uint64(len(s.events)), rng.Test, 1)
			var restored []*Loop
			whole := replay(t, s.config, nil, nil)
			for _, e := range s.events {
				if stream.IntN(rarely) == 0 || whole.Finished() && stream.IntN(3) == 0 {
					restored = append(restored[max(len(restored)-kept, 0):], cut(t, s.config, whole))
					guard.Lock()
					fill(seen, whole)
					guard.Unlock()
				}
				if n := len(restored); n > 0 && stream.IntN(60) == 0 { // again and again
					i := stream.IntN(n)
					restored[i] = cut(t, s.config, restored[i])
				}
				together(t, whole, restored, e)
				if whole.plan.ask.ID != 0 && stream.IntN(2) == 0 {
					whole.View() // somebody thinks about the ask
				}
				for _, l := range restored {
					if stream.IntN(30) == 0 {
						sameMind(t, whole, l)
					}
				}
			}
			for _, l := range restored {
				sameMind(t, whole, l)
			}
		})
	})
	if empty := unfilled(t, seen); len(empty) > 0 && !raced { // few studies need not fill everything
		t.Errorf("nothing was ever in %v when a study was cut", empty)
	}
}

// together feeds an event to a loop and to those that were restored.
func together(t *testing.T, whole *Loop, restored []*Loop, e Stamped) {
	t.Helper()
	reaction, err := whole.Step(e)
	if err != nil {
		t.Fatal(err)
	}
	digest := whole.Digest()
	for _, l := range restored {
		got, err := l.Step(e)
		if err != nil {
			t.Fatal(err)
		}
		if what := differs(reaction, got); what != "" {
			t.Fatalf("event %d, %+v: reaction: %s", e.Seq, e.Event, what)
		}
		if l.Digest() != digest {
			t.Fatalf("event %d, %+v: another digest; %s", e.Seq, e.Event, whole.Difference(l))
		}
	}
}

// A task and a snapshot share only what neither changes: the race detector has nothing to say.
func TestASnapshotMayBeTakenWhileATaskIsUnderWay(t *testing.T) {
	s := newStory(t, storyConfig(t, "box", imputations[2]), 3, 6).until(20)
	task, done := s.loop.Task(), make(chan policies.View)
	go func() {
		view, _ := task.View()
		done <- view
	}()
	restored := cut(t, s.config, s.loop)
	if what := alike.Posteriors(s.config.Space, (<-done).Posterior, restored.View().Posterior); what != "" {
		t.Errorf("another posterior: %s", what)
	}
}

// What policies propose for hostile values is the same where the study is cut at every seventh turn.
func TestHostileStudiesSurviveCuts(t *testing.T) {
	names, each := policies.General(), 3 // each kind of values with every third policy
	if raced {
		each = 22
	}
	for i, kind := range hostile.Kinds() {
		if raced && i%4 > 0 {
			continue
		}
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			for j := i % each; j < len(names); j += each {
				data := fuzzSeed(kind, i, j)
				if whole, cuts := fuzzDigests(t, data, 0), fuzzDigests(t, data, 7); !slices.Equal(whole, cuts) {
					t.Fatalf("%s: other digests", names[j])
				}
			}
		})
	}
}

// fuzzDigests plays the study that bytes decide, cuts it every so many turns, and returns its digests.
func fuzzDigests(t *testing.T, data []byte, every int) (digests []uint64) {
	t.Helper()
	s := fuzzStudy{t: t, tape: tape{data}}
	s.start()
	for ops := 1; len(s.data) > 0 && ops < fuzzOps; ops++ {
		s.act()
		if every > 0 && ops%every == 0 {
			s.loop = cut(t, s.config, s.loop)
		}
		digests = append(digests, s.loop.Digest())
	}
	s.end()
	return append(digests, s.loop.Digest())
}

// Where the pool follows the context, a study restored after any event proposes what it would have proposed, to the bit.
func TestAPoolThatWasFilledBeforeTheCutIsFilledThereAgain(t *testing.T) {
	for _, c := range recorded {
		if c.where != "actions" && c.where != "drawn" || raced && c.policy == "gp-ucb" {
			continue
		}
		t.Run(c.policy+"/"+c.where, func(t *testing.T) {
			t.Parallel()
			r := record(t, c.policy, c.where, c.asks)
			grown := 0
			replay(t, r.config, r.events, func(l *Loop, next Stamped) {
				want, ok := next.Event.(Proposed)
				if raced && !ok && next.Seq%5 > 0 {
					return
				}
				restored := cut(t, r.config, l)
				if !ok {
					return
				}
				rows := lookAt(restored)
				grown += bit(rows.Filled > 0 && rows.Filled < len(rows.Edits))
				if got := restored.Task().Run(r.policy); differs(got, next.Event) != "" {
					t.Fatalf("ask %d: %+v, restored %+v", want.Ask, want, got)
				}
			})
			if grown < 3 {
				t.Errorf("%d pools had grown", grown)
			}
		})
	}
}
