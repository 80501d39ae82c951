package loop

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// points returns the points of the dispatches among effects.
func points(effects []Effect) (x []space.Point) {
	for _, e := range effects {
		if d, ok := e.(Dispatch); ok {
			x = append(x, d.X)
		}
	}
	return x
}

// What is enqueued before the initial design takes the place of its first points, in that order.
func TestRequestsComeBeforeTheInitialDesign(t *testing.T) {
	m, plain := modestly(t, plain), modestly(t, plain)
	plain.say(WorkerJoined{1, 5})
	m.at(0, QueryEnqueued{[]float64{0.125, 0.25}})
	m.at(0, QueryEnqueued{[]float64{0, 1}})
	got := points(m.at(0, WorkerJoined{1, 5}))
	want := []space.Point{{0.125, 0.25}, {0, 1}}
	for _, d := range plain.running[2:] {
		want = append(want, d.X)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("dispatched %v, want %v", got, want)
	}
}

// An enqueued point costs budget like any other query, and is chosen before the policy is asked.
func TestARequestWaitsForTheOpenAskOnly(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Initial = 1 })
	m.at(0, WorkerJoined{1, 3}) // and ask 1
	if got := m.at(0, QueryEnqueued{[]float64{0.5, 0.75}}); len(got) > 0 {
		t.Fatalf("while an ask is open: %+v", got)
	}
	effects := m.at(0, ProposeFailed{Ask: 1})
	if got := points(effects); len(got) != 2 || !slices.Equal(got[1], []float64{0.5, 0.75}) {
		t.Fatalf("dispatched %v, want the enqueued point second", got)
	}
	if m.l.Evaluations()[1].Given != nil || m.l.Evaluations()[2].Given == nil {
		t.Errorf("%+v", m.l.Evaluations())
	}
	for range 5 { // two of them are within the budget
		m.at(0, QueryEnqueued{[]float64{0.25, 0.25}})
	}
	m.at(0, WorkerJoined{2, 10})
	if got := len(m.l.Evaluations()); got != 5 {
		t.Errorf("%d evaluations", got)
	}
}

// The contexts of an enqueued point are the world's: it waits for one, and takes it to the bit of the unit cube.
func TestRequestsTakeTheContextOfTheWorld(t *testing.T) {
	m := modestly(t, func(c *Config) {
		s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Int("day", 1, 7).AsContext(), space.Categorical("kind", "a", "b"))
		if err != nil {
			t.Fatal(err)
		}
		c.Space = s
	})
	m.at(0, WorkerJoined{1, 5})
	m.at(0, QueryEnqueued{[]float64{0.1, 1}})    // actions only
	m.at(0, QueryEnqueued{[]float64{0.1, 2, 0}}) // with a context
	if n := len(m.l.Evaluations()); n != 0 {
		t.Fatalf("%d evaluations without a context", n)
	}
	for i, want := range []space.Point{{0.1, 6, 1}, {0.1, 7, 0}} {
		got := points(m.at(0, ContextArrived{[]float64{want[1]}}))
		if len(got) != 1 || !slices.Equal(got[0], want) || !slices.Equal(m.l.Evaluations()[i].Given, want) {
			t.Errorf("dispatched %v, want %v", got, want)
		}
	}
	if c := m.l.Counters(); c.Dropped > 0 || len(m.l.plan.contexts) > 0 {
		t.Errorf("%+v; %v wait", c, m.l.plan.contexts)
	}
}

// A context is in the query to the bit as it came, whoever chose the rest.
func TestAContextIsToTheBitAsItCame(t *testing.T) {
	m := modestly(t, func(c *Config) {
		c.Space = must.Get(space.New(space.Float("dose", 0, 1), space.LogFloat("load", 1, 1000).AsContext(), space.Float("hour", 0, 24).AsContext()))(t)
	})
	m.at(0, WorkerJoined{1, 30})
	for i := range 5 {
		came := space.Point{943 - 7.3*float64(i), 7.3 + 0.1*float64(i)}
		got := points(m.at(0, ContextArrived{came}))
		if len(got) != 1 || !slices.Equal(got[0][1:], came) {
			t.Errorf("the query is %v, the context %v", got, came)
		}
	}
}

// What an enqueued point leaves open is drawn, another time for another one; what it names stays as it is to the bit.
func TestWhatARequestLeavesOpenIsDrawn(t *testing.T) {
	s, given := givenSpace(t)
	play := func() []space.Point {
		m := modestly(t, func(c *Config) { c.Space = s })
		open := math.NaN()
		for range 2 {
			m.at(0, QueryEnqueued{[]float64{given[0][0], open, 8, open}})
		}
		m.at(0, QueryEnqueued{[]float64{open, open, open, open}})
		return points(m.at(0, WorkerJoined{1, 3}))
	}
	got := play()
	for _, x := range got {
		if err := s.Contains(x); err != nil {
			t.Error(err)
		}
	}
	if a, b := got[0], got[1]; a[0] != 0.1 || a[2] != 8 || b[0] != 0.1 || b[2] != 8 || a[1] == b[1] {
		t.Errorf("%v and %v, want both at rate 0.1 and n 8, and two draws of x", a, b)
	}
	if again := play(); fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("%v, the next time %v", got, again)
	}
}

