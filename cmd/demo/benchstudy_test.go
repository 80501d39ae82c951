package main

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// mustBench returns the benchmark of a command line.
func mustBench(t *testing.T, args ...string) benchmark {
	t.Helper()
	r, f := newBench()
	if err := f.parse(args); err != nil {
		t.Fatal(err)
	}
	b, err := settleBench(r, f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAStudyIsFilledToItsAnswersWithoutThePolicy(t *testing.T) {
	b := mustBench(t, "-dim", "6", "-pending", "5")
	s, err := b.newStudy(60, 0)
	if err == nil {
		err = s.reachFit(t.Context(), 60, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	valued, near := 0, 0
	for _, e := range s.loop.Evaluations() {
		if e.Status.Valued() {
			valued++
		}
		far := 0.
		for j, v := range e.X {
			far = max(far, math.Abs(v-b.best[0][j]))
		}
		if far < 0.3 {
			near++
		}
	}
	if valued != 60 || s.loop.Pending() != 5 || len(s.pending) != 5 || s.ask.ID != 0 {
		t.Errorf("%d answers, %d pending, %d known to be, ask %d", valued, s.loop.Pending(), len(s.pending), s.ask.ID)
	}
	if s.fit == nil || len(s.fit.X) != 60 {
		t.Errorf("the open fit is %+v", s.fit)
	}
	// Uniform points are that near in all six coordinates in less than one of twenty cases.
	if near < 15 || near > 50 {
		t.Errorf("%d of 65 points are near the maximizer", near)
	}
}

func TestTheTimedFitStartsFromTheOneBefore(t *testing.T) {
	r := &sizing{benchmark: mustBench(t, "-dim", "2"), n: 30}
	var c costs
	if err := r.learn(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	first, err := surrogate.DefaultPrior("matern52", 2)
	if err != nil {
		t.Fatal(err)
	}
	if start := r.fit.Start.Kernel.Params(); slices.Equal(start, first.Kernel.Params()) {
		t.Errorf("it starts from the default hyperparameters %v", start)
	}
	ran, _, err := fitOnce(r.fit)
	if err != nil || !slices.Equal(ran.Hyper, r.hyper.Hyper) || len(r.fit.X) != 30 || c.fitRows != 30 {
		t.Errorf("%v, %v, want %v; %d points", err, ran, r.hyper, len(r.fit.X))
	}
}

func TestAStudyThatGrewTooFarIsLeftForAnother(t *testing.T) {
	r := &sizing{benchmark: mustBench(t, "-dim", "1", "-policy", "random"), n: 10}
	for range 12 {
		if _, err := r.next(t.Context()); err != nil {
			t.Fatal(err)
		}
		if r.study.answers <= 10 || r.study.answers > 15 {
			t.Fatalf("a suggestion at %d answers, want up to 5 more than 10", r.study.answers)
		}
	}
	// The first suggestion of a study is its rebuild, so that each has four that count.
	if r.studies != 3 || len(r.rebuilds) != 3 {
		t.Errorf("%d studies, %d rebuilds, want 3", r.studies, len(r.rebuilds))
	}
}

// posteriorOf conditions the default prior in two dimensions on some points.
func posteriorOf(t *testing.T, n int) *surrogate.Posterior {
	t.Helper()
	prior, err := surrogate.DefaultPrior("matern52", 2)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(1, rng.Test, 0)
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = []float64{stream.Float64(), stream.Float64()}
		y[i] = math.Sin(5*x[i][0]) + x[i][1]
	}
	p, err := prior.Condition(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTheSlopeOfTheBoundIsThatOfFiniteDifferences(t *testing.T) {
	f := bound{posteriorOf(t, 6), 1.5}
	x, grad := []float64{0.31, 0.77}, make([]float64, 2)
	if v := f.negative(x, grad); math.Abs(v+f.at(x)) > 1e-12 {
		t.Errorf("negative is %v, the bound %v", v, f.at(x))
	}
	const h = 1e-6
	for j, g := range grad {
		up, down := slices.Clone(x), slices.Clone(x)
		up[j], down[j] = x[j]+h, x[j]-h
		if want := -(f.at(up) - f.at(down)) / (2 * h); math.Abs(g-want) > 1e-5 {
			t.Errorf("slope %d is %v, want %v", j, g, want)
		}
	}
}

func TestWidthsOfBoundsAreThoseOfThePolicies(t *testing.T) {
	for name, width := range bounded {
		b := mustBench(t, "-dim", "2", "-policy", name)
		s, err := b.newStudy(12, 0)
		if err == nil {
			err = s.reachFit(t.Context(), 12, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // what the policy chooses is a maximum of the bound, along each coordinate
			q, err := s.suggest()
			if err != nil {
				t.Fatal(err)
			}
			f, grad := bound{q.view.Posterior, width}, make([]float64, 2)
			f.negative(q.x, grad)
			for j, g := range grad {
				if x := q.x[j]; math.Abs(g) > 1e-2 && x > 0 && x < 1 {
					t.Errorf("%s: slope %v along coordinate %d at %v", name, -g, j, q.x)
				}
			}
		}
	}
}

func TestAThoroughSearchIsNoWorseThanAGrid(t *testing.T) {
	f := bound{posteriorOf(t, 6), 1.5}
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	best, err := thorough(t.Context(), f, policies.View{Space: s}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 101 {
		for j := range 101 {
			if x := []float64{float64(i) / 100, float64(j) / 100}; f.at(x) > f.at(best)+1e-9 {
				t.Fatalf("%v has the bound %v, the best %v has %v", x, f.at(x), best, f.at(best))
			}
		}
	}
	worse := f.posterior.X(0)
	_, variance := f.posterior.Predict(best)
	want := (f.at(best) - f.at(worse)) / math.Sqrt(variance)
	if got := shortfall(f, worse, best); want <= 0 || math.Abs(got-want) > 1e-12 {
		t.Errorf("shortfall %v, want %v", got, want)
	}
	if got := shortfall(f, best, worse); got != 0 {
		t.Errorf("the better point falls short by %v", got)
	}
}

func TestQuantilesAreByRank(t *testing.T) {
	values := []float64{3, 1, 2, 10, 9, 8, 7, 6, 5, 4}
	if got, want := spreadOf(values), (spread{5, 9, 10, 10}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := spreadOf([]float64{7}), (spread{7, 7, 7, 7}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got := spreadOf(nil); !math.IsNaN(got.median) || !math.IsNaN(got.max) {
		t.Errorf("%v, want NaN", got)
	}
}

func TestLapsesHaveThreeDigits(t *testing.T) {
	for seconds, want := range map[float64]string{
		4.56789e-6: "4.57 µs", 999.4e-6: "999 µs", 999.6e-6: "1 ms", 0.0123: "12.3 ms", 0.9994: "999 ms", 0.9996: "1 s", 12.34: "12.3 s", 1234.5: "1234 s",
	} {
		if got := lapse(seconds); got != want {
			t.Errorf("%v s is %q, want %q", seconds, got, want)
		}
	}
	if got := lapse(nan); got != stat.Unknown {
		t.Errorf("NaN is %q", got)
	}
}
