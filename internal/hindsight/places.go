package hindsight

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Place is a point as the policy saw it when it chose. Mean and Stddev are of the function, in the user's units and sense.
type Place struct {
	What        string  `json:"what"`
	Evaluation  int     `json:"evaluation,omitempty"` // that was chosen there by then; 0 for none
	X           Point   `json:"x"`
	Mean        Number  `json:"mean"`
	Stddev      Number  `json:"stddev"`
	Acquisition *Number `json:"acquisition,omitempty"` // as it was computed, in the model's units
	Worth       *Number `json:"worth,omitempty"`       // the same in the user's units, logarithms undone
	Numbers     []Named `json:"numbers,omitempty"`

	at space.Unit
}

// Acquisition is what the policy maximized. Numbers are in the user's units.
type Acquisition struct {
	Name    string  `json:"name"`
	Worth   string  `json:"worth"` // what Place.Worth is; empty for a number without a unit
	Why     string  `json:"why"`
	Numbers []Named `json:"numbers"`
}

// judge looks at points as a policy did.
type judge struct {
	config      loop.Config
	view        policies.View
	explanation policies.Explanation
	seen        *surrogate.Posterior // by which the policy chooses
}

// judged asks the policy what it maximizes at a view, with the stream by which it proposes. One that panics does not say.
func judged(c loop.Config, p policies.Policy, view policies.View) (j judge, err error) {
	j = judge{config: c, view: view.Avoiding(), seen: awaiting(p.Traits(), view)}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("policy panicked: %v", r)
		}
	}()
	j.explanation, err = policies.Explain(p, view, stream(c, rng.Policy, view))
	return j, err
}

func stream(c loop.Config, name rng.Name, view policies.View) *rand.Rand {
	return rng.New(c.Seed, name, uint64(view.Round))
}

// acquisition describes what is maximized; nil where nothing is.
func (j judge) acquisition() *Acquisition {
	e := j.explanation
	if e.Function == nil {
		return nil
	}
	worth := map[policies.Unit]string{
		policies.Level: "value", policies.Spread: "sd", policies.LogGain: "expected improvement", policies.LogChance: "probability", policies.LogInformation: "nats",
	}
	sense := j.config.Sense()
	return &Acquisition{policies.Worded(e.Acquisition, sense), worth[e.Of], policies.Worded(e.Why, sense), j.named(e.Numbers)}
}

func (j judge) named(all []policies.Figure) []Named {
	out := make([]Named, len(all))
	for i, f := range all {
		out[i] = Named{policies.Worded(f.Name, j.config.Sense()), Number(f.Of.In(j.view.Units, j.config.Sense(), f.Value))}
	}
	return out
}

// at is a point of the unit cube as the policy saw it.
func (j judge) at(what string, x space.Unit) Place {
	p := Place{at: x, What: what, X: Point{j.config.Space, j.config.Space.Value(x)}, Mean: Number(math.NaN()), Stddev: Number(math.NaN())}
	if i := slices.IndexFunc(j.view.Queries, func(q policies.Query) bool { return slices.Equal(q.X, x) }); i >= 0 {
		p.Evaluation = j.view.Queries[i].Number
	}
	if j.explanation.At != nil {
		p.Numbers = j.named(j.explanation.At(j.weighed(x)))
	}
	if j.seen == nil {
		return p
	}
	predict := j.seen.Predict
	if j.explanation.Moments != nil {
		predict = j.explanation.Moments
	}
	mean, variance := predict(x)
	p.Mean = Number(policies.Level.In(j.view.Units, j.config.Sense(), mean))
	p.Stddev = Number(j.view.Units.Deviation(mean, math.Sqrt(max(variance, 0))))
	if f := j.explanation.Function; f != nil {
		value := f.Value(j.weighed(x))
		raw, worth := Number(value), Number(j.explanation.Of.In(j.view.Units, j.config.Sense(), value))
		if j.explanation.Of == policies.Spread {
			worth = Number(j.view.Units.Deviation(mean, value))
		}
		p.Acquisition, p.Worth = &raw, &worth
	}
	return p
}

// weighed is the point as what is maximized looks at it.
func (j judge) weighed(x space.Unit) space.Unit {
	if j.explanation.Target {
		return j.config.Space.AtTarget(x)
	}
	return x
}

// others are points that the policy might have chosen: the best observed one, those where mean and standard deviation are
// greatest, and where another search finds the acquisition greatest.
func (j judge) others(chosen ...space.Unit) []Place {
	v := j.view
	if v.Posterior == nil || len(v.History) == 0 && !v.Informed() {
		return nil
	}
	var out []Place
	if v.Incumbent != nil {
		what := "best observed"
		if abroad(v, v.Incumbent) {
			what += ", at another context"
		}
		out = append(out, j.at(what, v.Incumbent))
	}
	v.Quiet = false
	out = append(out, j.most(policies.Worded("{greatest|least} mean", j.config.Sense()), acquisition.UpperConfidenceBound{}, v, chosen...))
	out = append(out, j.most("least certain", uncertainty{}, v, chosen...))
	if f := j.explanation.Function; f != nil {
		out = append(out, j.at("another search", v.Maximize(f, nil, stream(j.config, rng.Recommend, v))))
	}
	return out
}

