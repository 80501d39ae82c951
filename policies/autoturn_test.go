package policies_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/policies/policytest"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Two of three queries are those of gp-bucb, and the third is that of ucb-pe where no value has come since the last query, in every
// moment of the suite where the model foretells anything; but none in many dimensions without noise, and none at contexts. Where a query's turn finds what is known well enough every second one is that
// of a bound three times as wide. Before the first value, once queries have failed, it goes its own way.
func TestAutoIsABoundTwiceAndThenExplores(t *testing.T) {
	auto := policies.Auto{}
	bound, explore, wide := policies.UCB{Pending: feedback.Hallucinate}, policies.UCBPE{}, policies.UCB{Pending: feedback.Hallucinate, Beta: policies.Beta{Constant: 3}}
	explored, widened, many, played, covered := 0, 0, 0, 0, 0
	for name, v := range policytest.Views(t, auto.Traits()) {
		if !v.Informed() && len(v.Queries) > len(v.Pending) {
			continue // all in vain: others are uniform then, it scatters
		}
		if v.Informed() {
			v = queriedTwice(v)
		}
		for v.Round = 60; v.Round < 66; v.Round++ {
			if says(t, v, "covers the space") {
				covered++
				continue
			}
			want := proposed(t, bound, v).X
			switch {
			case farther(t, v):
				want = proposed(t, wide, v).X
				widened++
			case v.Informed() && len(v.Space.Contexts()) > 0:
				played++
			case v.Informed() && v.Round%3 == 0 && (v.Space.Varying() <= 12 || v.Posterior.Noise() >= 1e-4):
				if v.Space.Varying() > 12 {
					many++
				}
				seen := v
				seen.History = slices.Clone(v.History)
				for i := range seen.History {
					seen.History[i].Seen = 0
				}
				want = proposed(t, explore, seen).X
				explored++
			}
			if got := proposed(t, auto, v).X; !slices.Equal(got, want) {
				t.Errorf("%s, round %d: %v, want %v", name, v.Round, got, want)
			}
		}
	}
	if explored == 0 || widened == 0 || many == 0 || played == 0 || covered > explored+widened {
		t.Errorf("%d queries explored, %d of them in many dimensions, %d were by a wide bound, %d plays at a context, %d covered", explored, many, widened, played, covered)
	}
}

// farther reports whether auto says that a query looks farther than its turn.
func farther(t *testing.T, v policies.View) bool {
	t.Helper()
	return says(t, v, "known better than by one value") || says(t, v, "no better than those before")
}

// says reports whether auto explains a query so.
func says(t *testing.T, v policies.View, why string) bool {
	t.Helper()
	return strings.Contains(must.Get(policies.Auto{}.Explain(v, rng.New(4, rng.Test, uint64(v.Round))))(t).Why, why)
}

// Where what the turn finds is known better than by one value, every second query maximizes a bound three times as wide.
func TestEverySecondQueryLooksFartherWhereNothingIsToBeTold(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	some := views["some pending"]
	loud, outlier := slices.Repeat([]float64{4}, some.Posterior.Len()), make([]float64, some.Posterior.Len())
	loud[0], outlier[0] = 0, 100
	flat := must.Get(surrogate.NewKernel("matern52", 2))(t).(surrogate.Stationary)
	flat.Outputscale = 1e-7
	level := some
	level.Posterior = must.Get(surrogate.Prior{Kernel: flat, Noise: 5e-5}.ConditionKnown(rowsOf(some), some.Posterior.Targets(), nil, nil))(t)
	for name, c := range map[string]struct {
		v    policies.View
		want bool
	}{
		"more noise than there is to know": {conditioned(t, some, "matern52", 4, nil), true},
		"the same, told":                   {conditioned(t, some, "matern52", 1e-8, loud), true},
		"noise, and more to know":          {conditioned(t, some, "matern52", 1e-3, nil), false},
		"hardly any, and less to know":     {level, false},
		"an outlier and no noise":          {conditioned(t, some, "matern52", 1e-8, outlier), false},
		"a sum":                            {conditioned(t, some, "additive-se", 4, nil), false},
		"a surface":                        {conditioned(t, some, "quartic", 4, nil), false},
		"nothing pends":                    {conditioned(t, some.WithoutPending(), "rq", 4, nil), true},
	} {
		c.v = queriedTwice(c.v)
		wide := acquisition.At{Posterior: c.v.Posterior, Utility: acquisition.UpperConfidenceBound{Beta: 3}}
		for c.v.Round = 60; c.v.Round < 66; c.v.Round++ {
			want := c.want && c.v.Round%2 == 0
			if got := farther(t, c.v); got != want {
				t.Errorf("%s, round %d: looks farther: %v", name, c.v.Round, got)
			}
			if !want {
				continue
			}
			got, stream := wide.Value(proposed(t, policies.Auto{}, c.v).X), rng.New(7, rng.Test, 0)
			for range 2000 {
				if x := c.v.Space.RandomAt(nil, stream); wide.Value(x) > got+1e-9 {
					t.Fatalf("%s, round %d: the wide bound is %v at the proposal and %v at %v", name, c.v.Round, got, wide.Value(x), x)
				}
			}
		}
	}
	for _, name := range []string{"some pending in a list", "a context", "a fidelity", "20 dimensions"} {
		v := views[name]
		prior := v.Posterior.Prior()
		prior.Noise = 4
		v.Posterior = must.Get(prior.ConditionKnown(rowsOf(v), v.Posterior.Targets(), nil, v.Posterior.Pool()))(t)
		v = queriedTwice(v)
		if v.Round = 62; farther(t, v) {
			t.Errorf("%s: looks farther", name)
		}
	}
	v := queriedTwice(conditioned(t, some, "matern52", 4, nil))
	v.Round = 62
	if e := must.Get(policies.Auto{Beta: policies.Beta{Theory: true}}.Explain(v, rng.New(4, rng.Test, 0)))(t); strings.Contains(e.Why, "known better") {
		t.Errorf("a bound by the theory is made wider: %s", e.Why)
	}
}

