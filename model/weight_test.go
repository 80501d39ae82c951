package model

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// weighing is a model of the unit square with known hyperparameters, with values at some points and queries that pend.
func weighing(t *testing.T, how feedback.Imputation, noise float64, valued, pending []space.Unit) *Model {
	t.Helper()
	k, err := surrogate.NewKernel("matern52", 2)
	if err != nil {
		t.Fatal(err)
	}
	floor := -2.0
	prior := surrogate.Prior{Kernel: k.WithValues([]float64{0.4, 0.4, 1}), Noise: noise}
	m := New(Config{Space: square(t), Active: MinActive * 20, Outputs: []Spec{{Prior: prior, Known: true, Floor: &floor}}, Beliefs: []Want{{Pending: how}}})
	for i, x := range slices.Concat(valued, pending) {
		m.Open(i+1, i+1, 0, x)
		if i < len(valued) {
			m.Reveal(Objective, i+1, Measurement{Value: math.Sin(7*x[0]) + x[1]}, i+2, 0)
		}
	}
	return m
}

func (m *Model) posterior(t *testing.T) *surrogate.Posterior {
	t.Helper()
	m.Sync()
	beliefs, _ := m.Plan().Think()
	return beliefs[0].Posterior
}

func random(n int, key uint64) []space.Unit {
	stream, out := rng.New(1, rng.Test, key), make([]space.Unit, n)
	for i := range out {
		out[i] = space.Unit{stream.Float64(), stream.Float64()}
	}
	return out
}

// By hand: nothing else is known, so the variance at the query is 1, and with noise 1 and the weight 1/2 its row has (1 + 1)·(2 − 1) = 2 of noise more.
// What it takes off the variance elsewhere, k²/(1 + 1), is k²/(1 + 1 + 2) then.
func TestAQueryThatComesWithAChanceOfAHalfCountsHalf(t *testing.T) {
	m := weighing(t, feedback.Hallucinate, 1, nil, []space.Unit{{0.5, 0.5}})
	k := m.outputs[0].prior.Kernel.Eval(space.Unit{0.5, 0.5}, space.Unit{0.6, 0.5})
	if _, v := m.posterior(t).Predict(space.Unit{0.6, 0.5}); math.Abs(v-(1-k*k/2)) > 1e-12 {
		t.Errorf("in full: variance %v, want %v", v, 1-k*k/2)
	}
	m.Weigh([]Weight{{Number: 1, Eighths: 4}})
	if _, v := m.posterior(t).Predict(space.Unit{0.6, 0.5}); math.Abs(v-(1-k*k/4)) > 1e-12 {
		t.Errorf("at a half: variance %v, want %v", v, 1-k*k/4)
	}
}

// The clever way is one row with noise, the dumb one two posteriors: with the query, and without. Noise is rounded to an octave, and so a share of p is between
// p/(p + (1 − p)·√2) and p/(p + (1 − p)/√2).
func TestAWeightIsTheChanceOfTwoPosteriors(t *testing.T) {
	valued, pending := random(12, 1), []space.Unit{{0.31, 0.62}}
	for _, how := range []feedback.Imputation{feedback.Censor, feedback.Hallucinate} {
		for eighths := 1; eighths < weights; eighths++ {
			with := weighing(t, how, 0.01, valued, pending).posterior(t)
			without := weighing(t, how, 0.01, valued, nil).posterior(t)
			m := weighing(t, how, 0.01, valued, pending)
			m.Weigh([]Weight{{Number: 13, Eighths: eighths}})
			post := m.posterior(t)
			p := float64(eighths) / weights
			least, most := p/(p+(1-p)*math.Sqrt2), p/(p+(1-p)/math.Sqrt2)
			for _, x := range random(20, 2) {
				mean, variance := post.Predict(x)
				meanWith, varianceWith := with.Predict(x)
				meanWithout, varianceWithout := without.Predict(x)
				if share := (varianceWithout - variance) / (varianceWithout - varianceWith); varianceWithout-varianceWith > 1e-6 && (share < least-1e-6 || share > most+1e-6) {
					t.Errorf("%v, %d eighths: %v of the variance, want %v … %v", how, eighths, share, least, most)
				}
				if share := (mean - meanWithout) / (meanWith - meanWithout); math.Abs(meanWith-meanWithout) > 1e-6 && (share < least-1e-6 || share > most+1e-6) {
					t.Errorf("%v, %d eighths: %v of the mean, want %v … %v", how, eighths, share, least, most)
				}
			}
		}
	}
}

func TestTheNearestRowsSayTheVariance(t *testing.T) {
	valued := random(400, 3)
	m := weighing(t, feedback.Hallucinate, 1e-3, valued, nil)
	all := m.posterior(t)
	near := m.of(0).surroundings()
	for _, x := range random(50, 4) {
		_, want := all.Predict(x)
		if got := near.variance(x); got < want*(1-1e-6) || got > 2*want {
			t.Errorf("at %v: %v by the nearest, %v by all", x, got, want)
		}
	}
}

func TestAWeightEndsWithTheWait(t *testing.T) {
	for name, end := range map[string]func(*Model){
		"a value":       func(m *Model) { m.Reveal(Objective, 4, Measurement{Value: 1}, 6, 0) },
		"a failure":     func(m *Model) { m.Fail(4, true) },
		"another say":   func(m *Model) { m.Weigh(nil) },
		"being removed": func(m *Model) { m.Remove(4) },
	} {
		m := weighing(t, feedback.Hallucinate, 0.01, random(3, 5), random(1, 6))
		m.Weigh([]Weight{{Number: 4, Eighths: 2}})
		m.Sync()
		if m.of(0).known(4) == 0 || m.of(0).rows.knownOf(4) != m.of(0).known(4) {
			t.Fatalf("the row has the noise %v", m.of(0).known(4))
		}
		end(m)
		m.Sync()
		if r := &m.of(0).rows; r.has(4) && r.knownOf(4) != m.of(0).toleratedByHand(4) {
			t.Errorf("after %s its row has the noise %v", name, r.knownOf(4))
		}
	}
}

// Points that are one, without noise, leave no variance: nothing is divided by it.
func TestAWeightWhereAllIsKnownIsFinite(t *testing.T) {
	x := space.Unit{0.2, 0.2}
	m := weighing(t, feedback.Hallucinate, 1e-12, []space.Unit{x, x, x}, []space.Unit{x})
	m.Weigh([]Weight{{Number: 4, Eighths: 7}})
	if post := m.posterior(t); !post.Usable() {
		t.Error("no posterior")
	}
	if v := m.of(0).known(4); !(v > 0) || math.IsInf(v, 0) {
		t.Errorf("noise %v", v)
	}
}

func TestWeightsThatAreNonePanic(t *testing.T) {
	for _, list := range [][]Weight{{{Number: 0, Eighths: 1}}, {{Number: 5, Eighths: 1}}, {{Number: 1, Eighths: 0}}, {{Number: 1, Eighths: 8}}, {{Number: 2, Eighths: 1}, {Number: 2, Eighths: 1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is taken", list)
				}
			}()
			weighing(t, feedback.Hallucinate, 0.01, random(3, 5), random(1, 6)).Weigh(list)
		}()
	}
}

func TestTheGreatestAreThoseThatSortingFinds(t *testing.T) {
	stream := rng.New(7, rng.Test, 0)
	for n := range 60 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(stream.IntN(20)) // with equals
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
		}
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
		if got := greatest(values, 9); !slices.Equal(got, want[:min(n, 9)]) {
			t.Fatalf("of %v: %v, want %v", values, got, want[:min(n, 9)])
		}
	}
}
