package sim

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/space"
)

func TestNoiseOfAProblemComesFromTheStreamsOfGaussianNoise(t *testing.T) {
	plain := scenario(t, "branin", "gp-ucb", "poisson:3", 15)
	plain.Noise = 2
	own := plain
	own.Noise = 0
	own.Problem.Observe = func(x space.Point, stream *rand.Rand) float64 {
		return own.Problem.Value(x) + 2*stream.NormFloat64()
	}
	for _, retries := range []int{0, 2} { // second attempts have streams of their own
		for _, s := range []*Scenario{&plain, &own} {
			s.Retries, s.Faults.Fail = retries, 0.3*float64(min(retries, 1))
		}
		a, b := mustRun(t, plain).Result.Evaluations, mustRun(t, own).Result.Evaluations
		for i := range a {
			if same := a[i].Value == b[i].Value || math.IsNaN(a[i].Value) && math.IsNaN(b[i].Value); !same || a[i].Status != b[i].Status {
				t.Fatalf("evaluation %d is %v, %v with Gaussian noise", i+1, b[i].Value, a[i].Value)
			}
		}
	}
}

func TestRegretsAreWithoutTheNoiseOfTheProblem(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:1", 10)
	s.Noise = 0
	want := mustRun(t, s)
	value := s.Problem.Value
	s.Problem.Observe = func(x space.Point, _ *rand.Rand) float64 { return value(x) + 1000 }
	got := mustRun(t, s)
	for k := range want.SimpleRegret {
		if got.SimpleRegret[k] != want.SimpleRegret[k] || got.CumulativeRegret[k] != want.CumulativeRegret[k] {
			t.Fatalf("after %d queries the regrets are %v and %v", k+1, got.SimpleRegret[k], got.CumulativeRegret[k])
		}
	}
	if v := got.Result.Evaluations[3]; v.Value != value(s.Problem.Space.Value(v.X))+1000 {
		t.Errorf("evaluation 4 gave %v", v.Value)
	}
}

func TestWithoutAValueNothingIsObserved(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:1", 5)
	s.Noise = 0
	s.Problem.Value = func(space.Point) float64 { return math.NaN() }
	s.Problem.Observe = func(space.Point, *rand.Rand) float64 { return 1 }
	for _, e := range mustRun(t, s).Result.Evaluations {
		if e.Status.Valued() {
			t.Fatalf("evaluation %d has the value %v", e.Number, e.Value)
		}
	}
}

func TestNoiseIsNotAddedTwice(t *testing.T) {
	s := scenario(t, "branin", "random", "fixed:1", 5)
	s.Noise = 1
	s.Problem.Observe = func(space.Point, *rand.Rand) float64 { return 1 }
	if err := s.Validate(); err == nil || !strings.Contains(err.Error(), "Scenario.Noise = 1") {
		t.Errorf("error %v", err)
	}
}
