package policies

import (
	"math"
	"slices"
	"strings"
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

// left is the mean squared distance of points of the space at random to the nearest of the queries.
func left(v View, queries []space.Unit) float64 {
	sum, n, stream, squared := 0.0, 2000, rng.New(9, rng.Test, 0), v.metric()
	for range n {
		x, least := v.Space.RandomAt(v.Context, stream), math.Inf(1)
		for _, q := range queries {
			least = min(least, squared(x, q))
		}
		sum += least
	}
	return sum / float64(n)
}

// While all values are the same half of the queries of policies that adapt cover the space: a model of them is least sure on the rim, and would look there
// only, and uniform points leave holes. The others reach every end of every range, of which a thousandth may be all that differs.
func TestALevelFunctionIsLookedAtEverywhere(t *testing.T) {
	for _, p := range []Policy{Auto{}, MFMES{}} {
		name, inside, ends := p.Traits().Name, 0, [4]int{}
		v := levelled(t, 0)
		uniform, covered := pointsOf(v), pointsOf(v)
		for k := range 60 {
			stream := rng.New(1, rng.Test, uint64(k))
			proposals := must.Get(Propose(p, v, 1, stream))(t)
			x := proposals[0].X
			if min(x[0], x[1], 1-x[0], 1-x[1]) > 0.1 {
				inside++
			}
			for i, distance := range []float64{x[0], 1 - x[0], x[1], 1 - x[1]} {
				if distance < 1e-3 {
					ends[i]++
				}
			}
			if proposals[0].Forecast != nil {
				t.Errorf("%s forecasts %+v of what it knows nothing about", name, proposals[0].Forecast)
			}
			v.Queries = append(v.Queries, Query{Number: len(v.Queries) + 1, X: x})
			uniform, covered = append(uniform, v.Space.Random(stream)), append(covered, x)
		}
		if inside < 15 || inside > 45 { // 38.4 of 60 would be alike everywhere
			t.Errorf("%s: %d of 60 points lie inside", name, inside)
		}
		if slices.Min(ends[:]) < 1 || slices.Max(ends[:]) > 15 {
			t.Errorf("%s: %d of 60 points lie in the outer thousandths of the ranges", name, ends)
		}
		if a, b := left(v, covered), left(v, uniform); a > 0.85*b {
			t.Errorf("%s: what is left is %.3g, by uniform points %.3g", name, a, b)
		}
		if e := must.Get(Explain(p, levelled(t, 0), rng.New(1, rng.Test, 0)))(t); e.Function != nil || e.Why == "" {
			t.Errorf("%s: %+v", name, e)
		}
		if e := must.Get(Explain(p, View{Space: v.Space, Belief: v.Belief, History: v.History, Queries: v.Queries[:11]}, rng.New(1, rng.Test, 1)))(t); !strings.Contains(e.Why, "covers") {
			t.Errorf("%s: the twelfth query: %+v", name, e)
		}
		if e := must.Get(Explain(p, levelled(t, 1), rng.New(1, rng.Test, 0)))(t); e.Function == nil {
			t.Errorf("%s, one value more: %+v", name, e)
		}
	}
}

func pointsOf(v View) (out []space.Unit) {
	for _, q := range v.Queries {
		out = append(out, q.X)
	}
	return out
}

// Before the first value every second query of policies that adapt covers the space, and the others are uniform, as all of other policies are.
func TestBeforeTheFirstValueHalfOfTheQueriesCover(t *testing.T) {
	for _, p := range []Policy{Auto{}, MFMES{}, LogEI{}} {
		v := View{Space: must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)}
		var uniform, queries []space.Unit
		for k := range 40 {
			x := must.Get(Propose(p, v, 1, rng.New(5, rng.Test, uint64(k))))(t)[0].X
			v.Queries, queries = append(v.Queries, Query{Number: k + 1, X: x}), append(queries, x)
			uniform = append(uniform, v.Space.Random(rng.New(5, rng.Test, uint64(k))))
			why := must.Get(Explain(p, v, rng.New(5, rng.Test, 0)))(t).Why
			if covers := p.Traits().Adapts && k%2 == 0; strings.Contains(why, "covers the space") != covers {
				t.Errorf("%s, query %d: %s", p.Traits().Name, k+2, why)
			}
		}
		if a, b := left(v, queries), left(v, uniform); p.Traits().Adapts && a > 0.8*b || !p.Traits().Adapts && a != b {
			t.Errorf("%s: what is left is %.3g, by uniform points %.3g", p.Traits().Name, a, b)
		}
	}
}

// The point that is chosen is the one of those tried after which least is left: the dumb way, which measures all distances anew.
func TestWhatCoversIsWhatLeavesLeast(t *testing.T) {
	var points []space.Point
	for k := range 40 {
		points = append(points, space.Point{float64(k) / 39, float64(k*k%7) / 6, float64(k % 3)})
	}
	v := View{Space: must.Get(space.List(points, space.Float("x", 0, 1), space.Float("y", 0, 1), space.Categorical("c", "a", "b", "c")))(t), Quiet: true}
	squared := v.metric()
	if d := squared(space.Unit{0, 0.5, 0}, space.Unit{0, 0, 0.5}); d != 1.25 {
		t.Errorf("two words and half a range are %v apart", d)
	}
	after := func(x space.Unit) (sum float64) {
		for _, y := range v.Space.UnitPoints() {
			least := squared(x, y)
			for _, q := range v.Queries {
				least = min(least, squared(q.X, y))
			}
			sum += least
		}
		return sum
	}
	for k := range points {
		x := v.cover(nil, rng.New(2, rng.Test, uint64(k)))
		got, least := after(x), math.Inf(1)
		for _, y := range v.Space.UnitPoints() {
			if !slices.ContainsFunc(v.Queries, func(q Query) bool { return slices.Equal(q.X, y) }) {
				least = min(least, after(y))
			}
		}
		if math.Abs(got-least) > 1e-9 {
			t.Fatalf("query %d leaves %v, another one %v", k+1, got, least)
		}
		v.Queries = append(v.Queries, Query{Number: k + 1, X: x})
	}
	avoid := []space.Unit{v.Queries[3].X}
	v.Quiet = false // all points may be queried again, but for the one that is avoided
	if x := v.cover(avoid, rng.New(2, rng.Test, 0)); slices.Equal(x, avoid[0]) {
		t.Errorf("%v is chosen all the same", x)
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
		if got := (alone{View: v}).bestLower(2); math.Abs(got-lower) > 1e-9 {
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
	near, means := v.nearest(nil), v.meansHere(nil)
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
