package model

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// failing is a plan whose rows lie at x in [0, 1]; those listed failed, pended or are infeasible.
func failing(x space.Unit, failed, unanswered, hopeless []int) ([]int, plan) {
	p := plan{
		prior:  surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.1}, Outputscale: 2}},
		failed: failed, unanswered: unanswered, hopeless: hopeless,
	}
	rows := make([]int, len(x))
	for i, v := range x {
		p.points, rows[i] = append(p.points, []float64{v}), i+1
	}
	return rows, p
}

// even are n points with the same distance between neighbors.
func even(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i) / float64(n-1)
	}
	return out
}

// Failures are blamed on their points or forgiven as a person would say who looks at where they lie.
func TestScatteredFailuresAreForgivenAndCrowdedOnesBlamed(t *testing.T) {
	for name, c := range map[string]struct {
		x                                  space.Unit
		failed, unanswered, hopeless, want []int
	}{
		"one among values":               {x: even(11), failed: []int{4}, want: []int{4}},
		"one by itself":                  {x: []float64{0, 0.9, 0.95, 1}, failed: []int{0}, want: nil},
		"the first of all":               {x: []float64{0.5}, failed: []int{0}, want: nil},
		"one among pending queries":      {x: even(11), failed: []int{4}, unanswered: []int{0, 1, 2, 3, 5, 6, 7, 8, 9, 10}, want: nil},
		"every fourth":                   {x: even(41), failed: []int{1, 5, 9, 13, 17, 21, 25, 29, 33, 37}, want: []int{1, 5, 9, 13, 17, 21, 25, 29, 33, 37}},
		"every other":                    {x: even(41), failed: []int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39}, want: []int{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39}},
		"a third at the end":             {x: even(21), failed: []int{14, 15, 16, 17, 18, 19, 20}, want: nil},
		"a third, and one elsewhere":     {x: even(21), failed: []int{3, 14, 15, 16, 17, 18, 19, 20}, want: []int{3, 14}}, // and the border
		"one among values, infeasible":   {x: even(11), failed: []int{4}, hopeless: []int{4}, want: nil},
		"beside one that is infeasible":  {x: even(11), failed: []int{4, 5, 6}, hopeless: []int{4, 6}, want: nil},
		"everything":                     {x: even(11), failed: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, want: nil},
		"by itself, where many scatter":  {x: append(even(41), 2), failed: []int{1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41}, want: []int{1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41}},
		"by itself, where a region does": {x: append(even(21), 3), failed: []int{14, 15, 16, 17, 18, 19, 20, 21}, want: nil},
	} {
		rows, plan := failing(c.x, c.failed, c.unanswered, c.hopeless)
		if got := plan.forgiven(rows); !slices.Equal(got, c.want) {
			t.Errorf("%s: rows %v are forgiven, want %v", name, got, c.want)
		}
	}
}

// Without evidence both are as likely; much evidence decides, and that of others moves what there is little about.
func TestFaultIsSharedBetweenFailures(t *testing.T) {
	near := func(got, want []float64) bool {
		return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-3 })
	}
	for _, c := range []struct{ evidence, want []float64 }{
		{nil, nil},
		{[]float64{0}, []float64{0.5}},
		{[]float64{-50}, []float64{0}},
		{[]float64{50, -50, 0}, []float64{1, 0, 0.5}},
		{[]float64{-50, -50, -50, 0}, []float64{0, 0, 0, 0.2}}, // share s = (1 + p)/6, p = s
		{[]float64{50, 50, 50, 0}, []float64{1, 1, 1, 0.8}},
		{[]float64{800, -800}, []float64{1, 0}}, // exp(800) is infinite
	} {
		if got := atFault(c.evidence); !near(got, c.want) {
			t.Errorf("evidence %v: %v, want %v", c.evidence, got, c.want)
		}
	}
}

// lossyModel has n queries at random points in two dimensions, of which the given share failed.
func lossyModel(n int, share float64) sight {
	m := empty(feedback.Hallucinate, Config{Active: 2000})
	m.learned.prior.Kernel = surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}
	stream := rng.New(1, rng.Test, 0)
	for number := 1; number <= n; number++ {
		x := []float64{stream.Float64(), stream.Float64()}
		m.Open(number, number, 0, x)
		if stream.Float64() < share {
			m.Fail(number, false)
		} else {
			m.Reveal(Objective, number, Measurement{Value: x[0]}, number+1, 0)
		}
	}
	return m
}

