package policies

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Model returns the belief about an output with pending queries seen in one way: one of those that the policy's traits want;
// another is a bug and panics, which makes the proposal fail. A view through it, for Maximize and all the others, is
//
//	v.Belief = v.Model(model.Objective, feedback.Ignore)
func (v View) Model(of model.Output, how feedback.Imputation) model.Belief {
	want := model.Want{Output: of, Pending: how}
	if v.Posterior != nil {
		if v.Want == want {
			return v.Belief
		}
		for _, b := range v.Also {
			if b.Want == want {
				return b
			}
		}
	}
	panic(fmt.Sprintf("the traits of the policy do not want a model of the %v", want))
}

// First returns the query that was first to ask what an answer says: the one that was lost where this is the answer of its repeat, which the policy did
// not choose; and that of the answer otherwise.
func (v View) First(a Answer) Query {
	if a.AgainOf == 0 {
		return a.Query
	}
	return v.Queries[a.AgainOf-1]
}

// Informed reports whether the model has seen a value that says something of what is wanted, or has a prior that earlier tasks taught.
func (v View) Informed() bool {
	return v.Incumbent != nil || v.hinted() || v.Posterior != nil && v.Posterior.Prior().Trend != nil
}

// level reports whether all of several values are the same, and there is nothing else to go by. A model of them knows nothing but that the
// function is level, and would look at the rim of the space only, where it is least sure; so the space is covered in its place.
func (v View) level() bool {
	if len(v.History) < 2 || v.bounded() || len(v.Earlier) > 0 || v.hinted() || v.Posterior == nil || v.Posterior.Prior().Trend != nil {
		return false
	}
	return !slices.ContainsFunc(v.History, func(a Answer) bool { return a.Value != v.History[0].Value })
}

// Random returns a uniform point of the view's space at its context, not among avoid, nor one that was queried if the view is
// quiet, where that can be had. Where points are many a uniform one was hardly queried before, and looking would cost O(n); the
// loop looks itself, by their hashes.
func (v View) Random(stream *rand.Rand, avoid []space.Unit) space.Unit {
	quiet := v.Quiet && (v.Space.Size() > 0 || v.Space.Combinations() > 0)
	var x space.Unit
	for range 64 {
		x = v.Space.RandomAt(v.Context, stream)
		same := func(a space.Unit) bool { return slices.Equal(a, x) }
		if !slices.ContainsFunc(avoid, same) && !(quiet && slices.ContainsFunc(v.Queries, func(q Query) bool { return same(q.X) })) {
			break
		}
	}
	return x
}

// Known returns the points that need no second value: those that were queried, if the view is quiet.
func (v View) Known() []space.Unit {
	if !v.Quiet {
		return nil
	}
	out := make([]space.Unit, len(v.Queries))
	for i, q := range v.Queries {
		out[i] = q.X
	}
	return out
}

// Target is the value that a query should improve on: the greatest posterior mean at the rows of the model, in the
// model's units; −Inf without rows, but the prior mean where earlier tasks taught it. Under noise the greatest value observed is partly luck, and pending rows count
// because what one of them is expected to bring is no improvement any more: for a policy that hallucinates, a pending
// query at x always makes x less useful. With constraints feasible rows alone count. With a fidelity it is what the model expects at
// the greatest, with contexts at that of the view. Cost O(n), with a fidelity O(n²), with contexts O(n·d) for each of 256 rows.
func (v View) Target() float64 {
	if prior := v.Posterior.Prior(); prior.Trend != nil && v.Posterior.Len() == 0 {
		return prior.Mean
	}
	return v.greatestFeasible(v.rowMeans(), v.Best)
}

const (
	promisingRows = 4    // rows with the greatest means that a search looks around
	promisingGap  = 0.02 // they differ in some coordinate by more
)

// Promising returns points to look around: the incumbent, and the rows with the greatest posterior means that are not
// close to a better one; with a fidelity what these points are at the greatest.
func (v View) Promising() []space.Unit {
	var out []space.Unit
	if v.Incumbent != nil {
		out = append(out, v.Incumbent)
	}
	mean, feasible := v.rowMeans(), v.feasible()
	order := make([]int, len(mean))
	floats.Argsort(mean, order)
	for _, i := range slices.Backward(order) {
		if feasible == nil || feasible[i] {
			out = v.promising(out, v.Space.AtTarget(v.Posterior.X(i)))
		}
	}
	return out
}

