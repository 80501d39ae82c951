package policies

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// informedBy is a view of a line with answers of a hill at .3 and earlier studies of some functions.
func informedBy(t *testing.T, x []space.Unit, functions map[string]func(float64) float64, order ...string) View {
	t.Helper()
	hill := func(u float64) float64 { return 1 - 8*(u-.3)*(u-.3) }
	prior := surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{.2}, Outputscale: 1}, Noise: 1e-4}
	y := make([]float64, len(x))
	for i, u := range x {
		y[i] = hill(u[0])
	}
	v := moment(t, line(t), prior, x, y, feedback.Hallucinate)
	for i, q := range v.Queries {
		v.History = append(v.History, Answer{Query: q, Seen: i + 2, Value: y[i]})
	}
	for _, name := range order {
		var at []space.Unit
		var values []float64
		for k := range 21 {
			u := float64(k) / 20
			at, values = append(at, space.Unit{u}), append(values, functions[name](u))
		}
		v.Earlier = append(v.Earlier, Earlier{Name: name, Posterior: must.Get(prior.Condition(at, values, nil))(t)})
	}
	return v
}

var fewAnswers = []space.Unit{{.05}, {.2}, {.45}, {.6}, {.8}, {.95}}

func TestStudiesThatMisleadLoseTheirWeight(t *testing.T) {
	like := func(u float64) float64 { return 1 - 9*(u-.33)*(u-.33) }
	unlike := func(u float64) float64 { return 8*(u-.3)*(u-.3) - 1 }
	v := informedBy(t, fewAnswers, map[string]func(float64) float64{"like": like, "unlike": unlike}, "unlike", "like")
	w := v.EarlierShares(200, rand.New(rand.NewPCG(1, 2)))
	sum := 0.0
	for _, share := range w {
		sum += share
	}
	if math.Abs(sum-1) > 1e-12 || w[0] != 0 || w[1] < .3 {
		t.Errorf("weights %v", w)
	}
	v = informedBy(t, fewAnswers, map[string]func(float64) float64{"unlike": unlike}, "unlike")
	if w := v.EarlierShares(200, rand.New(rand.NewPCG(1, 2))); w[0] != 0 || w[1] != 1 {
		t.Errorf("all mislead: weights %v", w)
	}
}

func TestBeforeThreeAnswersEarlierStudiesCountTheSame(t *testing.T) {
	f := func(u float64) float64 { return u }
	v := informedBy(t, fewAnswers[:2], map[string]func(float64) float64{"a": f, "b": f}, "a", "b")
	if w := v.EarlierShares(50, rand.New(rand.NewPCG(1, 2))); w[0] != .5 || w[1] != .5 || w[2] != 0 {
		t.Errorf("weights %v", w)
	}
}

func TestMisrankedPairsAreThoseOfTheOtherOrder(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 2 + stream.IntN(12)
		f, y := make([]float64, n), make([]float64, n)
		for i := range f {
			f[i], y[i] = stream.NormFloat64(), float64(stream.IntN(5))
		}
		want := 0
		for i := range n {
			for j := range n {
				if y[i] < y[j] && !(f[i] < f[j]) {
					want++
				}
			}
		}
		if got := misranked(f, y); got != want {
			t.Fatalf("%v by %v: %d, want %d", f, y, got, want)
		}
	}
}

func TestFewModelsKeepTheirWeight(t *testing.T) {
	w := fewest([]float64{.1, .4, .1, .2, .2}, 2)
	for i, want := range []float64{0, .5, 0, .25, .25} {
		if math.Abs(w[i]-want) > 1e-12 {
			t.Errorf("%v", w)
			break
		}
	}
}

// The first queries go where the earlier studies were good, each where those before leave most to be gained, whether they have answers or not.
func TestTheFirstQueriesAreAPortfolio(t *testing.T) {
	bump := func(at float64) func(float64) float64 {
		return func(u float64) float64 { return 2 * math.Exp(-80*(u-at)*(u-at)) }
	}
	v := informedBy(t, nil, map[string]func(float64) float64{"a": bump(.2), "b": bump(.2), "c": bump(.75)}, "a", "b", "c")
	p := must.Get(RGPE{}.Propose(v, 2, rand.New(rand.NewPCG(5, 6))))(t)
	if math.Abs(p[0].X[0]-.2) > .03 || math.Abs(p[1].X[0]-.75) > .03 {
		t.Errorf("queries at %v and %v, want .2 and .75", p[0].X, p[1].X)
	}
}

func TestSlopesOfTheEnsembleAreThoseOfItsValue(t *testing.T) {
	f := func(u float64) float64 { return math.Sin(5 * u) }
	v := informedBy(t, fewAnswers, map[string]func(float64) float64{"a": f}, "a")
	grad := []float64{0}
	for name, of := range map[string]interface {
		Value(space.Unit) float64
		Gradient(space.Unit, []float64) float64
	}{"ensemble": v.ensemble([]float64{.4, .6}), "portfolio": v.portfolio()} {
		for _, u := range []float64{.11, .37, .52, .88} {
			const step = 1e-5
			of.Gradient(space.Unit{u}, grad)
			if slope := (of.Value(space.Unit{u + step}) - of.Value(space.Unit{u - step})) / (2 * step); math.Abs(slope-grad[0]) > 1e-4*(1+math.Abs(slope)) {
				t.Errorf("%s at %v: slope %v, want %v", name, u, grad[0], slope)
			}
		}
	}
}

// Earlier studies that agree and mislead lose their weight, and the next queries are far from those that they chose, as many as a design has; not
// where one of the studies has a weight, and not later.
func TestAStudyThatWasMisledFillsTheSpace(t *testing.T) {
	f := func(u float64) float64 { return u }
	misleads := func(u float64) float64 { return -u }
	v := informedBy(t, fewAnswers, map[string]func(float64) float64{"a": misleads, "b": misleads}, "a", "b")
	own := []float64{0, 0, 1}
	for n, want := range map[int]bool{5: true, 6: false} { // a design of three, and three before
		v.Queries = v.Queries[:min(n, len(v.Queries))]
		for len(v.Queries) < n {
			v.Queries = append(v.Queries, Query{X: space.Unit{0.9}})
		}
		if got := v.misled(own); got != want {
			t.Errorf("%d queries: %v, want %v", n, got, want)
		}
	}
	if v.Queries = v.Queries[:3]; v.misled([]float64{0.01, 0, 0.99}) || v.misled([]float64{1, 0, 0}) {
		t.Error("a study with a weight misleads")
	}
	v.Queries = []Query{{X: space.Unit{0.8}}, {X: space.Unit{0.9}}, {X: space.Unit{1}}}
	if x := v.uncovered([]space.Unit{{0.7}}, rand.New(rand.NewPCG(1, 2))); x[0] > 0.2 {
		t.Errorf("%v is far from 0.7 to 1, want less", x)
	}
	helps := informedBy(t, fewAnswers, map[string]func(float64) float64{"a": f}, "a")
	if w := helps.EarlierShares(100, rand.New(rand.NewPCG(3, 4))); helps.misled(w) {
		t.Errorf("weights %v of a study that ranks all alike", w)
	}
}
