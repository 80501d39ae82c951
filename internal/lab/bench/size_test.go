package bench

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/surrogate"
)

// mustBench returns the benchmark of a command line.
func mustBench(t *testing.T, args ...string) benchmark {
	t.Helper()
	r, f := newBench()
	if err := f.Read(args); err != nil {
		t.Fatal(err)
	}
	return must.Get(settleBench(r, f))(t)
}

func TestTheTimedFitStartsFromTheOneBefore(t *testing.T) {
	r := &sizing{benchmark: mustBench(t, "-policy", "gp-bucb", "-dim", "2"), n: 30}
	var c costs
	if err := r.learn(t.Context(), &c); err != nil {
		t.Fatal(err)
	}
	first := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	if start := r.fit.Start.Kernel.Params(); slices.Equal(start, first.Kernel.Params()) {
		t.Errorf("it starts from the default hyperparameters %v", start)
	}
	ran, _, err := study.Fitted(r.fit)
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
		if r.study.Answers <= 10 || r.study.Answers > 15 {
			t.Fatalf("a suggestion at %d answers, want up to 5 more than 10", r.study.Answers)
		}
	}
	// The first suggestion of a study is its rebuild, so that each has four that count.
	if r.studies != 3 || len(r.rebuilds) != 3 {
		t.Errorf("%d studies, %d rebuilds, want 3", r.studies, len(r.rebuilds))
	}
}

func TestQuantilesAreByRank(t *testing.T) {
	values := []float64{3, 1, 2, 10, 9, 8, 7, 6, 5, 4}
	if got, want := spreadOf(values), (spread{5, 9, 10}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := spreadOf([]float64{7}), (spread{7, 7, 7}); got != want {
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
