package policytest

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// situation is a moment in a study, written down rather than played.
type situation struct {
	name   string
	space  space.Space
	x      []space.Unit // queries so far, unit cube
	y      []float64    // their values; NaN where none has come
	window feedback.Window
	pooled bool // the posterior carries all actions at the context
	// margins are those of constraints that the study names; nil where there are none.
	margins *margins
}

// Views returns every moment of a study that a policy must cope with, by what is special about it: what a policy with these
// traits is shown. Whoever writes a policy compares it there with another, or with one written in a simpler way.
func Views(t *testing.T, traits policies.Traits) map[string]policies.View {
	t.Helper()
	views := map[string]policies.View{}
	for _, s := range situations(t) {
		views[s.name] = s.view(t, traits)
	}
	return views
}

// view is what a policy with these traits would be shown.
func (s situation) view(t *testing.T, traits policies.Traits) policies.View {
	t.Helper()
	b := buffer.Buffer{Window: s.window}
	v := policies.View{Round: len(s.x) + 1, Space: s.space, Window: s.window, Funds: math.Inf(1)}
	for i, x := range s.x {
		q := policies.Query{Number: i + 1, Round: i + 1, X: x}
		v.Queries = append(v.Queries, q)
		b.Open(q.Number, q.Round, 0)
		if math.IsNaN(s.y[i]) {
			v.Pending = append(v.Pending, q.Number)
			continue
		}
		if math.IsInf(s.y[i], -1) {
			b.Fail(q.Number)
			continue
		}
		b.Reveal(q.Number, s.y[i], i+2, 0)
		v.History = append(v.History, policies.Answer{Query: q, Seen: i + 2, Value: s.y[i], Below: !s.space.OnTarget(x)})
	}
	var context space.Unit
	for range s.space.Contexts() {
		context = append(context, 0.5)
	}
	v.Context = s.space.Hold(context, s.space.Target())
	for i, want := range traits.Beliefs() {
		if want.Output != model.Objective {
			t.Skipf("%s: the moments of the suite have no values of the %v", traits.Name, want.Output)
		}
		belief := s.belief(t, &v, &b, want, traits)
		if i == 0 {
			v.Belief = belief
		} else {
			v.Also = append(v.Also, belief)
		}
	}
	if s.margins != nil && traits.Model {
		s.constrain(t, &v, traits)
	}
	return v
}

// belief is what a policy that wants it would be shown.
func (s situation) belief(t *testing.T, v *policies.View, b *buffer.Buffer, want model.Want, traits policies.Traits) model.Belief {
	t.Helper()
	shown := model.Belief{Want: want, Best: math.Inf(-1)}
	values, numbers := b.Values(want.Pending), b.Answered(want.Pending)
	shown.Units = buffer.Fails(buffer.Standardize(values), values, false)
	if want.Pending == feedback.Censor {
		shown.Units = buffer.Floored(values, buffer.LowerBound(values, math.Inf(1)), 0)
	}
	for i, y := range values {
		if u := shown.Units.To(y); u > shown.Best && s.space.OnTarget(s.x[numbers[i]-1]) {
			shown.Best, shown.Incumbent = u, s.x[numbers[i]-1]
		}
	}
	if traits.Model {
		set := b.View(want.Pending, shown.Units)
		if traits.Adapts {
			shown.Blamed = s.blamed()
			for i, number := range set.Numbers {
				if slices.Contains(shown.Blamed, number) {
					set.Unanswered = append(set.Unanswered, i)
				}
			}
			slices.Sort(set.Unanswered)
		}
		shown.Posterior, shown.Rows = s.posterior(t, v.Context, set, want.Pending, traits.Draws)
	}
	return shown
}

// blamed are the numbers of the queries that failed.
func (s situation) blamed() (out []int) {
	for i, y := range s.y {
		if math.IsInf(y, -1) {
			out = append(out, i+1)
		}
	}
	return out
}

func (s situation) posterior(t *testing.T, context space.Unit, set buffer.Set, how feedback.Imputation, draws bool) (*surrogate.Posterior, []int) {
	t.Helper()
	prior, err := surrogate.DefaultPrior("matern52", s.space.Dim())
	if err != nil {
		t.Fatal(err)
	}
	var pool *surrogate.Pool
	switch points := s.space.UnitPoints(); {
	case s.pooled:
		at := make([]space.Unit, len(points))
		for i, action := range points {
			at[i] = s.space.Join(action, context)
		}
		pool = surrogate.NewPool(prior.Kernel, at, false)
	case points != nil && len(s.space.Held()) == 0:
		pool = surrogate.NewPool(prior.Kernel, points, draws)
	}
	var x []space.Unit
	for _, number := range set.Numbers {
		x = append(x, s.x[number-1])
	}
	p, err := prior.Condition(x, set.Targets, pool)
	if err != nil {
		t.Fatal(err)
	}
	if how == feedback.Hallucinate {
		p = p.Hallucinate(set.Targets, set.Unanswered)
	}
	return p, set.Numbers
}

