package loop

import (
	"errors"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

func made(t *testing.T, parameters ...space.Parameter) space.Space {
	t.Helper()
	s, err := space.New(parameters...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Fixed parameters are no dimensions: the initial design is as large as without them.
func TestFixedParametersAreNoDimensions(t *testing.T) {
	x, y := space.Float("x", 0, 1), space.Bool("y")
	plain := made(t, x, y)
	padded := made(t, space.Float("a", 2, 2), x, space.Ordered("b", 5), y, space.Categorical("c", "one"), space.Int("d", 7, 7).AsContext())
	a, b := Config{Space: plain, Budget: 40}.withDefaults(), Config{Space: padded, Budget: 40}.withDefaults()
	if a.Initial != 5 || b.Initial != 5 {
		t.Errorf("initial designs of %d and %d points", a.Initial, b.Initial)
	}
	point := made(t, space.Float("a", 2, 2))
	if c := (Config{Space: point, Budget: 40}).withDefaults(); c.Initial != 1 {
		t.Errorf("one point: %d initial ones", c.Initial)
	}
}

// Spaces that differ in anything are different configurations: a snapshot of the one is none of the other.
func TestASnapshotBelongsToItsSpace(t *testing.T) {
	spaces := []space.Space{
		made(t, space.Float("x", 0, 1)), made(t, space.Float("x", 0, 1).Stepped(0.1)), made(t, space.Float("x", 0, 1).Stepped(0.2)),
		made(t, space.Int("x", 0, 1)), made(t, space.Int("x", 0, 1).Stepped(1)), made(t, space.Bool("x")), made(t, space.Categorical("x", "false", "true")),
		made(t, space.Ordered("x", 0, 1)), made(t, space.Ordered("x", 0, 2)), made(t, space.Ordered("x", 0)), made(t, space.Float("x", 0, 0)),
	}
	for i, s := range spaces {
		l, err := New(Config{Space: s, Traits: policies.Traits{Name: "random"}, Budget: 5})
		if err != nil {
			t.Fatal(err)
		}
		state, err := l.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		for j, other := range spaces {
			_, err := Restore(Config{Space: other, Traits: policies.Traits{Name: "random"}, Budget: 5}, state)
			if i == j && err != nil || i != j && !errors.Is(err, ErrBadSnapshot) {
				t.Errorf("%s as %s: %v", s.Parameter(0).Range(), other.Parameter(0).Range(), err)
			}
		}
	}
}

// What is enqueued and observed is dispatched to the bit. What was rounded is dropped here: whoever drives the loop puts it
// back, see space.Exact.
func TestRequestsOfEveryKindComeBackToTheBit(t *testing.T) {
	m := modestly(t, func(c *Config) {
		c.Space = made(t, space.Float("x", 0, 1).Stepped(0.1), space.Ordered("z", 0.3, 7), space.Bool("b"), space.Float("fixed", 0.7, 0.7))
	})
	want := []float64{0.3, 0.3, 1, 0.7}
	m.at(0, QueryEnqueued{want})
	m.at(0, ObservationArrived{X: want, Value: 1})
	m.at(0, ObservationArrived{X: []float64{0.30000000000000004, 0.3, 1, 0.7}, Value: 1}) // a driver says which value it means
	if got := points(m.at(0, WorkerJoined{1, 1})); len(got) != 1 || !slices.Equal(got[0], want) {
		t.Errorf("dispatched %v", got)
	}
	if c := m.l.Counters(); c.Dropped != 1 || m.l.config.Space.Contains(m.l.Evaluations()[0].Point(m.l.config.Space)) != nil {
		t.Errorf("%+v", c)
	}
}
