package policies

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// answered is a view of the square with so many answers at random points under a model of that lengthscale and hardly any noise, as one is that takes noise for a rough
// function.
func answered(t *testing.T, n int, length float64, value func(x space.Unit, k int) float64) View {
	t.Helper()
	s := must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1)))(t)
	stream := rng.New(5, rng.Test, 0)
	var x []space.Unit
	var y []float64
	for k := range n {
		x = append(x, s.Random(stream))
		y = append(y, value(x[k], k))
	}
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	of := prior.Kernel.(surrogate.Stationary)
	for j := range of.Lengthscales {
		of.Lengthscales[j] = length
	}
	prior.Kernel, prior.Noise = of, 1e-6
	v := moment(t, s, prior, x, y, feedback.Hallucinate)
	for k, q := range v.Queries {
		v.History = append(v.History, Answer{Query: q, Value: y[k]})
	}
	best := slices.Index(y, slices.Max(y))
	v.Incumbent, v.Best = x[best], v.Units.To(y[best])
	return v
}

// While the values might as well be noise every second query covers the space, and none once they tell anything or one stands out.
func TestEverySecondQueryCoversTheSpaceWhileNothingIsForetold(t *testing.T) {
	stream := rng.New(6, rng.Test, 0)
	noise := func(space.Unit, int) float64 { return stream.NormFloat64() }
	hill := func(x space.Unit, _ int) float64 {
		return math.Exp(-8*(x[0]-0.3)*(x[0]-0.3)-8*(x[1]-0.6)*(x[1]-0.6)) + 0.01*stream.NormFloat64()
	}
	spike := func(x space.Unit, k int) float64 {
		if k == 7 {
			return 9
		}
		return stream.NormFloat64()
	}
	for name, c := range map[string]struct {
		v    View
		want bool
	}{
		"noise":                          {answered(t, 20, 0.05, noise), true},
		"noise, of fifteen values":       {answered(t, 15, 0.05, noise), false},
		"noise, under a smooth model":    {answered(t, 20, 0.5, noise), true},
		"a hill":                         {answered(t, 20, 0.4, hill), false},
		"one of the values stands out":   {answered(t, 20, 0.05, spike), false},
		"equal values, and a better one": {answered(t, 20, 0.05, func(_ space.Unit, k int) float64 { return float64(k / 19) }), false},
	} {
		for c.v.Round = 30; c.v.Round < 34; c.v.Round++ {
			want := c.want && c.v.Round%2 == 1
			e := must.Get(Explain(Auto{}, c.v, rng.New(1, rng.Test, 1)))(t)
			x := must.Get(Propose(Auto{}, c.v, 1, rng.New(1, rng.Test, 1)))(t)[0].X
			covers := slices.Equal(x, c.v.cover(nil, rng.New(1, rng.Test, 1)))
			if covers != want || strings.Contains(e.Why, "covers the space") != want {
				t.Errorf("%s, round %d: covers %v, says %q", name, c.v.Round, covers, e.Why)
			}
		}
	}
	taught, theory := answered(t, 20, 0.05, noise), Auto{Beta: Beta{Theory: true}}
	taught.Earlier = make([]Earlier, 1)
	if taught.foretellsNothing() {
		t.Error("earlier studies foretell nothing")
	}
	if v := answered(t, 20, 0.05, noise); theory.turn(v) == covering {
		t.Error("a bound by the theory is left")
	}
}

// The bound that spares the model of the answers alone changes nothing.
func TestWhatIsForetoldIsThatOfTheAnswersAlone(t *testing.T) {
	stream, nothing := rng.New(8, rng.Test, 0), 0
	for range 200 {
		loud := math.Exp(6*stream.Float64() - 4)
		v := answered(t, 24, 0.05+0.5*stream.Float64(), func(x space.Unit, _ int) float64 { return math.Sin(5*x[0]) + x[1] + loud*stream.NormFloat64() })
		pending := 1 + stream.IntN(6)
		for _, q := range v.Queries[len(v.Queries)-pending:] {
			v.Pending = append(v.Pending, q.Number)
		}
		v.Want.Pending = feedback.Hallucinate
		v.Posterior = v.Posterior.Hallucinate(v.Posterior.Targets(), v.pendingRows())
		y := v.Ignoring().Posterior.Targets()
		noise := -float64(len(y)) / 2 * (math.Log(2*math.Pi*stat.PopVariance(y, nil)) + 1)
		slices.Sort(y)
		mean, stddev := stat.PopMeanStdDev(y[:len(y)-1], nil)
		want := v.Ignoring().Posterior.LogEvidence() < noise && y[len(y)-1] <= mean+outstanding*stddev
		if got := v.foretellsNothing(); got != want {
			t.Errorf("foretells nothing: %v, want %v", got, want)
		}
		if want {
			nothing++
		}
	}
	if nothing < 20 || nothing > 180 {
		t.Errorf("%d of 200 foretell nothing", nothing)
	}
}
