package tarry_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// bowl is best at (0.3, 0.7), where it is -50.
func bowl(_ context.Context, q tarry.Query) (float64, error) {
	return 40*(math.Pow(q.X[0]-0.3, 2)+math.Pow(q.X[1]-0.7, 2)) - 50, nil
}

// A run tells at any time what it expects and where it expects the best, also when it has ended, and in units and sense of the
// objective; nothing is spent and nothing is kept by that.
func TestARunIsAskedWhatItExpects(t *testing.T) {
	store := &journal.Memory{}
	run, err := tarry.Start(t.Context(), unitSpace(t), bowl, tarry.Options{Budget: 24, Workers: 1, Minimize: true, Journal: store})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	kept := len(store.All())
	p, err := run.Predict([]float64{0.5, 0.7})
	if want, _ := bowl(t.Context(), tarry.Query{X: []float64{0.5, 0.7}}); err != nil || math.Abs(p.Mean-want) > 1 || !(p.Stddev > 0) || p.Stddev > 2 {
		t.Errorf("%+v, %v, want %v", p, err, want)
	}
	best, err := run.Recommend()
	if err != nil || math.Abs(best.Float("x")-0.3) > 0.05 || math.Abs(best.Float("y")-0.7) > 0.05 || math.Abs(best.Mean+50) > 0.5 || !strings.Contains(best.String(), " ± ") {
		t.Errorf("%v, %v", best, err)
	}
	if r.Expected == nil || math.Abs(r.Expected.Mean-r.Recommended.Value) > 1 || !strings.Contains(r.String(), " ± ") {
		t.Errorf("%+v: %v", r.Expected, r)
	}
	if len(store.All()) != kept || run.Snapshot().Spent != 24 {
		t.Error("it cost something")
	}
	again, err := tarry.ResumeStudy(store, tarry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if q, err := again.Predict([]float64{0.5, 0.7}); err != nil || q != p {
		t.Errorf("the study that was resumed says %+v, %v, before %+v", q, err, p)
	}
}

// Whoever asks and tells gets the same; without a model, or at no point of the space, an error that says so.
func TestAStudyIsAskedWhatItExpects(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("z", 0, 10).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	study, err := tarry.NewStudy(s, tarry.Options{Budget: 60})
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []func() error{
		func() error { _, err := study.Predict([]float64{0.5, 1}); return err },
		func() error { _, err := study.Recommend(1); return err },
	} {
		if err := ask(); !errors.Is(err, tarry.ErrNoModel) {
			t.Errorf("before any value: %v", err)
		}
	}
	for i := range 30 { // best at x = z / 10
		q, err := study.Ask(float64(i % 11))
		if err != nil {
			t.Fatal(err)
		}
		if err := study.Tell(q.ID, 7-math.Pow(q.Float("x")-q.Float("z")/10, 2)); err != nil {
			t.Fatal(err)
		}
	}
	for _, z := range []float64{2, 5, 8} {
		r, err := study.Recommend(z)
		if err != nil || r.Float("z") != z || math.Abs(r.Float("x")-z/10) > 0.1 || math.Abs(r.Mean-7) > 0.1 {
			t.Errorf("at %v: %v, %v", z, r, err)
		}
	}
	for _, err := range []error{
		func() error { _, err := study.Predict([]float64{2, 1}); return err }(),
		func() error { _, err := study.Predict([]float64{1}); return err }(),
		func() error { _, err := study.Recommend(11); return err }(),
		func() error { _, err := study.Recommend(); return err }(),
	} {
		if !errors.Is(err, tarry.ErrOutsideSpace) {
			t.Errorf("%v", err)
		}
	}
	blind, err := tarry.Maximize(t.Context(), unitSpace(t), hill, tarry.Options{Budget: 9, Workers: 1, Policy: policy(t, "random")})
	if err != nil || blind.Expected != nil || blind.Recommended != blind.Best || !strings.Contains(blind.String(), "as measured; there is no model that says what to expect") {
		t.Errorf("%v, %v", blind, err)
	}
}

// Nobody is recommended a point where queries fail, however much the model expects there.
func TestWhatFailsIsNotRecommended(t *testing.T) {
	cliff := func(_ context.Context, q tarry.Query) (float64, error) {
		if q.X[0] > 0.6 {
			return 0, errors.New("out of memory")
		}
		return q.X[0] + 0.1*q.X[1], nil
	}
	run, err := tarry.Start(t.Context(), unitSpace(t), cliff, tarry.Options{Budget: 40, Workers: 1, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Wait()
	if err != nil {
		t.Fatal(err)
	}
	best, err := run.Recommend()
	if err != nil || best.Float("x") > 0.61 || best.Mean < r.Best.Value-1e-3 {
		t.Errorf("%v, %v; the best value is %v", best, err, r.Best)
	}
}

// Where much less is known a greater mean is no reason to go there: what is recommended has the greatest mean less one standard deviation of
// it and of the queries.
func TestWhatIsRecommendedIsNotWhereNothingIsKnown(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	for _, minimize := range []bool{false, true} {
		sign := 1.0
		if minimize {
			sign = -1
		}
		s := must.Get(tarry.NewStudy(line, tarry.Options{Budget: 20, Minimize: minimize, Policy: policy(t, "gp-bucb"), Model: loop.Model{Kernel: "se", Hyper: []float64{0.3, 1}, Noise: 0.01}}))(t)
		for i := range 9 {
			if err := s.Observe(tarry.Point{float64(i) / 20}, sign*(float64(i)/5+0.1*float64(i%2)-1)); err != nil {
				t.Fatal(err)
			}
		}
		r := must.Get(s.Recommend())(t)
		beyond := must.Get(s.Predict(tarry.Point{0.52}))(t)
		if sign*beyond.Mean <= sign*r.Mean || r.X[0] > 0.4 {
			t.Errorf("recommended %v, where %v is expected, and %v beyond", r.X, r.Mean, beyond)
		}
		for i := range 9 {
			at := must.Get(s.Predict(tarry.Point{float64(i) / 20}))(t)
			if sign*at.Mean-at.Stddev > sign*r.Mean-r.Stddev+1e-9 {
				t.Errorf("recommended %v, but %v is expected at %v", r, at, float64(i)/20)
			}
		}
	}
}

// A value without noise is what it is, also before the first ask, for which hyperparameters are learned: the query after it changes nothing of what is recommended.
func TestWhatIsRecommendedIsTheSameBeforeTheFirstAsk(t *testing.T) {
	plane := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	for _, minimize := range []bool{false, true} {
		s := must.Get(tarry.NewStudy(plane, tarry.Options{Budget: 40, Minimize: minimize, Seed: 4}))(t)
		best := math.Inf(-1)
		for i := range 25 {
			x := tarry.Point{math.Mod(0.618*float64(i), 1), math.Mod(0.755*float64(i), 1)}
			value := 3 - math.Pow(x[0]-0.3, 2) - math.Pow(x[1]-0.7, 2)
			best = max(best, value)
			if minimize {
				value = -value
			}
			if err := s.Observe(x, value); err != nil {
				t.Fatal(err)
			}
		}
		before := must.Get(s.Recommend())(t)
		must.Get(s.Ask())(t)
		after := must.Get(s.Recommend())(t)
		if at := s.Result().Best.X; !slices.Equal(before.X, after.X) || !slices.Equal(before.X, at) {
			t.Errorf("minimize %v: recommended %v, and after a query %v; the best value %v came at %v", minimize, before, after, best, at)
		}
	}
}

// A point that the user gave is recommended to the bit as it was given.
func TestWhatWasGivenIsRecommendedToTheBit(t *testing.T) {
	rates := must.Get(tarry.NewSpace(tarry.LogFloat("rate", 1e-5, 1)))(t)
	for k := range 20 {
		best := 0.0123 + 0.0071*float64(k)
		s := must.Get(tarry.NewStudy(rates, tarry.Options{Budget: 40, Minimize: true}))(t)
		for _, x := range []float64{1e-5, 1e-4, best / 5, best, best * 4, 0.9} {
			if err := s.Observe(tarry.Point{x}, math.Pow(math.Log(x/best), 2)); err != nil {
				t.Fatal(err)
			}
		}
		if r := must.Get(s.Recommend())(t); r.X[0] != best {
			t.Errorf("%v is recommended, %v was given", r.X, best)
		}
	}
}

// One point that is infeasible, or ten failures in a row, leave predictions to the answers: at the points that were measured they are what was
// measured, and most of what comes is where it was forecast to be.
func TestFailuresLeavePredictionsToTheAnswers(t *testing.T) {
	f := func(x float64) float64 { return -(x - 0.3) * (x - 0.3) }
	for _, name := range []string{"gp-bucb", "log-ei", "mes"} {
		for _, failures := range []int{1, 10} {
			study := must.Get(tarry.NewStudy(must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t), tarry.Options{Budget: 40, Seed: 1, Policy: must.Get(tarry.ParsePolicy(name))(t)}))(t)
			for n := 1; n <= 40; n++ {
				q := must.Get(study.Ask())(t)
				var err error
				switch {
				case n < 12 || n >= 12+failures:
					err = study.Tell(q.ID, f(q.X[0]))
				case failures == 1:
					err = study.TellOutcome(q.ID, tarry.Outcome{Infeasible: true})
				default:
					err = study.Fail(q.ID, errors.New("no disk"))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			r := study.Result()
			for _, e := range r.Evaluations {
				if !e.Status.Valued() {
					continue
				}
				p := must.Get(study.Predict(tarry.Point(e.X)))(t)
				if off := math.Abs(p.Mean - e.Value); off > 3*math.Hypot(p.Stddev, p.Noise) {
					t.Errorf("%s, %d failed: %+v at %v, where %v was measured", name, failures, p, e.X, e.Value)
				}
			}
			if share := r.Coverage.CentralShare(); share < 0.6 {
				t.Errorf("%s, %d failed: %v", name, failures, r.Coverage)
			}
		}
	}
}

// A model that is given expects 0 where nothing is known, or the floor, in the user's sense.
func TestAKnownModelExpectsItsLevelFarFromTheAnswers(t *testing.T) {
	line := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	floor := 90.
	for _, minimize := range []bool{false, true} {
		for _, f := range []*float64{nil, &floor} {
			o := tarry.Options{Budget: 20, Minimize: minimize, Policy: policy(t, "gp-bucb"), Floor: f, Model: loop.Model{Kernel: "se", Hyper: []float64{0.02, 4}, Noise: 0.01}}
			s := must.Get(tarry.NewStudy(line, o))(t)
			for i := range 4 {
				if err := s.Observe(tarry.Point{float64(i) / 10}, 100); err != nil {
					t.Fatal(err)
				}
			}
			far, near := must.Get(s.Predict(tarry.Point{0.9}))(t), must.Get(s.Predict(tarry.Point{0.1}))(t)
			level := 0.
			if f != nil {
				level = floor
			}
			if math.Abs(far.Mean-level) > 1e-6 || math.Abs(far.Stddev-2) > 1e-6 || math.Abs(near.Mean-100) > 1 {
				t.Errorf("minimize %v, floor %v: %+v far from the answers, %+v at one", minimize, f != nil, far, near)
			}
		}
	}
}
