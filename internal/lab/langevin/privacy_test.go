package langevin

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// oneBit is the coding of the source.
var oneBit = Coding{Slope: 0.05, Clip: 30}

func TestQuantizerOfHandWorkedValues(t *testing.T) {
	must.Near(t, "probability of +1", oneBit.Up(30), 0.817574476194, 1e-12)
	must.Near(t, "mean", oneBit.Mean(30), 0.635148952387, 1e-12)
	must.Near(t, "mean by the probability", oneBit.Mean(17), 2*oneBit.Up(17)-1, 1e-15)
	must.Near(t, "greatest loss of an entry", oneBit.LossLimit(1), 1.5, 1e-15)
	if oneBit.Up(1e9) != oneBit.Up(30) || oneBit.Mean(-1e9) != -oneBit.Mean(30) || (Coding{Clip: 30}).Mean(44) != 30 {
		t.Error("entries are not clipped")
	}
}

func TestLossOfHandWorkedValues(t *testing.T) {
	must.Near(t, "sent +1", oneBit.Loss(1, 0.7, 0.4, 1.3), 0.70279767, 1e-8)
	must.Near(t, "sent -1", oneBit.Loss(-1, 0.7, 0.4, 1.3), -0.20414152, 1e-8)
}

// A bit that is all but certain gives away what the channel lets through, and one that the channel lets through all but certainly what the coding does.
func TestLossIsFiniteWhereTheCodingIsSteep(t *testing.T) {
	for _, most := range []float64{0, 1e-9, 0.3, 5, 20, 36} {
		for _, z := range []float64{-7, -0.3, 0, 1e-8, 0.4, 2, 12} {
			want := 2 * math.Atanh(math.Tanh(most/2)*math.Tanh(0.5*(0.5+z)/1.3))
			must.Near(t, "loss", Coding{Slope: most, Clip: 1}.Loss(1, 0.5, z, 1.3), want, 1e-9*max(1, math.Exp(most-20)))
		}
	}
	for _, most := range []float64{38, 80, 1e4, 1e300} {
		steep := Coding{Slope: most, Clip: 1}
		must.Near(t, "what the channel lets through", steep.Loss(1, 1, 2, 1), 6, 1e-12)
		must.Near(t, "of -1", steep.Loss(-1, 1, -2, 1), -6, 1e-12)
		must.Near(t, "what the coding does", Coding{Slope: 38, Clip: 1}.Loss(1, most, 2, 1), 38, 1e-12)
	}
}

// density is that of what is received of an entry of a device with gradient g, with all that others sent, but for a factor.
func density(c Coding, g, amplitude, others, noise, received float64) float64 {
	normal := func(mean float64) float64 { return math.Exp(-(received - mean) * (received - mean) / (2 * noise)) }
	return c.Up(g)*normal(amplitude*(1+others)) + (1-c.Up(g))*normal(amplitude*(-1+others))
}

func TestLossIsTheRatioOfTheDensitiesWhateverOthersSend(t *testing.T) {
	stream := rng.New(1, rng.Test, 0)
	for range 200 {
		amplitude, z, noise, others := 2*stream.Float64(), stream.NormFloat64(), 0.5+stream.Float64(), float64(2*stream.IntN(20)-19)
		sent := float64(2*stream.IntN(2) - 1)
		received := amplitude*(sent+others) + z
		want := math.Log(density(oneBit, 30, amplitude, others, noise, received) / density(oneBit, -30, amplitude, others, noise, received))
		must.Near(t, "loss", oneBit.Loss(sent, amplitude, z, noise), want, 1e-9)
	}
	for _, z := range []float64{-1e9, 1e9} {
		must.Near(t, "loss far out", math.Abs(oneBit.Loss(1, 50, z, 1)), 1.5, 1e-12)
	}
}

func TestProbabilityOfAnAnalogLossOfHandWorkedValues(t *testing.T) {
	must.Near(t, "P(|N(2, 4)| <= 5)", Privacy{Epsilon: 5}.Analog(2), 0.932960169652, 1e-12)
	analog := Coding{Clip: 30}
	must.Near(t, "mean loss", analog.AnalogLoss(0.01, 2, 5), 0.45, 1e-14)
	at := Privacy{5, 0.01}.Limit(analog, 1, 5, 0, nil)
	must.Near(t, "probability at the limit", Privacy{Epsilon: 5}.Analog(analog.AnalogLoss(at, 1, 5)), 0.99, 1e-6)
}

// exact is the probability for a single entry, by the two bits and a fine sum over the noise.
func exact(p Privacy, c Coding, amplitude, noise float64) float64 {
	const reach, parts = 9.0, 20_000
	sum := 0.0
	for i := range parts {
		z := reach * (2*(float64(i)+0.5)/parts - 1)
		weight := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) * 2 * reach / parts
		for _, bit := range []struct{ sent, probability float64 }{{1, c.Up(c.Clip)}, {-1, 1 - c.Up(c.Clip)}} {
			if math.Abs(c.Loss(bit.sent, amplitude, math.Sqrt(noise)*z, noise)) <= p.Epsilon {
				sum += weight * bit.probability
			}
		}
	}
	return sum
}

func TestSimulatedPrivacyOfOneEntryIsTheExactOne(t *testing.T) {
	p := Privacy{1, 0.01}
	const rounds = 40_000
	limit := p.Limit(oneBit, 1.3, 1, rounds, rng.New(3, rng.Loss, 0))
	standardError := math.Sqrt(p.Delta * (1 - p.Delta) / rounds)
	if got := exact(p, oneBit, limit, 1.3); math.Abs(got-(1-p.Delta)) > 4*standardError {
		t.Errorf("at the simulated limit %v the probability is %v", limit, got)
	}
}

func TestPrivacyAsksForLessAmplitudeTheMoreItPromises(t *testing.T) {
	for _, c := range []Coding{oneBit, {Clip: 30}} {
		last := 0.0
		for _, epsilon := range []float64{0.25, 0.5, 1, 2, 4, 7.4} {
			limit := Privacy{epsilon, 0.01}.Limit(c, 1, 5, 2000, rng.New(1, rng.Loss, 0))
			if limit <= last || math.IsInf(limit, 1) {
				t.Errorf("slope %v, epsilon %v: limit %v after %v", c.Slope, epsilon, limit, last)
			}
			last = limit
		}
	}
	if limit := (Privacy{7.5, 0.01}).Limit(oneBit, 1, 5, 2000, rng.New(1, rng.Loss, 0)); !math.IsInf(limit, 1) {
		t.Errorf("no loss is above 7.5, and the limit is %v", limit)
	}
}
