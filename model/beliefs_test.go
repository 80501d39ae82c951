package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// overPlays runs a test in a box and at contexts, with known noise and without; under the race detector, in a box
// with it and at contexts without.
func overPlays(t *testing.T, outputs int, test func(t *testing.T, where space.Space, p *play)) {
	for i, where := range places(t) {
		for _, noisy := range []bool{false, true} {
			if raced && noisy == (i == 1) {
				continue
			}
			t.Run(fmt.Sprintf("%s/known noise %v", []string{"box", "contexts"}[i], noisy), func(t *testing.T) {
				t.Parallel()
				test(t, where, newPlay(uint64(7+i), where, outputs, noisy))
			})
		}
	}
}

// sameBelief says where two beliefs differ, empty where nowhere.
func sameBelief(where space.Space, a, b Belief) string {
	switch {
	case !slices.Equal(a.Rows, b.Rows):
		return fmt.Sprintf("rows %v and %v", a.Rows, b.Rows)
	case a.Units != b.Units || a.Best != b.Best || !slices.Equal(a.Incumbent, b.Incumbent):
		return fmt.Sprintf("units %+v and %+v, best %v and %v", a.Units, b.Units, a.Best, b.Best)
	}
	return alike.Posteriors(where, a.Posterior, b.Posterior)
}

// Several beliefs in one model have the bits that each has by itself, whatever happens: rows that come and go, choices of rows,
// failures, known noise, new hyperparameters, contexts.
func TestEachBeliefIsThatOfAModelWithItAlone(t *testing.T) {
	wants := []Want{{Pending: feedback.Hallucinate}, {Pending: feedback.Ignore}, {Pending: feedback.Censor}}
	overPlays(t, 1, func(t *testing.T, where space.Space, p *play) {
		together := New(configOf(where, wants...))
		var alone []*Model
		for _, w := range wants {
			alone = append(alone, New(configOf(where, w)))
		}
		more := 0
		for turn := range 120 {
			for _, a := range p.turn() {
				a.do(together, -1)
				for _, m := range alone {
					a.do(m, -1)
				}
			}
			if turn%3 > 0 { // when the algebra was done leaves no trace
				continue
			}
			beliefs, _ := together.Plan().Think()
			more += bit(len(beliefs[0].Rows) > len(beliefs[1].Rows))
			for k, m := range alone {
				own, _ := m.Plan().Think()
				if what := sameBelief(where, beliefs[k], own[0]); what != "" || beliefs[k].Want != wants[k] {
					t.Fatalf("ask %d, %v: %s", turn, wants[k], what)
				}
			}
		}
		if rebuilds := together.beliefs[0].rows.generation; rebuilds < 3 || more < 10 {
			t.Errorf("too little happened: %d rebuilds, pending rows at %d asks", rebuilds, more)
		}
	})
}

// Outputs have values, units, hyperparameters and known noise of their own, and share the points.
func TestOutputsLearnSeparately(t *testing.T) {
	wants := []Want{{Pending: feedback.Hallucinate}, {Output: 1, Pending: feedback.Ignore}, {Output: 1, Pending: feedback.Hallucinate}}
	overPlays(t, 2, func(t *testing.T, where space.Space, p *play) {
		together := New(configOf(where, wants...))
		var alone []*Model
		for _, w := range wants {
			alone = append(alone, New(configOf(where, Want{Pending: w.Pending})))
		}
		for turn := range 100 {
			for _, a := range p.turn() {
				a.do(together, -1)
				for k, m := range alone {
					a.do(m, wants[k].Output)
				}
			}
			beliefs, _ := together.Plan().Think()
			for k, m := range alone {
				own, _ := m.Plan().Think()
				if what := sameBelief(where, beliefs[k], own[0]); what != "" {
					t.Fatalf("ask %d, %v: %s", turn, wants[k], what)
				}
			}
		}
		a, b := together.beliefs[0].units, together.beliefs[1].units
		if b.Scale < 5*a.Scale {
			t.Errorf("units %+v and %+v, though the values of the second are ten times as large", a, b)
		}
	})
}

// One fit is open at a time; each output has its turn, with its own values in its own units, and what is learned is its own.
func TestFitsAreOfOneOutput(t *testing.T) {
	m := New(configOf(square(t), Want{Pending: feedback.Hallucinate}, Want{Output: 1}))
	for n := 1; n <= 4; n++ {
		m.Open(n, n, 0, []float64{float64(n) / 4, 0.5})
		m.Reveal(Objective, n, Measurement{Value: float64(n)}, n+1, 0)
		m.Reveal(1, n, Measurement{Value: 100 * float64(n*n), Variance: 25}, n+1, 0)
	}
	m.Sync()
	first, ok := m.BeginFit()
	if _, again := m.BeginFit(); !ok || again || first.Output != Objective || first.Known != nil {
		t.Fatalf("fit %+v, another one at once: %v", first, again)
	}
	if err := m.Adopt(Hyper{Kernel: []float64{0.1, 0.2, 0.3}, Noise: 0.04}); err != nil {
		t.Fatal(err)
	}
	second, ok := m.BeginFit()
	units := buffer.Standardize([]float64{100, 400, 900, 1600})
	if !ok || second.Output != 1 || second.ID != 2 || second.Y[3] != units.To(1600) || second.Known[0] != 25/units.Scale/units.Scale {
		t.Fatalf("fit %+v", second)
	}
	if _, err := second.Learn(); err != nil {
		t.Error(err)
	}
	m.Forgo()
	if m.Noise(Objective) != 0.04 || m.Noise(1) != 0.02 {
		t.Errorf("noise %v and %v", m.Noise(Objective), m.Noise(1))
	}
	if _, more := m.BeginFit(); more {
		t.Error("a fit without anything new")
	}
	if m.Adopt(Hyper{Kernel: []float64{1}}) == nil {
		t.Error("hyperparameters of another kernel were adopted")
	}
}