// Without noise every third query maximizes a bound three times as wide where the last three values made the best no better, and what the turn finds is
// known to a tenth of the spread.
func TestEveryThirdQueryLooksFartherWhereTheLastValuesWereNoBetter(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	known := func(v policies.View) policies.View {
		flat := must.Get(surrogate.NewKernel("additive-se", v.Posterior.Dim()))(t)
		values := flat.Values()
		for i, h := range flat.Hyper() {
			if h.Kind == surrogate.Lengthscale {
				values[i] = 1000
			}
		}
		v.Posterior = must.Get(surrogate.Prior{Kernel: flat.WithValues(values), Noise: 1e-9}.Condition(rowsOf(v), v.Posterior.Targets(), nil))(t)
		return v
	}
	some := views["some pending"]
	after := func(v policies.View, last ...policies.Answer) policies.View {
		v.History = slices.Clone(v.History)
		for len(v.History) < 30 {
			v.History = append(v.History, policies.Answer{Query: v.History[0].Query, Value: v.Best - 1})
		}
		v.History = append(v.History, last...)
		return v
	}
	was := after(some)
	best := slices.MaxFunc(was.History, func(a, b policies.Answer) int { return cmp.Compare(a.Value, b.Value) }).Value
	worse, better := policies.Answer{Query: some.History[0].Query, Value: best - 1}, policies.Answer{Query: some.History[0].Query, Value: best + some.Units.Scale}
	digit, infeasible := better, better
	digit.Value, infeasible.Infeasible = best+1e-5*some.Units.Scale, true
	for name, c := range map[string]struct {
		v    policies.View
		want bool
	}{
		"three no better":             {known(after(some, worse, worse, worse)), true},
		"one better, but three since": {known(after(some, better, worse, worse, worse)), true},
		"one of three better":         {known(after(some, better, worse, worse)), false},
		"by a digit":                  {known(after(some, worse, worse, digit)), true},
		"better, but not allowed":     {known(after(some, worse, infeasible, worse)), true},
		"few values":                  {known(some), false},
		"unknown":                     {conditioned(t, after(some, worse, worse, worse), "matern32", 1e-9, nil), false},
		"conditions":                  {known(after(views["conditions"], worse, worse, worse)), false},
		"a context":                   {known(after(views["a context"], worse, worse, worse)), false},
		"20 dimensions":               {known(after(views["20 dimensions"], worse, worse, worse)), false},
	} {
		for c.v.Round = 60; c.v.Round < 66; c.v.Round++ {
			want := c.want && c.v.Round%3 == 1
			if c.v.Round%2 == 1 && says(t, c.v, "covers the space") {
				continue
			}
			if got := farther(t, c.v); got != want {
				t.Errorf("%s, round %d: looks farther: %v", name, c.v.Round, got)
			}
			if wide := (policies.UCB{Pending: feedback.Hallucinate, Beta: policies.Beta{Constant: 3}}); want && !slices.Equal(proposed(t, policies.Auto{}, c.v).X, proposed(t, wide, c.v).X) {
				t.Errorf("%s, round %d: not the point of a wide bound", name, c.v.Round)
			}
		}
	}
}

