package policies

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// improvers are policies whose utility is measured in standardized values.
var improvers = []string{"log-ei", "log-ei:pending=ignore", "pi", "pi:xi=0.3", "gp-qucb", "gp-qucb:p=bayes", "gp-bucb", "gp-ucb"}

// What a policy chooses from a list is the maximizer of its utility, found by trying every point, in studies with so much
// noise that the greatest value is not the greatest mean and the predictive spread is not the latent one.
func TestAListIsSearchedWhole(t *testing.T) {
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	prior.Noise = .5
	for seed := range uint64(20) {
		stream := rng.New(seed, rng.Test, 13)
		x, y := scattered(2, 12, stream)
		for range 60 {
			x = append(x, anywhere(2, stream))
		}
		v := moment(t, listOf(t, x), prior, x[:12], y, feedback.Hallucinate)
		for spec, u := range map[string]acquisition.Utility{
			"log-ei":                   acquisition.LogExpectedImprovement{Best: v.Target()},
			"pi":                       acquisition.LogProbabilityOfImprovement{Best: v.Target(), Xi: .01},
			"pi:xi=0.3":                acquisition.LogProbabilityOfImprovement{Best: v.Target(), Xi: .3},
			"gp-qucb":                  acquisition.UpperConfidenceBound{Beta: 1.2815515655446005},
			"gp-qucb:p=0.99":           acquisition.Quantile{P: .99},
			"gp-qucb:p=bayes":          acquisition.Quantile{P: 1 - 1./13},
			"gp-qucb:sigma=predictive": acquisition.Quantile{P: .9, Noise: prior.Noise},
			"gp-bucb":                  acquisition.UpperConfidenceBound{Beta: 1},
			"gp-bucb:beta=3":           acquisition.UpperConfidenceBound{Beta: 3},
		} {
			f := acquisition.At{Posterior: v.Posterior, Utility: u}
			best := slices.MaxFunc(x, func(a, b space.Unit) int { return cmp.Compare(f.Value(a), f.Value(b)) })
			if got := chosen(t, spec, v, 1)[0]; !slices.Equal(got, best) {
				t.Errorf("seed %d: %s chose %v, want %v", seed, spec, got, best)
			}
		}
	}
}

func chosen(t *testing.T, spec string, v View, count int) []space.Unit {
	t.Helper()
	p, err := Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	proposals, err := p.Propose(v, count, rng.New(3, rng.Policy, uint64(v.Round)))
	if err != nil {
		t.Fatal(err)
	}
	points := make([]space.Unit, count)
	for i, proposal := range proposals {
		points[i] = proposal.X
	}
	return points
}

// Scaling the values and shifting them changes nothing that is chosen, over a list and over a box.
func TestUnitsOfTheValuesDoNotMatter(t *testing.T) {
	stream := rng.New(2, rng.Test, 14)
	x, y := scattered(2, 14, stream)
	for range 40 {
		x = append(x, anywhere(2, stream))
	}
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	for _, spec := range append([]string{"mes", "mes:maxima=gumbel", "pes"}, improvers...) {
		p, err := Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []space.Space{listOf(t, x), cube(t, 2)} {
			want := chosen(t, spec, moment(t, s, prior, x[:14], y, p.Traits().Pending), 3)
			for _, affine := range [][2]float64{{1000, 0}, {.003, 50}, {2, -7}} {
				scaled := make([]float64, len(y))
				for i, v := range y {
					scaled[i] = affine[0]*v + affine[1]
				}
				got := chosen(t, spec, moment(t, s, prior, x[:14], scaled, p.Traits().Pending), 3)
				for i := range got {
					for j := range got[i] {
						must.Near(t, fmt.Sprintf("%s, list %v, values times %v plus %v", spec, s.Size() > 0, affine[0], affine[1]), got[i][j], want[i][j], 1e-4)
					}
				}
			}
		}
	}
}

// A pool that is not the whole domain, in a box or beside a context, is where a search may begin and no more.
func TestAPoolOfCandidatesIsNotTheDomain(t *testing.T) {
	stream := rng.New(5, rng.Test, 15)
	x, y := scattered(2, 10, stream)
	contextual, err := space.New(space.Float("x0", 0, 1), space.Float("x1", 0, 1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	doses, err := space.List([]space.Point{{0}, {.3}, {.5}, {1}}, space.Float("x0", 0, 1), space.Float("x1", 0, 1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	prior := must.Get(surrogate.DefaultPrior("se", 2))(t)
	for _, s := range []space.Space{cube(t, 2), contextual, doses} {
		for _, spec := range append([]string{"asy-ts", "gp-bts", "ts-sdf", "ucb-sdf"}, improvers...) {
			p, err := Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			v := moment(t, s, prior, x, y, p.Traits().Pending)
			for range s.Contexts() {
				v.Context = append(v.Context, .25)
			}
			want := chosen(t, spec, v, 2)
			// The pool is the rows themselves: even an exact draw over it is possible.
			targets, rows := v.Posterior.Targets(), make([]space.Unit, v.Posterior.Len())
			for i := range rows {
				rows[i] = v.Posterior.X(i)
			}
			v.Posterior = must.Get(prior.Condition(rows, targets, surrogate.NewPool(prior.Kernel, x, true)))(t)
			got := chosen(t, spec, v, 2)
			for i := range got {
				in := slices.ContainsFunc(rows, func(row space.Unit) bool { return slices.Equal(row, got[i]) })
				if in || len(s.Contexts()) > 0 && floats.Distance(got[i], want[i], math.Inf(1)) > 1e-2 {
					t.Errorf("%s: with a pool %v, without %v", spec, got[i], want[i])
				}
			}
		}
	}
}

// Kaufmann et al. 2012: the probability is 1 − 1/t, but never so low that doubt is worth nothing.
func TestTheQuantileOfBayesUCB(t *testing.T) {
	for round, want := range map[int]float64{1: 2. / 3, 2: 2. / 3, 3: 2. / 3, 4: .75, 100: .99} {
		must.Near(t, "quantile", QUCB{Bayes: true}.at(round), want, 1e-15)
	}
	must.Near(t, "fixed quantile", QUCB{P: .7}.at(3), .7, 0)
	must.Near(t, "default quantile", QUCB{}.at(3), .9, 0)
}