// situations are the moments every policy must cope with.
func situations(t *testing.T) []situation {
	t.Helper()
	box := func(d int) space.Space {
		parameters := make([]space.Parameter, d)
		for i := range parameters {
			parameters[i] = space.Float(string(rune('a'+i)), 0, 1)
		}
		return must.Get(space.New(parameters...))(t)
	}
	grid := make([]space.Point, 40)
	for i := range grid {
		grid[i] = []float64{float64(i) / 39}
	}
	list := must.Get(space.List(grid, space.Float("x", 0, 1)))(t)
	mixed := must.Get(space.New(space.LogFloat("rate", 1e-6, 1), space.Int("layers", 1, 9), space.Categorical("kind", "a", "b", "c")))(t)
	discrete := must.Get(space.New(space.Int("i", 1, 12), space.Categorical("kind", "a", "b", "c")))(t)
	stepped := must.Get(space.New(space.Float("rate", 0, 1).Stepped(0.001), space.Bool("bias"), space.Float("fixed", 3, 3), space.Categorical("one", "a"),
		space.Ordered("batch", 16, 32, 64, 128)))(t)
	kinds := []space.Parameter{
		space.Categorical("kind", "adam", "sgd"), space.Float("beta", 0, 1).When("kind", "adam"), space.Bool("nesterov").When("kind", "sgd"),
		space.Int("layers", 1, 3), space.LogInt("width", 1, 64).WhenAtLeast("layers", 2),
	}
	conditional := must.Get(space.New(kinds...))(t)
	atContext := must.Get(space.New(append(kinds, space.Int("day", 1, 3).AsContext(), space.Float("dose", 0, 1).When("day", 2, 3), space.Float("rest", 0, 1).When("day", 1))...))(t)
	part := space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4)
	contextual := must.Get(space.New(space.Float("day", 0, 1).AsContext(), space.Float("dose", 0, 1)))(t)
	contextualList := must.Get(space.List(grid, space.Int("day", 1, 7).AsContext(), space.Float("dose", 0, 1)))(t)

	out := []situation{
		{name: "no data", space: box(2)},
		{name: "no data in a list", space: list},
		scattered("one answer", box(2), 1, 1),
		scattered("all pending", box(2), 6, 0),
		scattered("some pending", box(2), 12, 8),
		scattered("some pending in a list", list, 12, 8),
		scattered("1 dimension", box(1), 10, 7),
		scattered("20 dimensions", box(20), 25, 20),
		scattered("mixed parameters", mixed, 12, 9),
		scattered("discrete parameters", discrete, 12, 9),
		scattered("steps, ranks and fixed parameters", stepped, 12, 9),
		scattered("conditions", conditional, 12, 9),
		scattered("conditions on a context", atContext, 12, 9),
		scattered("a context", contextual, 12, 9),
		scattered("a fidelity", must.Get(space.New(space.Float("x", 0, 1), space.Float("y", 0, 1), part))(t), 12, 9),
		scattered("a fidelity and a list", must.Get(space.List(grid, space.Float("x", 0, 1), part))(t), 12, 9),
		scattered("a fidelity and a context", must.Get(space.New(space.Float("day", 0, 1).AsContext(), part, space.Int("dose", 0, 9)))(t), 12, 9),
		scattered("a context and a list", contextualList, 12, 9),
	}
	windowed := scattered("a window", box(2), 20, 14)
	windowed.window = feedback.Window{Rounds: 5}
	pooled := scattered("a context and a list, with their pool", contextualList, 12, 9)
	pooled.pooled = true
	constant := scattered("constant values", box(2), 10, 8)
	duplicates := scattered("duplicated points", box(2), 12, 9)
	for i := range constant.y {
		constant.y[i] *= 0
		constant.y[i] += 3
	}
	for i := range duplicates.x {
		duplicates.x[i] = duplicates.x[i%3]
	}
	huge := scattered("huge values", box(2), 10, 8)
	for i := range huge.y {
		huge.y[i] *= 1e300
	}
	return append(out, windowed, pooled, constant, duplicates, huge,
		scattered("failures", box(2), 16, 12).failing(0.5), scattered("failures in a list", list, 16, 12).failing(0.5),
		scattered("failures of discrete parameters", discrete, 16, 12).failing(0.5), scattered("nothing but failures", box(2), 12, 9).failing(2))
}

// failing returns the situation after every query that has ended, and whose first coordinate is below the bound, has failed.
func (s situation) failing(below float64) situation {
	for i, y := range s.y {
		if !math.IsNaN(y) && s.x[i][0] < below {
			s.y[i] = math.Inf(-1)
		}
	}
	return s
}

// scattered has n random queries, the first answered of which have values.
func scattered(name string, s space.Space, n, answered int) situation {
	stream := rng.New(uint64(n), rng.Test, uint64(answered))
	out := situation{name: name, space: s}
	for i := range n {
		u := s.Random(stream)
		y := math.NaN()
		if i < answered {
			y = math.Sin(5*u[0]) - u[len(u)-1]*u[len(u)-1]
		}
		out.x, out.y = append(out.x, u), append(out.y, y)
	}
	return out
}
