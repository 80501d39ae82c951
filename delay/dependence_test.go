package delay

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/internal/rng"
)

// odd is a law of another package: it has neither Mean nor Validate.
type odd struct{}

func (odd) Draw(*rand.Rand, Case) (float64, bool) { return 3, true }
func (odd) String() string                        { return "odd" }

func TestMeanMovesInAStraightLine(t *testing.T) {
	const n = 4000
	for _, c := range []struct {
		law  Law
		at   Case
		mean float64
	}{
		{InputPoisson{2, 20}, Case{X: []float64{0, 1}, Level: 1}, 2},
		{InputPoisson{2, 20}, Case{X: []float64{0.5, 1}}, 11},
		{InputPoisson{2, 20}, Case{X: []float64{1, 0}}, 20},
		{InputPoisson{20, 2}, Case{X: []float64{0.25}}, 15.5},
		{InputPoisson{0, 2}, Case{X: []float64{0}}, 0},
		{InputPoisson{2, 20}, Case{X: []float64{-0.1}}, 2},
		{InputPoisson{2, 20}, Case{X: []float64{1.1}}, 20},
		{ValuePoisson{2, 20}, Case{Level: 0}, 2},
		{ValuePoisson{2, 20}, Case{Level: 0.5}, 11},
		{ValuePoisson{2, 20}, Case{Level: 1}, 20},
		{ValuePoisson{20, 2}, Case{Level: 0.75}, 6.5},
		{ValuePoisson{2, 20}, Case{Level: 7}, 20},
		{ValuePoisson{2, 20}, Case{Level: math.NaN()}, 2},
	} {
		mean := stat.Mean(draws(t, c.law, c.at, n), nil)
		if math.Abs(mean-c.mean) > 5*math.Sqrt(c.mean/n) {
			t.Errorf("%v at %+v has mean %v, want %v", c.law, c.at, mean, c.mean)
		}
	}
}

func TestDelayThatDependsOnAQueryWithoutCoordinatesPanics(t *testing.T) {
	defer func() {
		if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "delay: ") {
			t.Errorf("recovered %v", r)
		}
	}()
	InputPoisson{1, 2}.Draw(rng.New(1, rng.Test, 0), Case{})
}

func TestNeverLosesItsShareAndLeavesTheRestAlone(t *testing.T) {
	const n, p = 20000, 0.3
	var lost, sum float64
	for i := range uint64(n) {
		delay, arrives := Never{p, Poisson{4}}.Draw(rng.New(2, rng.Delay, i), Case{})
		if arrives {
			sum += delay
			continue
		}
		lost++
		if delay != 0 {
			t.Fatalf("an answer that never arrives has delay %v", delay)
		}
	}
	if share := lost / n; math.Abs(share-p) > 5*math.Sqrt(p*(1-p)/n) {
		t.Errorf("a share %v is lost, want %v", share, p)
	}
	if mean := sum / (n - lost); math.Abs(mean-4) > 5*math.Sqrt(4/(n-lost)) {
		t.Errorf("the others take %v on average, want 4", mean)
	}
}

func TestNeverAtItsEnds(t *testing.T) {
	for i := range uint64(200) {
		if _, arrives := (Never{1, Fixed{1}}).Draw(rng.New(1, rng.Delay, i), Case{}); arrives {
			t.Fatal("arrived with P = 1")
		}
		if _, arrives := (Never{0, Fixed{1}}).Draw(rng.New(1, rng.Delay, i), Case{}); !arrives {
			t.Fatal("lost with P = 0")
		}
	}
}

func TestNeverAcceptsALawOfAnotherPackage(t *testing.T) {
	law := Never{0, odd{}}
	if err := law.Validate(); err != nil {
		t.Error(err)
	}
	if d, arrives := law.Draw(rng.New(1, rng.Test, 0), Case{}); d != 3 || !arrives {
		t.Errorf("drew %v, %v", d, arrives)
	}
}
