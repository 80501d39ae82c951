package loop

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// What a user brings has no value where a parameter is inactive: it is the same point whatever stood there, and it survives a
// snapshot.
func TestWhatIsInactiveIsNoPartOfAPoint(t *testing.T) {
	where, err := space.New(space.Float("beta", 0, 1).When("kind", "adam"), space.Categorical("kind", "adam", "sgd"), space.Float("mu", 0, 1).When("kind", "sgd"))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	c := Config{Space: where, Budget: 10, Initial: 1, Traits: policies.Traits{Name: "story"}}
	d := drive(t, c)
	for i, x := range []space.Point{{0.25, 0, nan}, {0.25, 0, 0.5}, {0.25, 0, 7}} {
		d.step(0, ObservationArrived{X: x, Value: float64(i / 2)})
	}
	d.step(0, QueryEnqueued{X: []float64{nan, nan, 0.75}}) // whose kind follows from mu
	d.step(0, QueryEnqueued{X: []float64{0.1, nan, 0.75}}) // which is at no point
	d.step(0, WorkerJoined{Worker: 1, Slots: 2})
	all := d.l.Evaluations()
	want := []string{"beta=0.25 kind=adam", "beta=0.25 kind=adam", "beta=0.25 kind=adam", "kind=sgd mu=0.75"}
	for i, w := range want {
		if got := where.Format(all[i].Point(where)); got != w {
			t.Errorf("evaluation %d is at %s, want %s", i+1, got, w)
		}
	}
	if len(d.l.ledger.agreed) == 0 || !d.l.ledger.differ || d.l.ledger.sites.distinct != len(all)-2 {
		t.Errorf("repeated %v, differ %v, %d points of %d queries", d.l.ledger.agreed, d.l.ledger.differ, d.l.ledger.sites.distinct, len(all))
	}
	if len(d.l.plan.queue) != 0 {
		t.Errorf("%d points wait", len(d.l.plan.queue))
	}
	d.step(0, FeedbackArrived{Evaluation: 4, Attempt: 1, Outcome: outcome.Of(3)})
	state, err := d.l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(c, state)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := d.l.Digest(), again.Digest(); a != b {
		t.Errorf("digest %x became %x", a, b)
	}
}

// A wish for a value that depends on a context holds at the context that comes.
func TestAWishMeetsTheContextThatComes(t *testing.T) {
	where, err := space.New(space.Float("x", 0, 1).When("day", true), space.Bool("day").AsContext(), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		day  float64
		want string
	}{{1, "x=0.25 day=true y=0.75"}, {0, "day=false y=0.75"}} {
		d := drive(t, Config{Space: where, Budget: 10, Initial: 1, Traits: policies.Traits{Name: "story"}})
		d.step(0, WorkerJoined{Worker: 1, Slots: 1})
		d.step(0, QueryEnqueued{X: []float64{0.25, 0.75}})
		d.step(0, ContextArrived{Context: []float64{c.day}})
		e := d.l.Evaluations()[0]
		if got := where.Format(e.Point(where)); got != c.want {
			t.Errorf("the query is at %s, want %s", got, c.want)
		}
		unit, err := where.Unit(e.Point(where))
		if err != nil || unit[0] != e.X[0] || where.Canonical(e.X)[0] != e.X[0] {
			t.Errorf("%v: %v is at %v", err, e.Point(where), e.X)
		}
	}
}

// What is active for one user of twenty is spread at that user, by the design and by a policy that fails.
func TestTheDesignIsSpreadAtTheContextThatComes(t *testing.T) {
	users := make([]string, 20)
	for i := range users {
		users[i] = fmt.Sprint("u", i)
	}
	where, err := space.New(space.Float("x", 0, 1).When("user", "u7"), space.Categorical("user", users...).AsContext(), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, design := range []space.Design{space.Uniform, space.LatinHypercube, space.Halton} {
		d := drive(t, Config{Space: where, Budget: 40, Initial: 20, Design: design, Traits: policies.Traits{Name: "story"}})
		d.step(0, WorkerJoined{Worker: 1, Slots: 40})
		for range 40 {
			d.step(0, ContextArrived{Context: []float64{7}})
			for _, effect := range d.l.Outstanding() {
				if ask, open := effect.(Ask); open {
					d.step(0, ProposeFailed{Ask: ask.ID})
				}
			}
		}
		all := d.l.Evaluations()
		if len(all) != 40 {
			t.Fatalf("%v: %d evaluations", design, len(all))
		}
		different := map[float64]bool{}
		for _, e := range all {
			different[e.X[0]] = true
		}
		if len(different) != len(all) {
			t.Errorf("%v: %d values of x in %d queries", design, len(different), len(all))
		}
	}
}