// When failures are many the rows are chosen anew, without those that are forgiven. One of them gets its row back when what is
// around it fails as well, and when its value comes after all.
func TestForgivenFailuresLoseTheirRows(t *testing.T) {
	m := lossyModel(400, 0.4)
	before := m.rows.generation
	m.Sync()
	failures := 0
	for number := range 400 {
		failures += bit(m.suspect(number + 1))
	}
	if m.rows.generation == before || len(m.spared) < failures*8/10 || len(m.rows.now)+len(m.spared) != 400 || !slices.IsSorted(m.spared) {
		t.Fatalf("%d of 400 failed, %d have no row, %d queries have one", failures, len(m.spared), len(m.rows.now))
	}
	late, crowded := m.spared[0], m.spared[len(m.spared)/2]
	m.Reveal(Objective, late, Measurement{Value: 0.5}, 500, 0)
	m.Sync()
	if !m.rows.has(late) || slices.Contains(m.spared, late) {
		t.Error("a value that came late has no row")
	}
	at, number := m.points[crowded-1], 400
	for k := range 6 {
		number++
		m.Open(number, number, 0, []float64{at[0] + 0.002*float64(k), at[1]})
		m.Fail(number, false)
	}
	m.Sync()
	if forgiven, blamed := m.plan().judged(m.rows.now); !slices.Contains(blamed, crowded) || slices.Contains(forgiven, 401) {
		t.Errorf("six fail beside query %d, forgiven are %v", crowded, forgiven)
	}
	m.rebuildSoon = true
	m.Sync()
	if !m.rows.has(crowded) || !m.rows.has(401) {
		t.Error("failures that crowd have no rows")
	}
}

// However many fail, only the latest without a row are looked at; the others go on without one.
func TestFailuresLongAgoStayForgiven(t *testing.T) {
	m := lossyModel(1500, 0.6)
	m.Sync()
	if len(m.spared) != maxSpared {
		t.Fatalf("%d failures without a row are looked at", len(m.spared))
	}
	old := 1
	for ; !m.suspect(old) || m.rows.has(old) || slices.Contains(m.spared, old); old++ {
	}
	rows := len(m.rows.now)
	m.rebuildSoon = true
	m.Sync()
	if m.rows.has(old) || len(m.rows.now) > rows {
		t.Errorf("query %d, which failed long ago, has a row: %v; %d rows, were %d", old, m.rows.has(old), len(m.rows.now), rows)
	}
}

// What a state says of failures without a row must be possible.
func TestStatesOfImpossibleFailuresAreRefused(t *testing.T) {
	where, n := square(t), 40
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}, Noise: 0.1}
	config := Config{Space: where, Active: MinActive, Outputs: []Spec{{Prior: prior}}, Beliefs: []Want{{Pending: feedback.Hallucinate}}}
	stream := rng.New(4, rng.Test, 0)
	var acts []act
	for number := 1; number <= n; number++ {
		acts = append(acts, act{kind: "open", number: number, x: where.Random(stream)})
		switch {
		case number%3 == 0:
			acts = append(acts, act{kind: "fail", number: number})
		case number < n-1:
			acts = append(acts, act{kind: "reveal", number: number, round: n, what: Measurement{Value: float64(number)}})
		}
	}
	played := func() *Model {
		m := New(config)
		for _, a := range acts {
			a.do(m, -1)
		}
		return m
	}
	for name, c := range map[string]struct {
		spared []int
		sound  bool
	}{
		"as it was":          {nil, true},
		"with a row":         {[]int{1}, false},
		"pending":            {[]int{n}, false},
		"not there":          {[]int{n + 1}, false},
		"not in their order": {[]int{6, 3}, false},
	} {
		m := played()
		m.Sync()
		if len(m.beliefs[0].spared) < 2 {
			t.Fatalf("failures without a row: %v", m.beliefs[0].spared)
		}
		if c.spared != nil {
			m.beliefs[0].spared = c.spared
		}
		restored := New(config)
		if err := state.Read(state.Bytes(nil, m.Visit), restored.Visit); err != nil {
			t.Fatal(err)
		}
		if err := restored.Complete(played(), nil); (err == nil) != c.sound {
			t.Errorf("%s: %v", name, err)
		}
	}
}
