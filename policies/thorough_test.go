package policies_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/lbfgs"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// How thorough the searches are with which those of the policies are compared.
const (
	thoroughStarts = 64 // local searches, of which thoroughRows start at the best rows of the model
	thoroughRows   = 8
	thoroughSteps  = 200 // evaluations of each of them
)

// bounded are the policies whose utility is a bound with the latent σ, and its width in standard deviations.
var bounded = map[string]float64{"gp-ucb": 1, "gp-bucb": 1, "gp-qucb": 1.2815515655446004} // the last is Φ⁻¹(0.9)

// bound is the upper confidence bound μ + width·σ (Srinivas et al. 2010).
type bound struct {
	posterior *surrogate.Posterior
	width     float64
}

func (f bound) at(x space.Unit) float64 {
	mean, variance := f.posterior.Predict(x)
	return mean + f.width*math.Sqrt(variance)
}

// negative returns minus the bound at x and fills grad with its derivatives.
func (f bound) negative(x, grad []float64) float64 {
	slope := make([]float64, len(x))
	mean, variance := f.posterior.PredictGrad(x, grad, slope)
	sd := math.Sqrt(variance)
	for j := range grad {
		if grad[j] = -grad[j]; sd > 0 {
			grad[j] -= f.width * slope[j] / (2 * sd)
		}
	}
	return -mean - f.width*sd
}

// shortfall is how much less useful x is than the better point, in posterior standard deviations there; 0 if it is not.
func shortfall(f bound, x space.Unit, better []float64) float64 {
	_, variance := f.posterior.Predict(better)
	const leastSD = 1e-9 // in the model's units, in which values differ by about 1
	return max(f.at(better)-f.at(x), 0) / max(math.Sqrt(variance), leastSD)
}

// thorough returns the best end of many full local searches over the unit cube. They start at the rows of the model
// with the greatest means and at low-discrepancy points.
func thorough(f bound, s space.Space, index uint64) space.Unit {
	starts := slices.Concat(bestRows(f.posterior, thoroughRows), s.Sample(space.Halton, thoroughStarts, rng.New(0, rng.Test, index)))
	d := s.Dim()
	lower, upper := make([]float64, d), slices.Repeat([]float64{1}, d)
	best := lbfgs.Result{Value: math.Inf(1)}
	for _, start := range starts[:thoroughStarts] {
		r := lbfgs.Minimize(f.negative, start, lower, upper, lbfgs.Settings{MaxEvaluations: thoroughSteps})
		if r.Value < best.Value || best.X == nil {
			best = r
		}
	}
	return best.X
}

// bestRows returns up to count points of the posterior, those with the greatest means first.
func bestRows(p *surrogate.Posterior, count int) []space.Unit {
	type row struct {
		x    space.Unit
		mean float64
	}
	rows := make([]row, p.Len())
	for i := range rows {
		rows[i] = row{p.X(i), p.Mean(p.X(i))}
	}
	slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.mean, a.mean) })
	var out []space.Unit
	for _, r := range rows[:min(count, len(rows))] {
		out = append(out, r.x)
	}
	return out
}

// posteriorOf conditions the default prior in two dimensions on some points.
func posteriorOf(t *testing.T, n int) *surrogate.Posterior {
	t.Helper()
	prior, err := surrogate.DefaultPrior("matern52", 2)
	if err != nil {
		t.Fatal(err)
	}
	stream := rng.New(1, rng.Test, 0)
	x, y := make([]space.Unit, n), make([]float64, n)
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
		s, err := settingOf(t, name, 2).NewStudy(12, 1)
		if err == nil {
			err = s.ReachFit(t.Context(), 12, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // what the policy chooses is a maximum of the bound, along each coordinate
			q, err := s.Suggest()
			if err != nil {
				t.Fatal(err)
			}
			f, grad := bound{q.View.Posterior, width}, make([]float64, 2)
			f.negative(q.X, grad)
			for j, g := range grad {
				if x := q.X[j]; math.Abs(g) > 1e-2 && x > 0 && x < 1 {
					t.Errorf("%s: slope %v along coordinate %d at %v", name, -g, j, q.X)
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
	best := thorough(f, s, 0)
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

func settingOf(t testing.TB, policy string, dim int) study.Setting {
	t.Helper()
	p, err := policies.Parse(policy)
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.NewSetting(p, dim, 8)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
