package policies

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/surrogate"
)

// Warp is what a warped model bends before it looks at the data.
type Warp int

// The warps.
const (
	WarpBoxCox Warp = iota // losses, by the power that makes them most like a Gaussian sample (Box and Cox 1964)
	WarpLog                // losses, by the logarithm
	WarpTanh               // losses, by a line and up to two steps (Snelson et al. 2004)
	WarpInput              // each coordinate, by the law of Kumaraswamy (Snoek et al. 2014 with the beta law)
)

var warpNames = []string{"boxcox", "log", "tanh", "input"}

// Warped maximizes the logarithm of expected improvement under a Gaussian process on warped values or inputs. The model is
// made anew for each query, from the rows of the loop's: it begins with the loop's kernel and hyperparameters, learns the
// warp from the answers, then fits the hyperparameters to what was warped. Values are warped as losses, below the greatest
// answer and in their standard deviations, so that their units do not matter and what is bent most is the neighborhood of
// the maximum; the power and the logarithm add a tenth to keep them positive. Imputed values are never learned from; bad
// values of queries that failed are warped like the rest. With Pending = Hallucinate a pending query counts as answered with
// the warped model's mean; Censor is not supported.
//
// Where the warp cannot be learned, with fewer than four answers, equal answers, or numbers out of range, it is LogEI on the
// model of the loop. Forecasts of warped values have no mean and standard deviation in the user's units: none are issued.
// Before the first answer it chooses uniformly. Cost O(n³) a query, and O(n²) for each
// point of a list; learning looks at 200 answers at most.
type Warped struct {
	Warp    Warp
	Pending feedback.Imputation
}

var _ = Register(Entry{
	Name:    "warped",
	Summary: "expected improvement under a model on warped values or inputs; pending queries hallucinated",
	Source:  "the baselines of Deshpande et al. 2024: Box and Cox 1964, Snelson et al. 2004, Snoek et al. 2014 (with Kumaraswamy's law)",
}, Warped{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *Warped) Settings() Settings {
	uncensored := slices.Clone(imputations)
	uncensored[feedback.Censor] = ""
	return Settings{
		Choice("warp", &p.Warp, WarpBoxCox, warpNames, "what is bent, and how"),
		Choice("pending", &p.Pending, feedback.Hallucinate, uncensored, "what a pending query contributes to the model"),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p Warped) Traits() Traits {
	return Traits{Name: NameOf("warped", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes log EI under the warped model.
func (p Warped) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if p.Pending == feedback.Censor {
		return nil, fmt.Errorf("%w: warped with censored values", ErrUnsupported)
	}
	if err := Validate(p); err != nil {
		return nil, err
	}
	var models []*warpedModel
	proposals := sequentially(view, count, p.Pending, func(v View, avoid [][]float64) []float64 {
		if !v.Informed() {
			models = append(models, nil)
			return v.Random(stream, avoid)
		}
		m := v.warped(p.Warp)
		models = append(models, m)
		if m == nil {
			return v.argmax(acquisition.LogEI{Best: v.Target()}, avoid, stream)
		}
		return v.maximize(m.function(), avoid, stream)
	})
	for i, m := range models {
		if m != nil {
			proposals[i].Forecast = m.forecast(view, proposals[i].X)
		}
	}
	return proposals, nil
}

// maximize returns the point with the greatest value of f, which knows nothing of the pool: exactly over a finite list,
// otherwise by searching the space.
func (v View) maximize(f acquisition.Function, avoid [][]float64, stream *rand.Rand) []float64 {
	if !v.listed() {
		return v.search(f, avoid, stream)
	}
	pool := v.Posterior.Pool()
	utility := make([]float64, pool.Len())
	for i := range utility {
		utility[i] = f.Value(pool.Point(i))
	}
	return v.poolBest(utility, avoid, stream)
}

// sample is the rows of the loop's posterior as a model of a policy's own needs them.
type sample struct {
	x       [][]float64
	u       []float64 // targets, in the model's units
	came    []bool    // whether the target is an answer
	pending []int     // rows whose target is imputed
}

// sample returns the rows. Cost O(t).
func (v View) sample() sample {
	s := sample{u: v.Posterior.Targets(), came: v.answered()}
	open := make([]bool, len(v.Queries)+1)
	for _, number := range v.Pending {
		open[number] = true
	}
	for i, number := range v.Rows {
		s.x = append(s.x, v.Posterior.X(i))
		if open[number] {
			s.pending = append(s.pending, i)
		}
	}
	return s
}

// answers returns the points and targets of the rows that came.
func (s sample) answers() (x [][]float64, u []float64) {
	for i, came := range s.came {
		if came {
			x, u = append(x, s.x[i]), append(u, s.u[i])
		}
	}
	return x, u
}

// condition returns the posterior of the sample at other points and targets, one for each row, pending rows hallucinated;
// nil where it cannot be computed. Cost O(n³).
func (s sample) condition(prior surrogate.Prior, x [][]float64, targets []float64) *surrogate.Posterior {
	for _, i := range s.pending {
		targets[i] = prior.Mean
	}
	p, err := prior.Condition(x, targets, nil)
	if err != nil {
		return nil
	}
	if p = p.Hallucinate(targets, s.pending); !p.Usable() {
		return nil
	}
	return p
}