// Each belief is at every ask what a posterior made of the buffer says: its mean is that of the rows that are not hallucinated,
// its variance that of all, with the known noise of each in the units of the last choice of rows.
func TestEachBeliefIsItsRowsFromScratch(t *testing.T) {
	wants := []Want{{Pending: feedback.Hallucinate}, {Pending: feedback.Ignore}, {Pending: feedback.Censor}, {Output: 1, Pending: feedback.Hallucinate}}
	overPlays(t, 2, func(t *testing.T, where space.Space, p *play) {
		m := New(configOf(where, wants...))
		known := 0
		for range 90 {
			for _, a := range p.turn() {
				a.do(m, -1)
			}
			beliefs, _ := m.Plan().Think()
			for k, b := range beliefs {
				known += m.of(k).compare(t, b)
			}
		}
		if p.noisy != (known > 500) {
			t.Errorf("%d rows with known noise", known)
		}
	})
}

// compare makes the belief anew from its buffer, and returns how many rows have known noise.
func (m sight) compare(t *testing.T, b Belief) (known int) {
	t.Helper()
	forgiven := m.plan().forgiven(m.rows.now)
	var x, meanX []space.Unit
	var y, noise, meanY, meanNoise []float64
	for i, number := range b.Rows {
		target, answered := m.buffer.Target(number, m.want.Pending, b.Units)
		own := 0.0
		if m.variances != nil && m.buffer.Usable(number, m.want.Pending) {
			own = m.variances[number-1] / (m.rows.noiseScale * m.rows.noiseScale)
			known += bit(own > 0)
		}
		own += m.toleratedByHand(number)
		x, y, noise = append(x, m.points[number-1]), append(y, target), append(noise, own)
		if !(!answered && m.want.Pending == feedback.Hallucinate) && !slices.Contains(forgiven, i) {
			meanX, meanY, meanNoise = append(meanX, x[i]), append(meanY, target), append(meanNoise, own)
		}
	}
	all, err := m.prior().ConditionKnown(x, y, noise, nil)
	if err != nil {
		t.Fatal(err)
	}
	means, err := m.prior().ConditionKnown(meanX, meanY, meanNoise, nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(uint64(len(x)), rng.Test, 2)
	for range 5 {
		u := m.config.Space.Random(stream)
		mean, variance := b.Posterior.Predict(u)
		_, wantVariance := all.Predict(u)
		if want := means.Mean(u); math.Abs(mean-want) > 1e-7 || math.Abs(variance-wantVariance) > 1e-8 {
			t.Fatalf("%v: %v and %v at %v, want %v and %v (%d rows, %d edits)", m.want, mean, variance, u, want, wantVariance, len(x), len(m.rows.edits))
		}
	}
	return known
}

// toleratedByHand is the noise of a bad value: a fourth for each doubling of the number of failures.
func (m sight) toleratedByHand(number int) float64 {
	if failed, _ := m.buffer.Failed(number); !failed || m.config.Blank {
		return 0
	}
	failures, noise := 0, 0.03
	for k := range m.points {
		failed, _ := m.buffer.Failed(k + 1)
		failures += bit(failed)
	}
	for ; failures > 1; failures /= 2 {
		noise /= 4
	}
	return noise
}

// A state that was kept goes on as one that was not, at any moment, whatever the beliefs: the same state to the bit, the same
// posteriors and predictions.
func TestAStateThatWasKeptGoesOn(t *testing.T) {
	wants := []Want{{Pending: feedback.Censor}, {Pending: feedback.Hallucinate}, {Output: 1, Pending: feedback.Ignore}}
	overPlays(t, 2, func(t *testing.T, where space.Space, p *play) {
		config := configOf(where, wants...)
		m := New(config)
		var all []act
		for turn := range 70 {
			acts := p.turn()
			for _, a := range acts[:len(acts)-1] {
				a.do(m, -1)
			}
			all = append(all, acts...)
			if turn%5 == 0 {
				m.BeginFit()
			}
			ask := acts[len(acts)-1]
			restored, seen := New(config), New(config)
			replayed(seen, all)
			if err := errors.Join(state.Read(state.Bytes(nil, m.Visit), restored.Visit), restored.Complete(seen, m.beliefs[0].context)); err != nil {
				t.Fatal(err)
			}
			if what := unlikeness(m, restored); what != "" || restored.Check() != nil {
				t.Fatalf("ask %d: %s (%v)", turn, what, restored.Check())
			}
			ask.do(m, -1)
			ask.do(restored, -1)
			a, _ := m.Plan().Think()
			b, _ := restored.Plan().Think()
			for k := range a {
				if what := sameBelief(where, a[k], b[k]); what != "" {
					t.Fatalf("ask %d, %v: %s", turn, wants[k], what)
				}
			}
			if turn%10 == 9 {
				if a, err := m.Outlook(0, true, false, nil); err == nil {
					b, err := restored.Outlook(0, true, false, nil)
					if err != nil || sameBelief(where, a.Belief, b.Belief) != "" || a.Best(func(int) bool { return true }) != b.Best(func(int) bool { return true }) {
						t.Fatalf("ask %d: another outlook: %v", turn, err)
					}
				}
			}
			m.Forgo()
		}
	})
}

// replayed lets a model see what became of the queries: what a study knows without its model.
func replayed(m *Model, acts []act) {
	for _, a := range acts {
		if a.kind == "open" {
			a.do(m, -1)
		}
	}
	for _, a := range acts {
		switch a.kind {
		case "fail", "forbid", "remove":
			a.do(m, -1)
		case "reveal":
			a.do(m, -1)
		}
	}
}

// unlikeness says where two models differ, in what follows from the rest as well; not in the algebra.
func unlikeness(a, b *Model) string {
	if what := state.Difference(a.Visit, b.Visit); what != "" {
		return what
	}
	for i := range a.outputs {
		if !reflect.DeepEqual(a.outputs[i].buffer, b.outputs[i].buffer) {
			return fmt.Sprintf("the answers of the %v", Output(i))
		}
	}
	for i := range a.beliefs {
		x, y := a.beliefs[i], b.beliefs[i]
		if !slices.Equal(x.rows.now, y.rows.now) || !slices.Equal(x.rows.known, y.rows.known) || !slices.Equal(x.context, y.context) {
			return fmt.Sprintf("%v: rows %v and %v, known noise %v and %v", x.want, x.rows.now, y.rows.now, x.rows.known, y.rows.known)
		}
		for number := range a.Len() + 1 {
			if x.rows.has(number) != y.rows.has(number) {
				return fmt.Sprintf("%v: one has a row for query %d", x.want, number)
			}
		}
	}
	if f, open := a.Fitting(); open {
		if g, _ := b.Fitting(); !reflect.DeepEqual(f, g) {
			return fmt.Sprintf("fits %+v and %+v", f, g)
		}
	}
	return ""
}

// Whoever thinks about an ask late, or twice, or after another one, gets the same bits.
func TestOlderPlansFindTheirPool(t *testing.T) {
	wants := []Want{{Pending: feedback.Hallucinate}, {Pending: feedback.Ignore}}
	overPlays(t, 1, func(t *testing.T, where space.Space, p *play) {
		m := New(configOf(where, wants...))
		var tasks []Task
		var want [][]Belief
		for range 60 {
			for _, a := range p.turn() {
				a.do(m, -1)
			}
			task := m.Plan()
			for i := range task.jobs {
				task.jobs[i].algebra = &algebra{}
			}
			beliefs, _ := task.Think()
			tasks, want = append(tasks, task), append(want, beliefs)
		}
		minds := []*algebra{{}, {}}
		for range 150 {
			k := p.stream.IntN(len(tasks))
			for i := range tasks[k].jobs {
				tasks[k].jobs[i].algebra = minds[i]
			}
			got, _ := tasks[k].Think()
			for i := range got {
				if what := sameBelief(where, got[i], want[k][i]); what != "" {
					t.Fatalf("ask %d, %v: %s", k, wants[i], what)
				}
			}
		}
	})
}

// Known noise that comes with the value of a pending query makes its row anew; without it the row stays.
func TestARowWhoseNoiseBecomesKnownIsAnotherRow(t *testing.T) {
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}, Noise: 0.1}
	m := New(Config{Space: square(t), Active: MinActive, Outputs: []Spec{{Prior: prior, Known: true}}, Beliefs: []Want{{Pending: feedback.Hallucinate}}})
	for n := 1; n <= 3; n++ {
		m.Open(n, n, 0, []float64{float64(n) / 4, 0.5})
	}
	m.Sync()
	m.Reveal(Objective, 1, Measurement{Value: 1}, 4, 0)
	m.Reveal(Objective, 2, Measurement{Value: 2, Variance: 0.5}, 4, 0)
	m.Sync()
	r := m.beliefs[0].rows
	if !slices.Equal(r.edits, []Edit{{Row: 1}, {Number: 2, Known: 0.5}}) || !slices.Equal(r.now, []int{1, 3, 2}) {
		t.Errorf("edits %+v, rows %v", r.edits, r.now)
	}
	beliefs, _ := m.Plan().Think()
	if p := beliefs[0].Posterior; p.Known(2) != 0.5 || p.Known(0) != 0 || p.Noise() != 0.1 {
		t.Errorf("known noise %v and %v", p.Known(2), p.Known(0))
	}
}
