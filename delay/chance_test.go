package delay

import (
	"math"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// world is chances in which everything varies.
var world = Chances{Seed: 3, Delay: Exponential{Scale: 2}, Faults: Faults{Drop: .2, Duplicate: .2, Fail: .2, Stall: .2}, Noise: .5}

func TestEqualNumbersMeetEqualChances(t *testing.T) {
	for evaluation := 1; evaluation <= 100; evaluation++ {
		for attempt := 1; attempt <= 3; attempt++ {
			if a, b := world.Draw(evaluation, attempt, Case{}), world.Draw(evaluation, attempt, Case{}); a != b {
				t.Fatalf("evaluation %d, attempt %d: %+v and %+v", evaluation, attempt, a, b)
			}
		}
	}
}

// No two attempts share their chances, whichever evaluations they belong to, and nor do two seeds.
func TestEveryAttemptMeetsItsOwnChances(t *testing.T) {
	seen := map[float64]string{}
	for _, seed := range []uint64{3, 4} {
		c := world
		c.Seed = seed
		for evaluation := 1; evaluation <= 50; evaluation++ {
			for attempt := 1; attempt <= 5; attempt++ {
				chance := c.Draw(evaluation, attempt, Case{})
				for _, v := range []float64{chance.Delay, chance.Noise} {
					if other, again := seen[v]; again {
						t.Fatalf("seed %d, evaluation %d, attempt %d draws %v like %s", seed, evaluation, attempt, v, other)
					}
					seen[v] = "another"
				}
			}
		}
	}
}

// Each chance has a stream of its own: without noise, delay or faults the others are what they were.
func TestOneChanceDoesNotMoveTheOthers(t *testing.T) {
	silent, prompt, sound := world, world, world
	silent.Noise, prompt.Delay, sound.Faults = 0, nil, Faults{}
	for evaluation := 1; evaluation <= 100; evaluation++ {
		all := world.Draw(evaluation, 1, Case{})
		want := all
		want.Noise = 0
		if got := silent.Draw(evaluation, 1, Case{}); got != want {
			t.Errorf("without noise %+v, want %+v", got, want)
		}
		want = all
		want.Delay, want.Arrives = 0, true
		if got := prompt.Draw(evaluation, 1, Case{}); got != want {
			t.Errorf("without delay %+v, want %+v", got, want)
		}
		want = all
		want.Fault = None
		if got := sound.Draw(evaluation, 1, Case{}); got != want {
			t.Errorf("without faults %+v, want %+v", got, want)
		}
	}
}

func TestChancesThatAreNotThere(t *testing.T) {
	if got, want := (Chances{Seed: 3}).Draw(1, 1, Case{}), (Chance{Arrives: true}); got != want {
		t.Errorf("no chances give %+v, want %+v", got, want)
	}
}

func TestSomeAnswersNeverArrive(t *testing.T) {
	law := must.Get(ParseLaw("never:0.5+fixed:3"))(t)
	missing := 0
	for evaluation := range 1000 {
		c := Chances{Seed: 1, Delay: law}.Draw(evaluation+1, 1, Case{})
		switch {
		case !c.Arrives && c.Delay == 0:
			missing++
		case c.Delay != 3:
			t.Errorf("evaluation %d: %+v", evaluation+1, c)
		}
	}
	if missing < 420 || missing > 580 {
		t.Errorf("%d of 1000 answers do not arrive, want about 500", missing)
	}
}

func TestNoiseHasTheSpreadThatWasAskedFor(t *testing.T) {
	const n = 20000
	var sum, squares float64
	for k := range n {
		noise := Chances{Seed: 1, Noise: 2}.Draw(k+1, 1, Case{}).Noise
		sum += noise
		squares += noise * noise
	}
	if mean, stddev := sum/n, math.Sqrt(squares/n); math.Abs(mean) > .08 || math.Abs(stddev-2) > .06 {
		t.Errorf("mean %v, standard deviation %v, want 0 and 2", mean, stddev)
	}
}

func TestDelaysAreStaggered(t *testing.T) {
	for _, c := range []struct {
		delay               float64
		unit                time.Duration
		evaluation, attempt int
		want                time.Duration
	}{
		{0, time.Second, 1, 1, 1},
		{3, time.Second, 7, 1, 3*time.Second + 7},
		{3, time.Second, 8, 1, 3*time.Second + 8},
		{.5, time.Minute, 2, 1, 30*time.Second + 2},
		{3, time.Second, 7, 2, 3*time.Second + time.Microsecond + 7},
		{3, time.Second, 7, 5, 3*time.Second + 4*time.Microsecond + 7},
		{MaxDelay, time.Second, 9, 1, MaxDelay*time.Second + 9},
		{MaxDelay, time.Hour, 9, 1, 1<<62 + 9},
		{MaxDelay, math.MaxInt64, 9, 1, 1<<62 + 9},
	} {
		if got := Staggered(c.delay, c.unit, c.evaluation, c.attempt); got != c.want {
			t.Errorf("Staggered(%v, %v, %d, %d) = %v, want %v", c.delay, c.unit, c.evaluation, c.attempt, got, c.want)
		}
	}
}
