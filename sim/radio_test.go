package sim

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func TestRadioLinksAtHandWorkedPlaces(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want float64
		within    float64
	}{
		{"ground loss at 150 m", groundLoss(150), 104.60224632, 1e-8},
		{"air loss at 150 m", airLoss(150), 81.89460761, 1e-8},
		{"gain 5° up and 30° aside", gain(5, 12*square(30./65)), 2.443786982, 1e-9},
		{"gain behind the antenna", gain(0, 12*square(180./65)), -30, 0},
		{"gain on the axis", gain(0, 0), 8, 0},
	} {
		if math.Abs(c.got-c.want) > c.within {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	// Straight north of the first site the first antenna, 1 m to the north of it, sees a user 101 m away from the site at a
	// distance of 100 m, and 23.5 m below itself.
	u := linked(0, 101, groundHeight, groundLoss)[0]
	if math.Abs(u.elevation-degrees(math.Atan(-0.235))) > 1e-12 || u.aside > 1e-12 || u.loss != groundLoss(math.Hypot(100, 23.5)) {
		t.Errorf("%+v", u)
	}
	// The third antenna looks to 330°, and the user is at 90° but for the offset of 1 m: 120° aside.
	u = linked(0, 1e6, groundHeight, groundLoss)[2]
	if math.Abs(u.aside-12*square(120./65)) > 1e-3 {
		t.Errorf("%v dB aside", u.aside)
	}
}

func TestMeanRatesUnderFading(t *testing.T) {
	// Without interference E ln(1 + sH) is e^(1/s) E1(1/s); Abramowitz and Stegun 1964, table 5.1, have E1(1) and E1(0.5).
	for _, c := range []struct{ power, want float64 }{{1, math.E * 0.219383934}, {2, math.Exp(0.5) * 0.559773595}} {
		if got := (received{3: c.power}).meanRate() * math.Ln2; math.Abs(got-c.want) > 2e-9 {
			t.Errorf("power %v alone: %v, want %v", c.power, got, c.want)
		}
	}
	stream := rng.New(1, rng.Test, 0)
	for _, r := range []received{
		{0.01, 0.003}, {5, 4, 3, 2, 1}, {1e8, 1e3}, {1e8, 1e8, 1e8, 1e8, 1e8, 1e8, 1e8, 1e8, 1e8}, {1e-3, 1e4, 2e4, 0.5, 30, 1e3, 7, 1e-5, 0.1},
	} {
		const draws = 200_000
		if got, mean := r.fadedRate(draws, stream), r.meanRate(); math.Abs(got-mean) > 0.01*mean {
			t.Errorf("%v: the mean of draws is %v, the integral %v", r, got, mean)
		}
	}
}

func TestRatesWithoutFadingAreThoseOfTheStrongest(t *testing.T) {
	// 6 over 1 + 1 and noise of 1.
	if got := (received{1, 6, 1}).rate(); math.Abs(got-math.Log2(3)) > 1e-15 {
		t.Errorf("rate %v, want log2 3", got)
	}
}

func TestRadioUsersAreInTheirSectors(t *testing.T) {
	n := layout(rng.New(7, rng.Problem, 0))
	if len(n.ground) != 36 || len(n.air) != 28 {
		t.Fatalf("%d users on the ground, %d in the air", len(n.ground), len(n.air))
	}
	for i, u := range n.ground {
		// Seen from the antenna, 1 m off the site, the user is at most 120 m and 90° away, give or take the offset.
		own := u[i/usersPerSector]
		if flat := (groundHeight - antennaHeight) / math.Tan(radians(own.elevation)); flat < 8.9 || flat > 121.1 || own.aside > 12*square(98./65) {
			t.Errorf("user %d: %v m away, %v dB aside", i, flat, own.aside)
		}
	}
}

func TestRadioObservationsHaveTheValueAsTheirMean(t *testing.T) {
	for _, draws := range []int{1, 4} {
		p := must.Get(Radio(2, draws))(t)
		x := p.Space.Value(p.Space.Sample(space.Uniform, 1, rng.New(9, rng.Test, 1))[0])
		const n = 1500
		sum, squares := 0.0, 0.0
		for i := range n {
			d := p.Observe(x, rng.New(1, rng.Noise, uint64(i))) - p.Value(x)
			sum, squares = sum+d, squares+d*d
		}
		sd := math.Sqrt(squares / n)
		if mean := sum / n; math.Abs(mean) > 4*sd/math.Sqrt(n) {
			t.Errorf("%d draws: the observations are off by %v on average, with a standard deviation of %v", draws, mean, sd)
		}
	}
}

func TestRadioLayoutsFollowFromTheSeed(t *testing.T) {
	a, b, other := problem(t, "radio", 4), problem(t, "radio", 4), problem(t, "radio", 5)
	points := a.Space.Sample(space.Halton, 50, rng.New(1, rng.Test, 2))
	values := func(p Problem) (out []float64) {
		for _, u := range points {
			out = append(out, p.Value(p.Space.Value(u)))
		}
		return out
	}
	v := values(a)
	if !slices.Equal(v, values(b)) || slices.Equal(v, values(other)) {
		t.Error("layouts do not follow from the seed")
	}
	if slices.Min(v) <= 0 || slices.Max(v) >= a.Maximum {
		t.Errorf("values from %v to %v, maximum %v", slices.Min(v), slices.Max(v), a.Maximum)
	}
	if _, err := Radio(1, 0); err == nil {
		t.Error("no draws, and no error")
	}
}

func problem(t *testing.T, spec string, seed uint64) Problem {
	t.Helper()
	return must.Get(NewProblem(spec, seed))(t)
}

func TestTheBoundOfTheRadioProblemIsAboveWhatIsReached(t *testing.T) {
	p := problem(t, "radio", 1)
	stream, best, at := rng.New(1, rng.Test, 3), 0.0, p.Space.Random(rng.New(1, rng.Test, 4))
	for range 2000 {
		u := slices.Clone(at)
		u[stream.IntN(len(u))] = stream.Float64()
		if v := p.Value(p.Space.Value(u)); v > best {
			best, at = v, u
		}
	}
	if best < 5 || best > p.Maximum || p.Maximum > 2*best {
		t.Errorf("a random walk reaches %v, the bound is %v", best, p.Maximum)
	}
}

// Ranges, places and sectors as the program of the paper has them.
func TestTheRadioNetworkIsThatOfThePaper(t *testing.T) {
	p := problem(t, "radio", 1)
	low, high := p.Space.Value(make([]float64, 18)), p.Space.Value(slices.Repeat([]float64{1}, 18))
	for b := range 9 {
		if low[b] != 6 || high[b] != 46 || low[9+b] != -90 || high[9+b] != 90 {
			t.Errorf("antenna %d: powers from %v to %v, tilts from %v to %v", b+1, low[b], high[b], low[9+b], high[9+b])
		}
	}
	if sites != [...][2]float64{{0, 0}, {0, 200}, {171, 100}} {
		t.Errorf("sites at %v", sites)
	}
	for k, want := range [][3]float64{{90, 30, 150}, {210, 150, 300}, {330, 300, 390}} {
		if s := sectors[k]; s.boresight != want[0] || s.from != want[1] || s.to != want[2] {
			t.Errorf("sector %d: %+v, want %v", k+1, s, want)
		}
	}
}

// Only the rates of users on the ground are averages over fading, and they weigh 0.7.
func TestUAVsSeeNoFading(t *testing.T) {
	n := layout(rng.New(3, rng.Problem, 0))
	x := append(slices.Repeat([]float64{30}, 9), slices.Repeat([]float64{10}, 9)...)
	sum := 0.0
	for i := range n.air {
		sum += n.air[i].receives(x).rate()
	}
	for _, rate := range []float64{0, 2} {
		got := n.value(func(u *user) received { return u.receives(x) }, func(received) float64 { return rate })
		if want := 0.7*rate + 0.3*sum/28; math.Abs(got-want) > 1e-12 {
			t.Errorf("value %v where ground users have the rate %v, want %v", got, rate, want)
		}
	}
}
