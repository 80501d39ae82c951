package model

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// oddKernel is a kernel with wrong covariances between points that are not one and the same argument: no matrix of them
// need be positive definite.
type oddKernel struct {
	surrogate.Kernel
	covariance func(a, b space.Unit) float64
}

func (k oddKernel) Eval(a, b space.Unit) float64 { return k.covariance(a, b) }

func (k oddKernel) Row(dst []float64, x space.Unit, xs []space.Unit) {
	for i, b := range xs {
		dst[i] = k.covariance(x, b)
	}
}

func (k oddKernel) WithParams(log []float64) surrogate.Kernel {
	return oddKernel{k.Kernel.WithParams(log), k.covariance}
}

var sound = surrogate.Stationary{Family: surrogate.SE, Lengthscales: []float64{0.3, 0.3}, Outputscale: 1}

// twins are more alike than the variance at their point allows: 1.5 instead of 1.
var twins = oddKernel{sound, func(a, b space.Unit) float64 {
	if same(a, b) {
		return 1.5
	}
	return sound.Eval(a, b)
}}

// foes have the covariance -0.9 with each other: three of them need a noise above 0.8.
var foes = oddKernel{sound, func(a, b space.Unit) float64 { return -0.9 }}

// mixed is both.
var mixed = oddKernel{sound, func(a, b space.Unit) float64 {
	if same(a, b) {
		return 1.5
	}
	return -0.9
}}

var triangle = []space.Unit{{0.1, 0.2}, {0.8, 0.3}, {0.5, 0.9}}

// twice is the triangle with points that come again, one of them only up to round-off.
var twice = []space.Unit{triangle[0], triangle[1], triangle[0], triangle[2], {0.8 + 5e-10, 0.3 - 5e-10}, triangle[0]}

func TestNoiseIsRaisedUntilTheMatrixCanBeFactorized(t *testing.T) {
	for _, c := range []struct {
		name   string
		kernel surrogate.Kernel
		noise  float64
		raised int
		least  float64 // of the noise in the end
	}{
		{"sound", sound, 1e-2, 0, 1e-2},
		{"foes", foes, 1e-2, 2, 0.99},            // 0.1, 1
		{"foes without noise", foes, 0, 7, 0.99}, // 1e-6, …, 1
	} {
		post, raised, err := condition(surrogate.Prior{Kernel: c.kernel, Noise: c.noise}, triangle, nil, nil)
		if err != nil || raised != c.raised || post.Jitter() != 0 {
			t.Fatalf("%s: raised %d times, want %d: %v", c.name, raised, c.raised, err)
		}
		if noise := post.Prior().Noise; noise < c.least || noise > 1.01*c.least+0.01 {
			t.Errorf("%s: noise %v", c.name, noise)
		}
	}
}

func TestCoincidingPointsAreMergedBeforeNoiseIsRaised(t *testing.T) {
	for _, kernel := range []surrogate.Kernel{twins, mixed} {
		if post, raised, err := condition(surrogate.Prior{Kernel: kernel, Noise: 1e-2}, twice, nil, nil); !errors.Is(err, surrogate.ErrNotPositiveDefinite) || raised != 0 || post != nil {
			t.Errorf("raised %d times: %v", raised, err)
		}
	}
	if got := distinct(twice); len(got) != 3 || !slices.Equal(got[0], []int{0, 2, 5}) || !slices.Equal(got[1], []int{1, 4}) || !slices.Equal(got[2], []int{3}) {
		t.Errorf("groups %v", got)
	}
}

func TestDuplicatesUniteTheirAnswers(t *testing.T) {
	targets := []float64{1, 4, 100, -3}
	for _, c := range []struct {
		group   []int
		imputed []bool
		target  float64
		pending bool
	}{
		{[]int{0, 1, 3}, []bool{false, false, true, false}, 2. / 3, false},
		{[]int{0, 2}, []bool{false, false, true, false}, 1, false},
		{[]int{2, 3}, []bool{false, false, true, true}, 100, true},
		{[]int{1}, []bool{false, false, false, false}, 4, false},
	} {
		target, pending := unite(c.group, targets, c.imputed)
		if math.Abs(target-c.target) > 1e-15 || pending != c.pending {
			t.Errorf("%v: %v, pending %v", c.group, target, pending)
		}
	}
}

// mergePlan is a plan whose base has the six points of twice; queries 1, 3 and 5 have answers.
func mergePlan(t *testing.T, kernel surrogate.Kernel, how feedback.Imputation) plan {
	t.Helper()
	p := plan{
		config: &Config{Space: square(t)}, want: Want{Pending: how}, prior: surrogate.Prior{Kernel: kernel, Noise: 1e-2}, generation: 1,
		base: []int{1, 2, 3, 4, 5, 6}, targets: []float64{1, -8, 4, -8, 3, -8}, unanswered: []int{1, 3, 5},
	}
	p.points = append(p.points, twice...)
	return p
}

// What is left when coinciding points become one is the posterior of the distinct points with the means of their answers.
func TestMergedRowsAreThePosteriorOfTheDistinctPoints(t *testing.T) {
	for _, how := range []feedback.Imputation{feedback.Censor, feedback.Hallucinate} {
		var a algebra
		plan := mergePlan(t, twins, how)
		for range 2 { // each ask climbs anew
			post, rows, trouble := a.posterior(plan, plan.base)
			if want := (Trouble{Merged: 3}); trouble != want || !slices.Equal(rows, []int{1, 2, 4}) {
				t.Fatalf("%v: rows %v, %+v", how, rows, trouble)
			}
			targets := []float64{2.5, 3, -8} // rows 1 and 3; row 5, while 2 is pending at its point; row 4, pending
			want := must.Get(plan.prior.Condition(triangle, targets, post.Pool()))(t)
			if how == feedback.Hallucinate {
				want = want.Hallucinate(targets, []int{2})
			}
			if what := alike.Posteriors(plan.config.Space, post, want); what != "" {
				t.Errorf("%v: %s", how, what)
			}
			if how == feedback.Hallucinate && math.Abs(post.Alpha()[2]) > 1e-12 {
				t.Errorf("the pending point has the weight %v", post.Alpha()[2])
			}
		}
	}
}

func TestMergedRowsMayStillNeedMoreNoise(t *testing.T) {
	var a algebra
	plan := mergePlan(t, mixed, feedback.Censor)
	post, rows, trouble := a.posterior(plan, plan.base)
	if want := (Trouble{Merged: 3, Raised: 2}); trouble != want || len(rows) != 3 || post.Len() != 3 {
		t.Errorf("rows %v, %+v", rows, trouble)
	}
}

// Rows that are appended to a raised posterior are counted as raised too.
func TestRaisedNoiseLastsUntilTheNextRebuild(t *testing.T) {
	var a algebra
	plan := mergePlan(t, foes, feedback.Censor)
	plan.base, plan.targets, plan.unanswered = []int{1, 2, 4}, []float64{1, 2, 3}, nil
	for range 2 {
		if _, _, trouble := a.posterior(plan, plan.base); trouble != (Trouble{Raised: 2}) {
			t.Fatalf("%+v", trouble)
		}
	}
	plan.generation, plan.prior.Kernel = 2, sound
	if _, _, trouble := a.posterior(plan, plan.base); trouble != (Trouble{}) {
		t.Errorf("after the rebuild: %+v", trouble)
	}
}
