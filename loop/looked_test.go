package loop

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// everything is what a study says of how things stand.
func everything(l *Loop) string {
	r := l.Result()
	text := fmt.Sprintf("%d", r.Spent)
	if r.Best != nil {
		text += fmt.Sprintf(", best %d, recommended %d", r.Best.Number, r.Recommended.Number)
	}
	if r.Expected != nil {
		text += fmt.Sprintf(", %x", *r.Expected)
	}
	if r.Feasible != nil {
		text += fmt.Sprintf(", %x", *r.Feasible)
	}
	x, p, err := l.Recommend(nil)
	text += fmt.Sprintf("; %x %x %v", x, p, err)
	f, err := l.Feasible(space.Point{0.2, 0.7})
	return text + fmt.Sprintf("; %x %v", f, err)
}

// A study that somebody looks at after every event, twice, takes the same way as one that nobody looks at, and says what one says that was put away and
// taken up again, which has nothing worked out.
func TestWhoLooksAtAStudyChangesNothing(t *testing.T) {
	for name, constraints := range map[string][]outcome.Constraint{"a value": nil, "a constraint": {{Name: "c", Bound: 0.9}}} {
		p, stream := named(t, "auto"), rng.New(3, rng.Test, 1)
		c := Config{Space: smallSpace(t, space.Float("a", 0, 1), space.Float("b", 0, 1)), Budget: 18, Seed: 6, Traits: p.Traits(), FitOnce: true, Constraints: constraints}
		seen, unseen := drive(t, c), drive(t, c)
		both := func(e Event) {
			seen.step(0, e)
			unseen.step(0, e)
			first, again := everything(seen.l), everything(seen.l)
			if first != again {
				t.Errorf("%s: %s is said after event %d, and then %s", name, first, seen.l.seq, again)
			}
			if restored := everything(cut(t, c, unseen.l)); first != restored {
				t.Errorf("%s: %s is said after event %d, and by a study that was taken up again %s", name, first, seen.l.seq, restored)
			}
		}
		both(WorkerJoined{1, 3})
		for count := 0; !seen.l.Finished(); {
			var event Event
			for _, effect := range seen.l.Outstanding() {
				switch effect := effect.(type) {
				case Ask:
					event = seen.l.Task().Run(p)
					if other := unseen.l.Task().Run(p); !reflect.DeepEqual(event, other) {
						t.Errorf("%s: %+v is proposed, and %+v where nobody looks", name, event, other)
					}
				case Fit:
					event = effect.Run()
				case Dispatch:
					x := effect.X
					o := outcome.Of(-(x[0]-0.4)*(x[0]-0.4) - 0.3*(x[1]-0.7)*(x[1]-0.7) + 0.02*stream.NormFloat64())
					if count++; count%6 == 0 {
						o.Value -= 20 // which contradicts the model
					}
					if constraints != nil {
						o.Constraints = []float64{x[0] + x[1]*x[1] - 0.2}
					}
					event = FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: o}
				}
			}
			both(event)
			if what := seen.l.Difference(unseen.l); what != "" || seen.l.Digest() != unseen.l.Digest() {
				t.Fatalf("%s: after event %d: %s", name, seen.l.seq, what)
			}
		}
	}
}

// What was worked out for one who asks is there for the next one, until something happens.
func TestWhatWasWorkedOutIsKeptUntilSomethingHappens(t *testing.T) {
	l := told(t, "auto", 2, 20, false, func(x space.Point) float64 { return -(x[0] - 0.4) * (x[0] - 0.4) * (1 + x[1]) })
	l.looked = looked{}
	if best := l.Best(); best == nil || len(l.looked.outlooks) > 0 {
		t.Error("the best value needs no model")
	}
	first, err := l.believe()
	if err != nil {
		t.Fatal(err)
	}
	r := l.Result()
	if r.Expected.Mean = 7; l.Result().Expected.Mean == 7 {
		t.Error("what a caller was given is what the next one gets")
	}
	if again, _ := l.believe(); again.Belief.Posterior != first.Belief.Posterior {
		t.Error("the model is conditioned once more, and nothing has happened")
	}
	if _, err := l.Step(Stamped{Seq: l.seq + 1, Event: Woke{}}); err != nil {
		t.Fatal(err)
	}
	if again, _ := l.believe(); again.Belief.Posterior == first.Belief.Posterior {
		t.Error("something has happened, and the model is that of before")
	}
}