// rowsOf are the points of a model.
func rowsOf(v policies.View) (x []space.Unit) {
	for i := range v.Posterior.Len() {
		x = append(x, v.Posterior.X(i))
	}
	return x
}

// conditioned is a view of two parameters under another kernel and noise.
func conditioned(t *testing.T, v policies.View, kernel string, noise float64, known []float64) policies.View {
	t.Helper()
	prior := v.Posterior.Prior()
	prior.Kernel, prior.Noise = must.Get(surrogate.NewKernel(kernel, v.Posterior.Dim()))(t), noise
	return hallucinated(v, must.Get(prior.ConditionKnown(rowsOf(v), v.Posterior.Targets(), known, nil))(t))
}

// hallucinated is a view under another model of its rows, which hallucinates what pends.
func hallucinated(v policies.View, p *surrogate.Posterior) policies.View {
	var pending []int
	for i, number := range v.Rows {
		if slices.Contains(v.Pending, number) {
			pending = append(pending, i)
		}
	}
	v.Posterior = p.Hallucinate(p.Targets(), pending)
	return v
}

// In many dimensions every third query maximizes the improvement that a plain model expects, where the function is known to a hundredth of the spread
// of the values at the point of its turn; so it does where parameters depend on others and values have no noise.
func TestInManyDimensionsEveryThirdQueryLooksElsewhere(t *testing.T) {
	views := policytest.Views(t, policies.Auto{}.Traits())
	many, branches := views["20 dimensions"], views["conditions"]
	under := func(v policies.View, name string, length float64) policies.View {
		kernel := must.Get(surrogate.NewKernel(name, v.Posterior.Dim()))(t)
		values := kernel.Values()
		for i, h := range kernel.Hyper() {
			if h.Kind == surrogate.Lengthscale {
				values[i] = length
			}
		}
		return hallucinated(v, must.Get(surrogate.Prior{Kernel: kernel.WithValues(values), Noise: 1e-6}.Condition(rowsOf(v), v.Posterior.Targets(), nil))(t))
	}
	for name, c := range map[string]struct {
		v    policies.View
		p    policies.Auto
		want bool
	}{
		"as good as known":  {under(many, "se", 1000), policies.Auto{}, true},
		"unknown":           {under(many, "se", 1), policies.Auto{}, false},
		"a sum":             {under(many, "additive-se", 1000), policies.Auto{}, false},
		"a bound by theory": {under(many, "se", 1000), policies.Auto{Beta: policies.Beta{Theory: true}}, false},
		"two dimensions":    {under(views["some pending"], "se", 1000), policies.Auto{}, false},
		"conditions":        {under(branches, "se", 1000), policies.Auto{}, true},
		"unknown branches":  {under(branches, "se", 1), policies.Auto{}, false},
		"noisy branches":    {conditioned(t, branches, "se", 1e-2, nil), policies.Auto{}, false},
	} {
		for c.v.Round = 60; c.v.Round < 66; c.v.Round++ {
			e := must.Get(c.p.Explain(c.v, rng.New(4, rng.Test, uint64(c.v.Round))))(t)
			if c.v.Round%2 == 1 && strings.Contains(e.Why, "covers the space") {
				continue
			}
			got, want := strings.Contains(e.Acquisition, "plain model"), c.want && c.v.Round%3 == 0
			if got != want || got != strings.Contains(e.Why, "looks elsewhere") {
				t.Errorf("%s, round %d: looks elsewhere: %v: %s", name, c.v.Round, got, e.Why)
			}
			if !want {
				continue
			}
			proposal, stream := proposed(t, c.p, c.v), rng.New(7, rng.Test, 0)
			for range 2000 {
				if x, most := c.v.Space.RandomAt(nil, stream), e.Function.Value(proposal.X); e.Function.Value(x) > most+1e-9 {
					t.Fatalf("%s, round %d: %v at the proposal and %v at %v", name, c.v.Round, most, e.Function.Value(x), x)
				}
			}
			if model := c.v.Ignoring().Forecast(proposal.X); math.Abs(proposal.Forecast.Mean-model.Mean) > 1e-6 {
				t.Errorf("%s: a forecast of %v, where the model of the view says %v", name, proposal.Forecast.Mean, model.Mean)
			}
		}
	}
}
