package acquisition

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Two utilities, one of them without what pends, are the sum of those of two posteriors, their derivatives are those of the value, and a search for the
// one ends where a search for the other does.
func TestWhatIsLeftOutIsASumOfTwoPosteriors(t *testing.T) {
	const d, n = 3, 40
	where := floatSpace(t, d)
	for seed := range uint64(6) {
		pending := []int{20, 36, 38, 39}
		full := landscape(t, d, n, false, seed)
		y := full.Targets()
		full = full.Hallucinate(y, pending)
		var rest []float64
		for i, v := range full.Targets() {
			if !slices.Contains(pending, i) {
				rest = append(rest, v)
			}
		}
		rows, ok := full.LeaveOut(pending)
		if !ok {
			t.Fatal("the rows cannot be left out")
		}
		all, alone := UpperConfidenceBound{Beta: 2}, LogExpectedImprovement{Best: 1}
		f, sum := LeftOut{Rows: rows, All: all, Rest: alone}, Sum{At{full, all}, At{full.Without(pending, rest), alone}}
		stream := rng.New(seed, rng.Test, 30)
		for range 5 {
			x := where.Random(stream)
			grad, want := make([]float64, d), make([]float64, d)
			must.Near(t, "value", f.Value(x), sum.Value(x), 1e-8*math.Abs(sum.Value(x)))
			must.Near(t, "value with derivatives", f.Gradient(x, grad), sum.Gradient(x, want), 1e-8*math.Abs(sum.Value(x)))
			for j := range grad {
				must.Near(t, "derivative", grad[j], want[j], 1e-5*max(1, math.Abs(want[j])))
			}
		}
		search := func(f Function) space.Unit {
			return Maximize(f, Search{Space: where, Stream: rng.New(seed, rng.Test, 31), Near: []space.Unit{full.X(3)}})
		}
		if got, want := search(f), search(sum); !within(got, want, 1e-3) {
			t.Errorf("seed %d: found %v, and by the sum %v", seed, got, want)
		}
	}
}

// Over a pool it is the sum of both posteriors there, once the variances without the rows are known.
func TestWhatIsLeftOutOverAPool(t *testing.T) {
	where := floatSpace(t, 2)
	pending := []int{3, 20, 39}
	full := landscape(t, 2, 40, false, 4)
	stream := rng.New(4, rng.Test, 33)
	var points []space.Unit
	for range 50 {
		points = append(points, where.Random(stream))
	}
	pool := surrogate.NewPool(full.Prior().Kernel, points, false)
	full = full.WithPool(pool).Hallucinate(full.Targets(), pending)
	rows, ok := full.LeaveOut(pending)
	if !ok {
		t.Fatal("the rows cannot be left out")
	}
	f := LeftOut{Rows: rows, All: UpperConfidenceBound{Beta: 2}, Rest: LogExpectedImprovement{Best: 1}}
	if f.PoolValues(pool) != nil {
		t.Error("values of a pool of which nothing is known")
	}
	f.Pool = rows.PoolVariance()
	if f.PoolValues(surrogate.NewPool(full.Prior().Kernel, points, false)) != nil {
		t.Error("values of another pool")
	}
	for i, v := range PoolValues(Sum{f}, pool) {
		must.Near(t, "value", v, f.Value(points[i]), 1e-7*max(1, math.Abs(v)))
	}
}

// A glance is at a candidate from which a search sets out: it is never better than what the search finds, and nearly as good where the function is smooth.
func TestAGlanceIsNearWhatASearchFinds(t *testing.T) {
	where := floatSpace(t, 3)
	far := 0
	for seed := range uint64(20) {
		post := landscape(t, 3, 40, true, seed)
		f := At{post, UpperConfidenceBound{Beta: 1}}
		s := func() Search {
			return Search{Space: where, Stream: rng.New(seed, rng.Test, 32), Near: []space.Unit{post.X(0)}}
		}
		glance, found := f.Value(Glance(f, s())), f.Value(Maximize(f, s()))
		if glance > found {
			t.Errorf("seed %d: %v at a glance, and %v in the end", seed, glance, found)
		}
		if glance < found-0.3 {
			far++
		}
	}
	if far > 3 {
		t.Errorf("%d of 20 glances are far from what is found", far)
	}
	few := must.Get(space.New(space.Int("n", 1, 9)))(t)
	f := bowl{space.Unit{.31}, 1}
	if got, want := Glance(f, Search{Space: few, Stream: rng.New(1, rng.Test, 33)}), Maximize(f, Search{Space: few, Stream: rng.New(1, rng.Test, 33)}); !slices.Equal(got, want) {
		t.Errorf("of few points %v, and not %v", got, want)
	}
}