// most is the point with the greatest utility that a search finds, or a chosen or the best observed one where it is greater there; of what is likely to
// succeed, where that is known.
func (j judge) most(what string, u acquisition.Utility, v policies.View, chosen ...space.Unit) Place {
	f, region := acquisition.At{Posterior: j.seen, Utility: u}, v.Region()
	x := v.Maximize(f, nil, stream(j.config, rng.Recommend, v))
	for _, other := range slices.Concat(chosen, []space.Unit{v.Incumbent}) {
		if other != nil && f.Value(other) > f.Value(x) && (len(region) == 0 || region.Has(other)) && faced(v, other) {
			x = other
		}
	}
	if len(region) > 0 && region.Has(x) {
		what += ", of what is likely to succeed"
	}
	return j.at(what, x)
}

// abroad reports whether a point is at another context than that of a view, whatever its fidelity: it cannot be chosen there.
func abroad(v policies.View, x space.Unit) bool {
	return slices.ContainsFunc(v.Space.Contexts(), func(k int) bool { return x[k] != v.Context[slices.Index(v.Space.Held(), k)] })
}

// faced reports whether a point is at the context of a view.
func faced(v policies.View, x space.Unit) bool {
	for j, k := range v.Space.Held() {
		if j >= len(v.Context) || x[k] != v.Context[j] {
			return false
		}
	}
	return true
}

// uncertainty is the posterior standard deviation as a utility.
type uncertainty struct{}

// Of returns the standard deviation.
func (uncertainty) Of(_, variance float64) float64 { return math.Sqrt(variance) }

// Slopes returns the standard deviation, 0 and 1/(2σ).
func (uncertainty) Slopes(_, variance float64) (value, dmean, dvariance float64) {
	if variance > 0 {
		dvariance = 0.5 / math.Sqrt(variance)
	}
	return math.Sqrt(variance), 0, dvariance
}

// displaced says why the acquisition is greater at another point than at the chosen one, where it is.
type displaced struct {
	settled bool // nothing is left to learn there: it was queried, or is as good as known
	near    int  // it is as close to this query as the policy does not go; 0 for none
	outside bool // a query there is not likely to succeed
	missed  bool // none of these: the policy did not find it
}

// displaced looks at other points that are likely to succeed, and tells of the greatest acquisition among them whether it is settled. Otherwise the search ended near
// an earlier query where any of the greater ones is there: what is compared is not where it ended, and may lie just outside.
func (j judge) displaced(chosen space.Unit, others []Place) (d displaced) {
	v, f := j.view, j.explanation.Function
	if f == nil {
		return d
	}
	region, greatest := v.Region(), f.Value(j.weighed(chosen))
	least := greatest + beyondRoundOff*math.Abs(greatest)
	nearest := least
	for _, o := range others {
		x := j.weighed(o.at)
		value := f.Value(x)
		if !(value > least) || abroad(v, x) {
			continue
		}
		if len(region) > 0 && !region.Has(x) {
			d.outside = true
			continue
		}
		settled := j.settled(x)
		if value > greatest {
			greatest, d.settled, d.missed = value, settled, !settled
		}
		if v.Quiet && !settled && value > nearest {
			if number := j.tooClose(x); number > 0 {
				nearest, d.near = value, number
			}
		}
	}
	if d.settled {
		d.near = 0
	}
	d.missed = d.missed && d.near == 0
	return d
}

// settled reports whether the policy takes a point for one at which nothing is left to learn.
func (j judge) settled(x space.Unit) bool {
	if j.explanation.Settled != nil {
		return j.explanation.Settled(x)
	}
	return j.view.Settled(x)
}

// improves says of a point that expected improvement chose in the place of another one whether it expects less there than a number can tell, and
// whether a query there is not likely to be feasible. What maximizes an improvement may do so under a model of its own, of which nothing is said.
func (j judge) improves(chosen space.Unit) (vain, unlikely bool) {
	v, x := j.view, j.weighed(chosen)
	unlikely = len(v.Constraints) > 0 && !v.Region().Has(x)
	if strings.HasPrefix(j.explanation.Acquisition, "log ") {
		return false, unlikely
	}
	improvement := v.IfFeasible(acquisition.At{Posterior: v.Posterior, Utility: acquisition.LogExpectedImprovement{Best: v.Target()}})
	return math.Exp(improvement.Value(x)) == 0, unlikely
}

// beyondRoundOff is the share of an acquisition by which a greater one is worth a word.
const beyondRoundOff = 1e-9

// tooClose is the number of the first query to which x is closer than the policy goes; 0 for none.
func (j judge) tooClose(x space.Unit) int {
	for _, q := range j.view.Queries {
		if j.view.Apart(q.X, x) <= j.explanation.Apart {
			return q.Number
		}
	}
	return 0
}
