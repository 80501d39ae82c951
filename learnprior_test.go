package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

// manySites are values of hills whose places differ a little, at random points.
func manySites(t *testing.T, count int) []tarry.Past {
	t.Helper()
	var past []tarry.Past
	for i := range count {
		stream := rand.New(rand.NewPCG(1, uint64(i)))
		p := tarry.Past{Name: fmt.Sprint("site ", i+1), Space: placesOf(t)}
		at := 0.2 * stream.NormFloat64()
		for range 15 {
			x := tarry.Point{-4 + 4*stream.Float64(), stream.Float64()}
			p.Values = append(p.Values, 50-(x[0]+2-at)*(x[0]+2-at)-4*(x[1]-.7)*(x[1]-.7)+0.05*stream.NormFloat64())
			x[0] = power(x[0])
			p.Points = append(p.Points, x)
		}
		past = append(past, p)
	}
	return past
}

// A study with a prior begins where functions like its own are good, and is the same when it is resumed from its journal alone.
func TestAStudyBeginsWithWhatManyTaught(t *testing.T) {
	var told int
	prior, notes, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{
		Steps: 300, Folds: 3, Particles: 2, Progress: func(done, of int, _ float64) { told = max(told, done*100/of) },
	}, manySites(t, 9)...)
	if err != nil || len(notes) > 0 || told != 100 || len(prior.Particles) != 2 {
		t.Fatal(err, notes, told, prior)
	}
	for _, task := range prior.Tasks {
		if task.Left == nil || task.Left.Error > 0.6 {
			t.Errorf("%s: %+v", task.Name, task.Left)
		}
	}
	again := must.Get(learnAgain(t))(t)
	if fmt.Sprint(again.Particles) != fmt.Sprint(must.Get(learnAgain(t))(t).Particles) {
		t.Error("the same studies, another prior")
	}
	for i, policy := range []string{"auto", "gp-bucb", "log-ei", "asy-ts", "warped", "ensemble"} {
		if raced && i%3 > 0 {
			continue
		}
		o := tarry.Options{Budget: 12, Workers: 1, Seed: 9, Prior: prior, Policy: must.Get(tarry.ParsePolicy(policy))(t)}
		whole := must.Get(tarry.Maximize(t.Context(), placesOf(t), hillAt(.2), o))(t)
		if whole.Evaluations[0].Value < -.6 || whole.Best.Value < -.05 {
			t.Errorf("%s: first %v, best %v", policy, whole.Evaluations[0].Value, whole.Best.Value)
		}
		sameInHalves(t, o, whole)
	}
}

func learnAgain(t *testing.T) (*tarry.Prior, error) {
	p, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{Steps: 20, Folds: -1}, manySites(t, 3)...)
	return p, err
}

func power(exponent float64) float64 { return math.Pow(10, exponent) }

func TestLearningAPriorEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	_, _, err := tarry.LearnPrior(ctx, placesOf(t), false, tarry.PriorOptions{Progress: func(int, int, float64) { stop(why) }}, manySites(t, 3)...)
	if !errors.Is(err, why) {
		t.Error(err)
	}
}

func TestMistakesAboutAPriorAreErrors(t *testing.T) {
	flat := manySites(t, 1)[0]
	flat.Values = make([]float64, len(flat.Values))
	if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{}, flat); !errors.Is(err, tarry.ErrNothingEarlier) {
		t.Error(err)
	}
	short := manySites(t, 1)[0]
	short.Values = short.Values[1:]
	if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{}, short); err == nil {
		t.Error("points without values were taken")
	}
	if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{Particles: 1000}, manySites(t, 2)...); err == nil {
		t.Error("a thousand particles were taken")
	}
	prior := must.Get(learnAgain(t))(t)
	o := tarry.Options{Budget: 5, Prior: prior, Minimize: true}
	if _, err := tarry.Maximize(t.Context(), placesOf(t), hillAt(0), o); !errors.Is(err, tarry.ErrInvalidOption) {
		t.Error(err)
	}
}