// promising adds a point to those to look around, if there is room and it is not close to one of them.
func (v View) promising(to []space.Unit, x space.Unit) []space.Unit {
	if len(to) == promisingRows || slices.ContainsFunc(to, func(o space.Unit) bool { return v.Apart(o, x) <= promisingGap }) {
		return to
	}
	return append(to, x)
}

// Apart is by how much two points differ in the coordinate where that is most, as the model sees it: where it has learned that coordinates are
// warped, along those. Cost O(d).
func (v View) Apart(a, b space.Unit) float64 {
	w := v.inputs()
	return floats.Distance(w.To(a), w.To(b), math.Inf(1))
}

// oneOf reports whether x is one of the points: within a millionth of it in every coordinate, as the model sees them.
func (v View) oneOf(x space.Unit, points []space.Unit) bool {
	w := v.inputs()
	if w == nil {
		return acquisition.Among(x, points)
	}
	warped := make([]space.Unit, len(points))
	for i, p := range points {
		warped[i] = w.To(p)
	}
	return acquisition.Among(w.To(x), warped)
}

// inputs are the warps of the coordinates that the model has learned; nil without any.
func (v View) inputs() surrogate.Inputs {
	if v.Posterior == nil {
		return nil
	}
	return surrogate.InputsOf(v.Posterior.Prior().Kernel)
}

// MostExpected returns the point with the greatest posterior mean at the context of the view; where queries fail, of those that are nearly sure
// to succeed: nobody wants to be recommended what lies at the very edge.
func (v View) MostExpected(stream *rand.Rand) space.Unit {
	v = v.Avoiding()
	v.Quiet = false
	region := v.Region()
	if v.success != nil {
		region[len(region)-1].Least = successKnown
	}
	return v.maximize(posteriorMean(v.Posterior), region, nil, stream)
}

// WithPending returns the view after one more query was chosen at x: it pends, and is in the model as an imputation of that kind
// is, in the further beliefs as these want it. The view it is made from stays as it is. Cost O(n²) for each belief.
func (v View) WithPending(x space.Unit, how feedback.Imputation) View {
	number := len(v.Queries) + 1
	v.Queries = append(slices.Clip(v.Queries), Query{Number: number, Round: v.Round, At: v.At, X: x})
	v.Pending = append(slices.Clip(v.Pending), number)
	v.Round++
	if v.Caution.Seeds != nil {
		v.Caution = v.Caution.started(x)
	}
	v.Belief = withPending(v.Belief, number, x, how)
	if len(v.Also) > 0 {
		also := slices.Clone(v.Also)
		for i, b := range also {
			also[i] = withPending(b, number, x, b.Want.Pending)
		}
		v.Also = also
	}
	if len(v.Constraints) > 0 {
		v.Constraints = slices.Clone(v.Constraints)
		for i, c := range v.Constraints {
			v.Constraints[i].Belief = withPending(c.Belief, number, x, c.Want.Pending)
		}
	}
	return v
}

// withPending is a belief after one more query was chosen.
func withPending(b model.Belief, number int, x space.Unit, how feedback.Imputation) model.Belief {
	if b.Posterior == nil || how == feedback.Ignore {
		return b
	}
	target := b.Units.Censored
	if how == feedback.Hallucinate {
		target = b.Posterior.Mean(x)
	}
	b.Posterior = b.Posterior.Append(x, target)
	b.Rows = append(slices.Clip(b.Rows), number)
	return b
}

