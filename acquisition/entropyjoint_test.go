package acquisition

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// jointly is a posterior with noise of variance 0.04, with its data, and some maxima.
func jointly(t *testing.T, d int, pool bool) (p *surrogate.Posterior, x []space.Unit, y []float64, places []space.Unit, values []float64) {
	t.Helper()
	stream := rng.New(uint64(d), rng.Test, 31)
	prior := must.Get(surrogate.DefaultPrior("matern52", d))(t)
	prior.Noise = .04
	for range 6 + d {
		u := random(d, stream)
		x, y = append(x, u), append(y, math.Sin(4*u[0])-u[d-1])
	}
	for i := range 5 {
		places, values = append(places, random(d, stream)), append(values, .9+.2*float64(i))
	}
	var points *surrogate.Pool
	if pool {
		points = surrogate.NewPool(prior.Kernel, append(append([]space.Unit{}, places...), x...), false)
	}
	return must.Get(prior.Condition(x, y, points))(t), x, y, places, values
}

// What is told by the maximum is what a posterior says that is made anew, with the maximum as one more value, without noise.
func TestTheJointGainIsThatOfAPosteriorMadeAnew(t *testing.T) {
	for d := 1; d <= 3; d++ {
		p, x, y, places, values := jointly(t, d, false)
		f := NewLogJointEntropyGain(p, places, values)
		prior := p.Prior()
		noise := prior.Noise
		prior.Noise = 1e-9
		variances := make([]float64, len(x)+1)
		for i := range x {
			variances[i] = noise - prior.Noise
		}
		stream := rng.New(uint64(d), rng.Test, 32)
		for range 20 {
			at := random(d, stream)
			_, before := p.Predict(at)
			want := 0.0
			for i, place := range places {
				told := must.Get(prior.ConditionKnown(append(x[:len(x):len(x)], place), append(y[:len(y):len(y)], values[i]), variances, nil))(t)
				mean, variance := told.Predict(at)
				gam := (values[i] - mean) / math.Sqrt(variance)
				ratio := normalPDF(gam) / normalCDF(gam)
				left := variance * (1 - ratio*(gam+ratio))
				want += math.Log((before+noise)/(left+noise)) / 2 / float64(len(places))
			}
			must.Near(t, "gain", math.Exp(f.Value(at)), want, 1e-6)
		}
	}
}

func TestTheJointGainHasTheSlopesOfItsDifferences(t *testing.T) {
	for d := 1; d <= 4; d++ {
		p, _, _, places, values := jointly(t, d, false)
		f := NewLogJointEntropyGain(p, places, values)
		stream := rng.New(uint64(d), rng.Test, 33)
		for range 10 {
			x, got := random(d, stream), make([]float64, d)
			must.Near(t, "value", f.Gradient(x, got), f.Value(x), 1e-12)
			want := fd.Gradient(nil, func(u []float64) float64 { return f.Value(u) }, x, &fd.Settings{Formula: fd.Central, Step: 1e-5})
			for j := range got {
				must.Near(t, "slope", got[j], want[j], 1e-5)
			}
		}
	}
}

func TestTheJointGainOverAPoolIsThatOfItsPoints(t *testing.T) {
	p, _, _, places, values := jointly(t, 2, true)
	f := NewLogJointEntropyGain(p, places, values)
	all := f.PoolValues(p.Pool())
	for i, v := range all {
		must.Near(t, "gain", v, f.Value(p.Pool().Point(i)), 1e-6)
	}
	other, _, _, _, _ := jointly(t, 2, true)
	if f.PoolValues(other.Pool()) != nil {
		t.Error("values at the points of another pool")
	}
	if f.PoolValues(nil) != nil {
		t.Error("values at the points of no pool")
	}
}

// A maximum where the value is known tells nothing by its value, and by being the maximum no less.
func TestAKnownPlaceTellsThatNothingIsAboveIt(t *testing.T) {
	prior := must.Get(surrogate.DefaultPrior("matern52", 1))(t)
	prior.Noise = 1e-14
	p := must.Get(prior.Condition([]space.Unit{{.2}, {.8}}, []float64{0, 1}, nil))(t)
	f := NewLogJointEntropyGain(p, []space.Unit{{.8}}, []float64{1})
	for _, at := range []float64{0, .1, .5, 1} {
		mean, variance := p.Predict(space.Unit{at})
		matched, _, _ := MatchedGain((1-mean)/math.Sqrt(variance), 1)
		must.Near(t, "gain", math.Exp(f.Value(space.Unit{at})), matched, 1e-6)
	}
	for _, at := range []float64{.2, .8} {
		grad := []float64{0}
		if v := f.Gradient(space.Unit{at}, grad); math.IsNaN(v) || math.IsNaN(grad[0]) || math.IsInf(grad[0], 0) {
			t.Errorf("at %v: %v, slope %v", at, v, grad[0])
		}
	}
}