// Fields are named as the caller wrote them, whatever is behind them; zeros mean the defaults.
func TestOptionsOfAPriorAreChecked(t *testing.T) {
	for want, o := range map[string]tarry.PriorOptions{
		"PriorOptions.Particles = -1: want 0 ≤ Particles ≤ 50":                          {Particles: -1},
		"PriorOptions.Steps = -5: want 0 ≤ Steps ≤ 1000000":                             {Steps: -5},
		"PriorOptions.Mean = [4 0]: want widths of 0 to 6 layers, each from 1 to 256":   {Mean: []int{4, 0}},
		"PriorOptions.Features = [1000000]: want widths":                                {Features: []int{1000000}},
		"PriorOptions.Alpha = 2: want 0 ≤ Alpha ≤ 1":                                    {Alpha: 2},
		"PriorOptions.Workers = -2: want":                                               {Workers: -2},
		"PriorOptions.Next = [1]: want nil without Contexts":                            {Next: []float64{1}},
		"PriorOptions.Contexts = 1 contexts: want one for each of 2 studies":            {Contexts: [][]float64{{1}}, Next: []float64{1}},
		"PriorOptions.Contexts[1] = [NaN]: want 1 finite numbers, as the first context": {Contexts: [][]float64{{1}, {math.NaN()}}, Next: []float64{1}},
		"PriorOptions.Next = []: want 1 finite numbers, as the first context":           {Contexts: [][]float64{{1}, {2}}},
		"PriorOptions.Particles = 2: want at most 1 with Contexts":                      {Contexts: [][]float64{{1}, {2}}, Next: []float64{1}, Particles: 2},
	} {
		if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, o, manySites(t, 2)...); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Values so great that what they teach is no number are named, each with its study; a little smaller they are learned of.
func TestAPriorOfValuesThatAreTooGreat(t *testing.T) {
	where := must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1)))(t)
	past := func(name string, v float64) tarry.Past {
		return tarry.Past{Name: name, Space: where, Points: []tarry.Point{{0.1}, {0.2}, {0.3}}, Values: []float64{5, -v, v}}
	}
	o := tarry.PriorOptions{Steps: 5, Folds: -1}
	for _, v := range []float64{math.MaxFloat64, 1e155, 1e126} {
		_, _, err := tarry.LearnPrior(t.Context(), where, false, o, past("fine.csv", 7), past("huge.csv", v))
		if want := fmt.Sprintf("tarry: huge.csv: value 2 is %g: want values from -1e+125 to 1e+125", -v); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p, _, err := tarry.LearnPrior(t.Context(), where, false, o, past("great.csv", 1e125))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := p.Belief(); err != nil || math.IsNaN(b.Value) || math.IsInf(b.Value, 0) {
		t.Errorf("%v, %v", b, err)
	}
}

// Values that differ by less than any scale that a prior may have are named; those of a larger unit are learned of.
func TestAPriorOfValuesThatDifferTooLittle(t *testing.T) {
	small := func(unit float64) []tarry.Past {
		past := manySites(t, 2)
		for _, p := range past {
			for i, v := range p.Values {
				p.Values[i] = (v - 50) * unit
			}
		}
		return past
	}
	o := tarry.PriorOptions{Steps: 5, Folds: -1}
	if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, o, small(1e-200)...); err == nil || !strings.Contains(err.Error(), "site 1: the values differ by ") || !strings.Contains(err.Error(), "want 1e-125 or more") {
		t.Error(err)
	}
	if _, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, o, small(1e-120)...); err != nil {
		t.Error(err)
	}
}

// What a prior learns does not depend on the unit of the values, nor on how far they are from 0.
func TestUnitsOfThePastDoNotMatterToAPrior(t *testing.T) {
	left := func(unit, offset float64) (sum float64) {
		past := manySites(t, 6)
		for _, p := range past {
			for i, v := range p.Values {
				p.Values[i] = offset + unit*(v-50)
			}
		}
		prior, _, err := tarry.LearnPrior(t.Context(), placesOf(t), false, tarry.PriorOptions{Steps: 150, Folds: 2}, past...)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range prior.Tasks {
			sum += task.Left.Error
		}
		return sum
	}
	want := left(1, 0)
	for _, c := range [][2]float64{{1e-15, 0}, {1e-60, 0}, {1e60, 0}, {1, 1.7e9}, {1, -1e10}} {
		if got := left(c[0], c[1]); math.Abs(got/want-1) > 0.1 {
			t.Errorf("unit %g and offset %g: error %v, want %v", c[0], c[1], got, want)
		}
	}
}