// In a finite list the rest is drawn from the points that have what is named; without any it is dropped.
func TestWhatARequestLeavesOpenIsListed(t *testing.T) {
	var list []space.Point
	for i := range 30 {
		list = append(list, []float64{math.Pow(10, -float64(i%5)), 0.1 * float64(i)})
	}
	s, err := space.List(list, space.LogFloat("rate", 1e-5, 1), space.Float("x", 0, 3), space.Int("day", 1, 7).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	m := modestly(t, func(c *Config) { c.Space, c.Budget = s, 20 })
	for range 20 {
		m.at(0, QueryEnqueued{[]float64{0.01, math.NaN()}})
		m.at(0, ContextArrived{[]float64{3}})
	}
	m.at(0, QueryEnqueued{[]float64{math.NaN(), 0.05}})
	m.at(0, QueryEnqueued{[]float64{math.NaN(), 7}})
	others := map[float64]bool{}
	for _, x := range points(m.at(0, WorkerJoined{1, 20})) {
		if err := s.Contains(x); err != nil || x[0] != 0.01 {
			t.Errorf("%v: %v", x, err)
		}
		others[x[1]] = true
	}
	if c := m.l.Counters(); c.Dropped != 2 || len(others) < 4 { // of six points at this rate
		t.Errorf("%+v, x is one of %v", c, others)
	}
}

// givenSpace has parameters whose values do not all survive the way to the unit cube and back.
func givenSpace(t *testing.T) (s space.Space, given []space.Point) {
	t.Helper()
	s, err := space.New(space.LogFloat("rate", 1e-5, 1), space.Float("x", -3, 7), space.LogInt("n", 1, 1000), space.Categorical("kind", "a", "b", "c"))
	if err != nil {
		t.Fatal(err)
	}
	lost := 0
	for i, rate := range []float64{0.1, 0.003, 1e-5, 1, 0.7, 0.0123} {
		x := space.Point{rate, 0.1 * float64(i), float64(7*i + 1), float64(i % 3)}
		u, err := s.Unit(x)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Value(u), x) {
			lost++
		}
		given = append(given, x)
	}
	if lost == 0 {
		t.Fatal("every value survives the way to the unit cube and back: nothing is tested")
	}
	return s, given
}

// What the user gave comes back to the bit, whatever happens to it.
func TestPointsThatWereGivenComeBackToTheBit(t *testing.T) {
	s, given := givenSpace(t)
	m := modestly(t, func(c *Config) { c.Space, c.Lease = s, 1 })
	for _, x := range given {
		m.at(0, QueryEnqueued{x})
		m.at(0, ObservationArrived{X: x, Value: x[0]})
	}
	check := func(what string, got space.Point, i int) {
		t.Helper()
		if !slices.Equal(got, given[i]) {
			t.Errorf("%s: %v, want %v", what, got, given[i])
		}
	}
	for i := range given {
		check("observation", m.l.Evaluations()[i].Given, i)
		check("its point", m.l.Evaluations()[i].Point(s), i)
	}
	for i, x := range points(m.at(0, WorkerJoined{1, 3})) {
		check("dispatch", x, i)
	}
	for i, e := range m.l.Outstanding()[:3] {
		check("outstanding", e.(Dispatch).X, i)
	}
	m.at(0, Resumed{})
	for i, x := range points(m.at(0, WorkerJoined{2, 3})) {
		check("resumed", x, i)
	}
	m.at(0, AnswerFollows{Evaluation: 7, Attempt: 2, Retire: true})
	m.at(1, Woke{}) // the lease of 7 ends
	again := points(m.at(1, WorkerJoined{2, 1}))
	check("lost and asked again", again[0], 0)
	given[0][0] = 0.5 // they are the loop's own copies
	if all := m.l.Evaluations(); all[0].Given[0] != 0.1 || all[6].Given[0] != 0.1 {
		t.Errorf("given %v and %v", all[0].Given, all[6].Given)
	}
}

// What a request leaves open is that of a point that tells something: none that is queued or pends already, nor, without noise, one with a value.
func TestWhatARequestLeavesOpenIsNew(t *testing.T) {
	where, err := space.List([]space.Point{{0, 1}, {0, 2}, {0, 3}, {1, 4}}, space.Float("x", 0, 1), space.Int("y", 1, 4))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(24) {
		d := drive(t, Config{Space: where, Budget: 10, Initial: 1, Seed: seed})
		d.step(0, ObservationArrived{X: space.Point{0, 1}, Value: 5})
		d.step(0, QueryEnqueued{X: []float64{0, math.NaN()}})
		if seed%2 == 0 { // it pends, or waits in the queue
			d.step(0, WorkerJoined{2, 1})
		}
		d.step(0, QueryEnqueued{X: []float64{0, math.NaN()}})
		d.step(0, WorkerJoined{1, 2})
		seen := map[string]bool{}
		for _, e := range d.l.Evaluations() {
			seen[fmt.Sprint(where.Value(e.X))] = true
		}
		if len(seen) < 3 || !seen["[0 2]"] || !seen["[0 3]"] {
			t.Errorf("seed %d: %v", seed, seen)
		}
	}
}
