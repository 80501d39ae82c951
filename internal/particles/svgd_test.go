package particles

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// line is a swarm of single numbers.
func line(at ...float64) *Swarm {
	var start [][]float64
	for _, v := range at {
		start = append(start, []float64{v})
	}
	return NewSwarm(start)
}

func numbers(s *Swarm) (all []float64) {
	for v := range s.Len() {
		all = append(all, s.Particle(v)[0])
	}
	return all
}

// stepNormal moves towards the standard normal distribution, whose score is -θ; sign = -1 is the sign that the thesis prints.
func stepNormal(s *Swarm, h, rate, sign float64) {
	for v := range s.Len() {
		s.Score(v)[0] = -sign * s.Particle(v)[0]
	}
	s.Move(s.Direction(h), rate)
}

const fixedBandwidth = 1 / 1.326

func TestAStepByHand(t *testing.T) {
	s := line(0.5, 1.5, -2)
	stepNormal(s, fixedBandwidth, 0.1, 1)
	for v, want := range []float64{0.4378883429, 1.4658340502, -1.9346328272} {
		must.Near(t, "particle", s.Particle(v)[0], want, 1e-10)
	}
}

func TestParticlesBecomeDrawsFromTheTarget(t *testing.T) {
	start := floats.Span(make([]float64, 20), 2, 3)
	s := line(start...)
	for range 4000 {
		stepNormal(s, fixedBandwidth, 0.05, 1)
	}
	mean, deviation := stat.MeanStdDev(numbers(s), nil)
	must.Near(t, "mean", mean, 0, 1e-3)
	must.Near(t, "standard deviation", deviation, 0.977, 0.03)
	wrong := line(start...)
	for range 60 {
		stepNormal(wrong, fixedBandwidth, 0.05, -1)
	}
	if runaway := stat.Mean(numbers(wrong), nil); runaway < 10 {
		t.Errorf("with the sign that is printed the mean is %v after 60 steps, want it to run away", runaway)
	}
}

func TestTheBandwidthFollowsTheMedianDistance(t *testing.T) {
	s, scaled := line(0, 1, 3), line(0, 10, 30)
	for v := range 3 {
		s.Score(v)[0], scaled.Score(v)[0] = 1, 0.1
	}
	want := math.Log(3) / 4
	s.distances()
	must.Near(t, "bandwidth", s.bandwidth(), want, 1e-12)
	a, b := s.Direction(0), scaled.Direction(0)
	for v := range a {
		must.Near(t, "direction in other units", b[v][0], a[v][0]/10, 1e-12)
	}
	if one := line(2); len(one.Direction(0)) != 1 {
		t.Error("a single particle has no direction")
	}
	if same := line(2, 2); math.IsNaN(same.Direction(0)[0][0]) {
		t.Error("particles at one place go nowhere")
	}
}

func TestAMixtureByHand(t *testing.T) {
	p := Mixture{[][]float64{{0.1, -0.4}, {0.6, 0.2}, {-0.3, 0.5}}, []float64{0.4, 0.4}}
	grad := make([]float64, 2)
	must.Near(t, "log density", p.LogDensity([]float64{0.2, 0.1}, grad), -0.834409936737, 1e-11)
	must.Near(t, "gradient", grad[0], 0.2478799595, 1e-9)
	must.Near(t, "gradient", grad[1], -0.2482739971, 1e-9)
}

func TestTheNormalPriorIsNormal(t *testing.T) {
	p := NewNormal([]float64{1, -2}, []float64{0.5, 2})
	want := -0.5*(4/0.5+9./2) - math.Log(2*math.Pi) - 0.5*math.Log(0.5*2)
	must.Near(t, "log density", p.LogDensity([]float64{3, 1}, make([]float64, 2)), want, 1e-14)
}

func TestGradientsOfPriorsAgreeWithDifferences(t *testing.T) {
	stream := rng.New(8, rng.Test, 1)
	draw := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = stream.NormFloat64()
		}
		return out
	}
	mixture := NewMixture([][]float64{draw(4), draw(4), draw(4), draw(4)})
	for _, p := range []Prior{mixture, NewNormal(draw(4), []float64{0.5, 2, 0.1, 1})} {
		theta, grad := draw(4), make([]float64, 4)
		p.LogDensity(theta, grad)
		want := fd.Gradient(nil, func(v []float64) float64 { return p.LogDensity(v, make([]float64, 4)) }, theta, &fd.Settings{Formula: fd.Central})
		if !floats.EqualApprox(grad, want, 1e-7) {
			t.Errorf("%T: %v, differences say %v", p, grad, want)
		}
	}
}

func TestSilvermansBandwidthIsThatOfEachNumber(t *testing.T) {
	p := NewMixture([][]float64{{0, 5, 1}, {2, 5, 4}})
	factor := math.Pow(4./(5*2), 1./7)
	for i, want := range []float64{factor * math.Sqrt2, leastBandwidth, factor * 3 / math.Sqrt2} {
		must.Near(t, "bandwidth", p.Bandwidth[i], want, 1e-12)
	}
	if one := NewMixture([][]float64{{3}}); one.Bandwidth[0] != leastBandwidth {
		t.Errorf("the bandwidth of a single particle is %v", one.Bandwidth)
	}
}
