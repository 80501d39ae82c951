package safety

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
)

func TestTheMarginOfNormalNoise(t *testing.T) {
	for _, c := range []struct {
		queries             int
		delta, sigma, omega float64
	}{{25, .1, .1, .263510585229}, {50, .1, .2, .572396772672}, {100, .05, 1, 3.28340753527}} {
		m := must.Get(GaussianGuardBand(c.sigma, c.queries, 1-c.delta))(t)
		near(t, "omega", m.Omega, c.omega)
		if m.Confidence != 1-c.delta || m.Why != "" {
			t.Errorf("margin is %+v", m)
		}
	}
	exact := must.Get(GaussianGuardBand(0, 25, .9))(t)
	if exact.Omega != 0 || exact.Violates(0) || !exact.Violates(-1e-300) {
		t.Errorf("without noise the margin is %+v", exact)
	}
	if !exact.Violates(math.NaN()) {
		t.Error("what is not a number is safe")
	}
}

func TestTheTailOfSamplesIsBoundedOnlyByVeryManyOfThem(t *testing.T) {
	near(t, "missed", missed(25, .9), 1-math.Pow(.9, 1./25))
	psi := func(m float64) float64 { return math.Sqrt(-math.Log(1-.95) / (2 * m)) }
	if math.Abs(psi(1e5)-.003870) > 5e-7 || math.Abs(psi(1e4)-.012239) > 5e-7 {
		t.Errorf("psi is %v and %v", psi(1e5), psi(1e4))
	}
	r := rng.New(1, rng.Test, 4)
	noise := make([]float64, 100_000)
	for i := range noise {
		noise[i] = r.NormFloat64()
	}
	few := must.Get(EmpiricalGuardBand(noise[:10_000], .95, 25, .9))(t)
	if !math.IsInf(few.Omega, 1) || !few.Violates(1e300) || !strings.HasPrefix(few.Why, "10000 samples of the noise bound its tail to 0.012 at best, wanted is 0.0042: every answer counts as a violation; take 846") {
		t.Errorf("margin is %+v", few)
	}
	if few.Doubt(outcome.AtLeast("q", 0), 1e9, 1) != few.Why {
		t.Errorf("doubt is %q", few.Doubt(outcome.AtLeast("q", 0), 1e9, 1))
	}
	many := must.Get(EmpiricalGuardBand(noise, .95, 25, .9))(t)
	exact := must.Get(GaussianGuardBand(1, 25, .9))(t)
	near(t, "confidence", many.Confidence, .855)
	if many.Why != "" || many.Omega < exact.Omega || many.Omega > 5 {
		t.Errorf("margin is %+v, that of the law %+v", many, exact)
	}
	// ω is the least number above which the bound on the tail is small enough.
	bound := func(w float64) float64 {
		n := 0
		for _, v := range noise {
			if v >= w {
				n++
			}
		}
		return float64(n)/float64(len(noise)) + psi(1e5)
	}
	if most := missed(25, .9); bound(math.Nextafter(many.Omega, 9)) > most || bound(many.Omega) <= most {
		t.Errorf("the bound is %v above and %v at ω, wanted is %v", bound(math.Nextafter(many.Omega, 9)), bound(many.Omega), most)
	}
}

// An answer at a safe point is below -Under as seldom as one at a point that violates is above Omega.
func TestNoiseExplainsWhatIsWithinTheBandOnTheOtherSide(t *testing.T) {
	m := must.Get(GaussianGuardBand(.1, 25, .9))(t)
	if m.Under != m.Omega || m.Contradicts(-.2635) || !m.Contradicts(-.2636) || m.Contradicts(math.NaN()) {
		t.Errorf("%+v", m)
	}
	if exact := must.Get(GaussianGuardBand(0, 25, .9))(t); exact.Contradicts(0) || !exact.Contradicts(-1e-300) {
		t.Errorf("%+v", exact)
	}
	// So little is promised that half the violations may be missed: what is on the safe side refutes nothing all the same.
	if little := must.Get(GaussianGuardBand(.1, 2, .2))(t); little.Omega >= 0 || little.Under != 0 || little.Contradicts(0) || !little.Contradicts(-1e-300) {
		t.Errorf("%+v", little)
	}
	noise := make([]float64, 40) // from -3.9 to 0 in steps of 0.1: what is measured is never better than the truth
	for i := range noise {
		noise[i] = -float64(i) / 10
	}
	low := must.Get(EmpiricalGuardBand(noise, .5, 3, .1))(t) // ψ is 0.0931, wanted is 0.5358: 17 of 40 samples may be beyond
	if near(t, "omega", low.Omega, -1.7); math.Abs(low.Under-2.2) > 1e-12 || !low.Contradicts(-2.3) || low.Contradicts(-2.1) {
		t.Errorf("%+v", low)
	}
	for i := range noise {
		noise[i] = -noise[i]
	}
	if high := must.Get(EmpiricalGuardBand(noise, .5, 3, .1))(t); high.Under != 0 || high.Contradicts(0) {
		t.Errorf("%+v", high)
	}
	if few := must.Get(EmpiricalGuardBand(noise[:1], .5, 3, .9))(t); few.Contradicts(-1e300) {
		t.Errorf("%+v", few)
	}
}

func TestLittleIsLearnedWhereTheSeedIsNotWellAboveTheMargin(t *testing.T) {
	m := must.Get(GaussianGuardBand(.1, 25, .9))(t)
	for _, c := range []struct {
		of           outcome.Constraint
		enough, less float64
		why          string
	}{
		{outcome.AtLeast("q", 0), .47, .46, "q is 0.46 at a point that is known to be safe, and answers below 0.263511 count as violations: want at least 0.463511 there, or less noise"},
		{outcome.AtLeast("q", 80), 80.47, 80.46, "q is 80.46 at a point that is known to be safe, and answers below 80.2635 count as violations: want at least 80.4635 there, or less noise"},
		{outcome.AtMost("heat", 1), .53, .54, "heat is 0.54 at a point that is known to be safe, and answers above 0.736489 count as violations: want at most 0.536489 there, or less noise"},
	} {
		if why := m.Doubt(c.of, c.enough, .1); why != "" {
			t.Error(why)
		}
		if why := m.Doubt(c.of, c.less, .1); why != c.why {
			t.Error(why)
		}
	}
}

func TestMarginsOfNonsenseAreRefused(t *testing.T) {
	_, gaussian := GaussianGuardBand(math.Inf(1), 0, 1)
	_, empirical := EmpiricalGuardBand([]float64{1, math.NaN()}, .4, -1, 0)
	_, none := EmpiricalGuardBand(nil, .95, 25, .9)
	for err, want := range map[error][]string{
		gaussian:  {"GuardBand.Sigma = +Inf: want a finite number ≥ 0", "GuardBand.Queries = 0: want 1 ≤ Queries", "GuardBand.Confidence = 1: want 0 < Confidence < 1"},
		empirical: {"GuardBand.Tail = 0.4: want 0.5 ≤ Tail < 1", "GuardBand.Noise[1] = NaN: want a finite number", "GuardBand.Queries = -1", "GuardBand.Confidence = 0"},
		none:      {"GuardBand.Noise = 0: want at least one sample"},
	} {
		if !errors.Is(err, check.ErrInvalidOption) || strings.Count(err.Error(), "\n") != len(want)-1 {
			t.Errorf("error is %v", err)
		}
		for _, w := range want {
			if !slices.ContainsFunc(strings.Split(err.Error(), "\n"), func(line string) bool { return strings.HasPrefix(line, w) }) {
				t.Errorf("%q is missing in %q", w, err)
			}
		}
	}
}
