package loop

import (
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/policies"
)

// record plays a study until so many asks were answered by a policy. Fits run beside it and take several events.
func record(t *testing.T, spec, where string, asks int) *story {
	t.Helper()
	policy, err := policies.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	c := storyConfig(t, where, policy.Traits().Pending)
	c.Traits = policy.Traits()
	s := newStory(t, c, 77, 5)
	s.policy = policy
	return s.until(asks)
}

// overlapped counts the asks that were answered while a fit was under way.
func (s *story) overlapped() (count int) {
	replay(s.t, s.config, s.events, func(l *Loop, next Stamped) {
		if _, answers := next.Event.(Proposed); answers && l.fitting() {
			count++
		}
	})
	return count
}

var recorded = []struct {
	policy, where string
	asks          int
}{{"gp-bucb", "box", 14}, {"gp-bts", "list", 30}, {"ucb-sdf", "context", 14}, {"log-ei", "list", 30}, {"gp-ucb", "list", 30},
	{"gp-ucb", "actions", 30}, {"ts-sdf", "actions", 30}, {"gp-bts", "drawn", 30}}

// A study whose fits ran beside it is the same in a replay: every digest, every fit, every proposal to the bit.
func TestAReplayProposesTheSameWithFitsUnderWay(t *testing.T) {
	for i, c := range recorded {
		if raced && i%2 == 1 {
			continue
		}
		t.Run(c.policy+"/"+c.where, func(t *testing.T) {
			t.Parallel()
			r := record(t, c.policy, c.where, c.asks)
			if n := r.overlapped(); n < 3 {
				t.Fatalf("%d asks were answered while a fit was under way", n)
			}
			before := len(r.events) - len(r.digests) // before there was a policy
			last := replay(t, r.config, r.events, func(l *Loop, next Stamped) {
				if seen := int(next.Seq) - 1; seen > before && l.Digest() != r.digests[seen-before-1] {
					t.Fatalf("another digest after event %d", seen)
				}
				if want, ok := next.Event.(Proposed); ok {
					if got := l.Task().Run(r.policy); !reflect.DeepEqual(got, Event(want)) {
						t.Fatalf("ask %d: %+v, in the replay %+v", want.Ask, want, got)
					}
				}
			})
			if last.Digest() != r.digests[len(r.digests)-1] {
				t.Fatal("another digest at the end")
			}
			if got, want := last.Task().Run(r.policy), r.loop.Task().Run(r.policy); !reflect.DeepEqual(got, want) {
				t.Fatalf("the next proposal is %+v, in the replay %+v", want, got)
			}
		})
	}
}

// A study that was killed while a fit ran goes on from its events: what was under way is listed, and done again it gives
// what it would have given.
func TestAKilledStudyGoesOnWithItsFitAndItsAsk(t *testing.T) {
	for i, c := range recorded {
		if raced && i%2 == 1 {
			continue
		}
		t.Run(c.policy+"/"+c.where, func(t *testing.T) {
			t.Parallel()
			r := record(t, c.policy, c.where, c.asks)
			fits, asks := 0, 0
			for i := range r.events {
				l := replay(t, r.config, r.events[:i], nil)
				if !l.fitting() || i%3 > 0 && l.plan.ask.ID%3 > 0 {
					continue
				}
				for _, effect := range l.Outstanding() {
					switch e := effect.(type) {
					case Fit:
						if r.cameLater(i, e.Run()) {
							fits++
						}
					case Ask:
						if r.cameLater(i, l.Task().Run(r.policy)) {
							asks++
						}
					}
				}
			}
			if fits < 3 || asks < 5 {
				t.Errorf("%d fits and %d asks were answered again", fits, asks)
			}
		})
	}
}

// cameLater reports whether the answer to the same fit or ask is among the later events, where it must be the same.
func (s *story) cameLater(from int, got Event) bool {
	s.t.Helper()
	for _, e := range s.events[from:] {
		answers := false
		switch want := e.Event.(type) {
		case Fitted:
			f, ok := got.(Fitted)
			answers = ok && f.Fit == want.Fit
		case Proposed:
			p, ok := got.(Proposed)
			answers = ok && p.Ask == want.Ask
		}
		if answers && !reflect.DeepEqual(got, e.Event) {
			s.t.Fatalf("after event %d: %+v, want %+v", from, got, e.Event)
		}
		if answers {
			return true
		}
	}
	return false
}
