package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// levelled is a view of the square with ten answers, all the same but for the last, which is more by so much.
func levelled(t *testing.T, more float64) View {
	t.Helper()
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)
	stream := rng.New(3, rng.Test, 0)
	var x []space.Unit
	y := slices.Repeat([]float64{5}, 10)
	for range y {
		x = append(x, s.Random(stream))
	}
	y[9] += more
	v := moment(t, s, must.Get(surrogate.DefaultPrior("matern52", 2))(t), x, y, feedback.Hallucinate)
	for k, q := range v.Queries {
		v.History = append(v.History, Answer{Query: q, Value: y[k]})
	}
	v.Incumbent, v.Best = x[9], v.Units.To(y[9])
	return v
}

// While all values are the same policies that adapt look everywhere: a model of them is least sure on the rim, and would look there only.
func TestALevelFunctionIsLookedAtEverywhere(t *testing.T) {
	for _, p := range []Policy{Auto{}, MFMES{}} {
		name, inside := p.Traits().Name, 0
		v := levelled(t, 0)
		for k := range 60 {
			proposals := must.Get(Propose(p, v, 1, rng.New(1, rng.Test, uint64(k))))(t)
			x := proposals[0].X
			if min(x[0], x[1], 1-x[0], 1-x[1]) > 0.1 {
				inside++
			}
			if proposals[0].Forecast != nil {
				t.Errorf("%s forecasts %+v of what it knows nothing about", name, proposals[0].Forecast)
			}
		}
		if inside < 25 || inside > 53 { // 38.4 of 60 are expected
			t.Errorf("%s: %d of 60 points lie inside", name, inside)
		}
		if e := must.Get(Explain(p, v, rng.New(1, rng.Test, 0)))(t); e.Function != nil || e.Why == "" {
			t.Errorf("%s: %+v", name, e)
		}
		if e := must.Get(Explain(p, levelled(t, 1), rng.New(1, rng.Test, 0)))(t); e.Function == nil {
			t.Errorf("%s, one value more: %+v", name, e)
		}
	}
}

// Where there is something else to go by than equal values it is gone by.
func TestEqualValuesAreNotAllThatMayBeKnown(t *testing.T) {
	failed := levelled(t, 0)
	failed.Blamed = []int{failed.Queries[3].Number}
	few := levelled(t, 0)
	few.History = few.History[:1]
	for name, v := range map[string]View{"a failure": failed.Avoiding(), "one value": few} {
		if v.level() {
			t.Errorf("%s: there is nothing to go by", name)
		}
	}
	if !levelled(t, 0).level() {
		t.Error("something to go by in equal values")
	}
}

// What was found at another context is no measure of what can be had at this one.
func TestWhatCountsIsTheBestOfTheContext(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("z", 0, 1).AsContext()))(t)
	var x []space.Unit
	var y []float64
	for i := range 24 {
		u := space.Unit{float64(i%12) / 11, float64(i / 12)}
		x, y = append(x, u), append(y, 10*u[1]-math.Pow(u[0]-.3, 2))
	}
	k := surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.4, .4}, Outputscale: 1}
	v := heard(moment(t, s, surrogate.Prior{Kernel: k, Noise: 1e-6}, x, y, feedback.Ignore))
	for _, c := range []struct{ z, best float64 }{{0, 0}, {1, 10}} {
		v.Context = space.Unit{c.z}
		want, lower := math.Inf(-1), math.Inf(-1)
		for i := range v.Rows {
			mean, variance := v.Posterior.Predict(space.Unit{v.Posterior.X(i)[0], c.z})
			want, lower = max(want, mean), max(lower, mean-2*math.Sqrt(variance))
		}
		if got := v.Target(); got != want || math.Abs(v.Units.From(got)-c.best) > .05 {
			t.Errorf("at %v a query must improve on %v, want %v, about %v", c.z, got, want, v.Units.To(c.best))
		}
		if got := v.bestLower(2); math.Abs(got-lower) > 1e-9 {
			t.Errorf("at %v the best lower bound is %v, want %v", c.z, got, lower)
		}
	}
}

// However many rows a model has, those whose contexts are nearest are looked at, and the others are none of the best.
func TestTheNearestContextsAreLookedAt(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("z", 0, 1).AsContext()))(t)
	stream := rng.New(4, rng.Test, 0)
	var x []space.Unit
	var y []float64
	for range contextRows + 40 {
		u := s.Random(stream)
		x, y = append(x, u), append(y, math.Sin(6*u[0])+3*u[1])
	}
	v := moment(t, s, must.Get(surrogate.DefaultPrior("matern52", 2))(t), x, y, feedback.Ignore)
	v.Context = space.Unit{.5}
	near, means := v.nearest(), v.meansHere()
	if len(near) != contextRows || !slices.IsSorted(near) {
		t.Fatalf("%d rows", len(near))
	}
	least := slices.Min(means)
	for i, mean := range means {
		want := v.Posterior.Mean(space.Unit{v.Posterior.X(i)[0], .5})
		if _, found := slices.BinarySearch(near, i); !found {
			want = least
		}
		if mean != want {
			t.Errorf("row %d: %v, want %v", i, mean, want)
		}
	}
}
