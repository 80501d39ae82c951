package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// ⌈√(100·1)⌉ = 10, ⌈√(100·10)⌉ = 32, ⌈√(100·32)⌉ = 57.
func TestPhasesAreAsLongAsTheSchedulesSay(t *testing.T) {
	for _, c := range []struct {
		policy BPE
		want   []int
	}{{BPE{}, []int{8, 16, 32}}, {BPE{First: 3}, []int{3, 6, 12}}, {BPE{Horizon: 100}, []int{10, 32, 57}}, {BPE{Horizon: 1}, []int{1, 1, 1}}} {
		var got []int
		before := 0
		for range c.want {
			before = c.policy.planned(before)
			got = append(got, before)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: phases of %v, want %v", c.policy, got, c.want)
		}
	}
}

// byHand plays the eliminations with formulas of the textbook.
func byHand(p BPE, v View, x []space.Unit, y []float64, seen []int) (left []space.Unit, begun int) {
	left = v.Space.UnitPoints()
	for planned := p.planned(0); begun+planned+p.Extra <= len(x); planned = p.planned(planned) {
		end := begun + planned + p.Extra
		var xs []space.Unit
		var ys []float64
		for k := range end {
			if (k >= begun || p.Answers == OfAll) && seen[k] > 0 && seen[k] <= end+1 {
				xs, ys = append(xs, x[k]), append(ys, y[k])
			}
		}
		at, most := textbook(v.Posterior.Prior(), xs, ys), math.Inf(-1)
		for _, u := range left {
			mean, sd := at(u)
			most = max(most, mean-2*sd)
		}
		var kept []space.Unit
		for _, u := range left {
			if mean, sd := at(u); mean+2*sd >= most {
				kept = append(kept, u)
			}
		}
		left, begun = kept, end
	}
	return left, begun
}

// The points that are left, and the one that is queried, are those of an implementation that knows nothing of posteriors.
func TestEliminationIsThatOfTheTextbook(t *testing.T) {
	s, fewest := lineOf(t, 40), 40
	for seed := range uint64(12) {
		x, y, seen := historyOf(s, 20+5*int(seed), seed)
		for _, p := range []BPE{{}, {Answers: OfAll}, {Horizon: 60}, {Horizon: 60, Extra: 3}} {
			v := told(t, s, shortPrior(1), feedback.Ignore, x, y, seen)
			want, begun := byHand(p, v, x, y, seen)
			now := p.phase(v)
			if now.begun != begun || !slices.EqualFunc(now.points, want, slices.Equal) {
				t.Fatalf("seed %d, %+v: after %d queries %v is left, want %v after %d", seed, p, now.begun, now.points, want, begun)
			}
			fewest = min(fewest, len(want))
			from := begun
			if p.Answers == OfAll {
				from = 0
			}
			at, most := textbook(v.Posterior.Prior(), x[from:], make([]float64, len(x)-from)), 0.0
			for _, u := range want {
				_, sd := at(u)
				most = max(most, sd)
			}
			chosen := must.Get(p.Propose(v, 1, rng.New(seed, rng.Test, 1)))(t)[0].X
			if _, sd := at(chosen); sd < most-1e-9 || !slices.ContainsFunc(want, func(u space.Unit) bool { return slices.Equal(u, chosen) }) {
				t.Errorf("seed %d, %+v: %v has deviation %v, the greatest is %v", seed, p, chosen, sd, most)
			}
		}
	}
	if fewest > 20 {
		t.Errorf("%d points were left at least: nothing was eliminated", fewest)
	}
}