// WithoutPending returns the view as if the queries that pend had never been chosen: those that are left are numbered anew, and
// the round stays. Cost that of surrogate.Posterior.Without for each belief.
func (v View) WithoutPending() View {
	number := make([]int, len(v.Queries)+1) // by the one before; 0 for what pends
	var queries []Query
	for _, q := range v.Queries {
		if _, pends := slices.BinarySearch(v.Pending, q.Number); !pends {
			number[q.Number] = len(queries) + 1
			q.Number = len(queries) + 1
			queries = append(queries, q)
		}
	}
	history := slices.Clone(v.History)
	for i, a := range history {
		history[i].Query.Number, history[i].AgainOf = number[a.Query.Number], number[a.AgainOf]
	}
	for _, n := range v.Pending {
		v.Caution = v.Caution.without(v.Queries[n-1].X)
	}
	v.Queries, v.Pending, v.History = queries, nil, history
	v.Belief, v.Also = renumbered(v.Belief, number), slices.Clone(v.Also)
	for i, b := range v.Also {
		v.Also[i] = renumbered(b, number)
	}
	v.Constraints = slices.Clone(v.Constraints)
	for i, c := range v.Constraints {
		v.Constraints[i].Belief = renumbered(c.Belief, number)
	}
	return v
}

// renumbered is a belief whose rows have other numbers, and without those whose number is 0.
func renumbered(b model.Belief, number []int) model.Belief {
	var rows, gone []int
	for i, row := range b.Rows {
		n := number[max(row, -row)]
		if row < 0 {
			n = -n // a report
		}
		if n != 0 {
			rows = append(rows, n)
		} else {
			gone = append(gone, i)
		}
	}
	b.Rows = rows
	if b.Posterior != nil {
		b.Posterior = b.Posterior.Without(gone, without(b.Posterior.Targets(), gone))
	}
	var outliers []int
	for _, n := range b.Outliers {
		outliers = append(outliers, number[n])
	}
	b.Outliers = outliers
	b.Blamed, b.Penalties = slices.Clone(b.Blamed), slices.Clone(b.Penalties)
	for _, numbers := range [...][]int{b.Blamed, b.Penalties} {
		for i, n := range numbers {
			numbers[i] = number[n]
		}
	}
	return b
}

// Ignoring returns the view whose model has the answers alone: that of a policy that ignores pending queries, made from the model of
// one that hallucinates them, up to round-off. It has a pool only where that is all that may be chosen. Cost that of
// surrogate.Posterior.Without, which is little where few rows are behind those that pend: see alone for what can be had for less.
func (v View) Ignoring() View {
	b, pool := v.Belief, v.Posterior.Pool()
	if pool != nil && !v.listed() {
		b.Posterior = b.Posterior.WithPool(nil)
	}
	pending := v.pendingRows()
	targets, rows := without(b.Posterior.Targets(), pending), without(b.Rows, pending)
	b.Want.Pending, b.Rows, b.Posterior = feedback.Ignore, rows, b.Posterior.Without(pending, targets)
	v.Belief = b
	return v
}

// pendingRows are the rows of the posterior whose queries pend, ascending.
func (v View) pendingRows() (rows []int) {
	for i, number := range v.Rows {
		if _, pends := slices.BinarySearch(v.Pending, number); pends {
			rows = append(rows, i)
		}
	}
	return rows
}

// Forecast returns what the model predicts for the noisy value at x; nil without a model that has seen a value. Cost O(n²), or
// O(1) at a point of the pool.
func (v View) Forecast(x space.Unit) *Forecast {
	if v.Posterior == nil || !v.Informed() {
		return nil
	}
	return v.forecastOf(v.moments(x))
}

// forecastOf is the forecast of the noisy value at a point, of whose mean and variance.
func (v View) forecastOf(mean, variance float64) *Forecast {
	sd := math.Sqrt(variance + v.Posterior.Noise())
	return &Forecast{Mean: mean, Stddev: sd, Warp: v.Units.Warp, Shift: v.Units.Shift, Scale: v.Units.Scale}
}

// moments returns posterior mean and variance at x, from the pool where x belongs to it.
func (v View) moments(x space.Unit) (mean, variance float64) {
	if pool := v.Posterior.Pool(); pool != nil {
		if i := pool.Index(x); i >= 0 {
			return v.Posterior.PoolMean()[i], v.Posterior.PoolVariance()[i]
		}
	}
	return v.Posterior.Predict(x)
}