// What guarantees that delays cost an additive term: within a phase no value matters, nor does one that comes after its end.
func TestValuesDecideNothingButAtTheEndOfTheirPhase(t *testing.T) {
	s := lineOf(t, 40)
	choice := func(v View) space.Unit { return must.Get(BPE{}.Propose(v, 1, rng.New(1, rng.Test, 2)))(t)[0].X }
	changed := 0
	for seed := range uint64(10) {
		x, y, seen := historyOf(s, 30, seed) // phases end after 8 and 24
		before := choice(told(t, s, shortPrior(1), feedback.Ignore, x, y, seen))
		other := slices.Clone(y)
		for k := range other {
			if k >= 24 || k < 8 && seen[k] > 9 || k >= 8 && seen[k] > 25 {
				other[k] = -other[k] + 3
			}
		}
		if after := choice(told(t, s, shortPrior(1), feedback.Ignore, x, other, seen)); !slices.Equal(before, after) {
			t.Errorf("seed %d: %v became %v by values that do not count", seed, before, after)
		}
		for k := range other {
			if k >= 8 && k < 24 && seen[k] <= 25 {
				other[k] = 3 * float64(k%2)
			}
		}
		if after := choice(told(t, s, shortPrior(1), feedback.Ignore, x, other, seen)); !slices.Equal(before, after) {
			changed++
		}
	}
	if changed == 0 {
		t.Error("values that count change nothing")
	}
}

// Where the model is right a maximizer is eliminated with a probability that the width of the intervals bounds, whatever the delays.
func TestTheMaximizerIsLeft(t *testing.T) {
	const draws, queries = 12, 56 // three phases
	s, prior := lineOf(t, 30), shortPrior(1)
	lost, left := 0, 0
	for seed := range uint64(draws) {
		stream := rng.New(seed, rng.Test, 91)
		f := must.Get(prior.Condition(nil, nil, nil))(t).Draw(stream, 512)
		var x []space.Unit
		var y []float64
		var seen []int
		p := BPE{Beta: 3}
		for k := range queries {
			u := s.Random(stream)
			if k > 0 {
				u = must.Get(p.Propose(told(t, s, prior, feedback.Ignore, x, y, seen), 1, stream))(t)[0].X
			}
			x, y, seen = append(x, u), append(y, f.At(u)+0.1*stream.NormFloat64()), append(seen, k+2+stream.IntN(8))
		}
		best := slices.MaxFunc(s.UnitPoints(), func(a, b space.Unit) int {
			if f.At(a) < f.At(b) {
				return -1
			}
			return 1
		})
		now := p.phase(told(t, s, prior, feedback.Ignore, x, y, seen))
		left += len(now.points)
		if !slices.ContainsFunc(now.points, func(u space.Unit) bool { return slices.Equal(u, best) }) {
			lost++
		}
	}
	if lost > 1 || left > draws*15 {
		t.Errorf("the maximizer was eliminated in %d of %d draws, %d points are left together", lost, draws, left)
	}
}

// In a space without end the points that are left are filled up by points near them, the same for every query of the phase.
func TestFewPointsAreFilledUpAroundThoseThatAreLeft(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)
	stream := rng.New(4, rng.Test, 0)
	var x []space.Unit
	var y []float64
	var seen []int
	for k := range 60 {
		u := s.Random(stream)
		x, y, seen = append(x, u), append(y, -20*(u[0]-0.3)*(u[0]-0.3)-20*(u[1]-0.6)*(u[1]-0.6)), append(seen, k+2)
	}
	prior := shortPrior(2)
	prior.Kernel, prior.Noise = prior.Kernel.WithValues([]float64{2, 2, 25}), 1e-4
	v := told(t, s, prior, feedback.Ignore, x, y, seen)
	now, again := BPE{}.phase(v), BPE{}.phase(v.WithPending(space.Unit{0.5, 0.5}, feedback.Ignore))
	if len(now.points) < defaultBPECandidates/2 || now.number != 4 || !slices.EqualFunc(now.points, again.points, slices.Equal) {
		t.Fatalf("%d points in phase %d", len(now.points), now.number)
	}
	farthest := 0.0
	for _, u := range now.points {
		farthest = max(farthest, math.Hypot(u[0]-0.3, u[1]-0.6))
	}
	if farthest > 0.3 || now.spacing > 0.02 {
		t.Errorf("points up to %v from the best one, with a spacing of %v; that of the first points is %v", farthest, now.spacing, 1.0/32)
	}
}
