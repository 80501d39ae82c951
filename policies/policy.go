// Package policies chooses which point to query next. A policy is a pure function from a view of the study and a
// random stream to proposals: it has no memory, so live runs, simulations and replays get the same answer.
//
//	policy, err := policies.Parse("ucb-sdf:nu=1")
//	proposals, err := policy.Propose(view, 1, rand.New(rand.NewPCG(seed, uint64(view.Round))))
//
// # Writing a policy
//
// One file holds a policy: the type, whose exported fields are its configuration and whose zero value works, a call
// of Register, and the two methods. Once registered, the name appears in every list and flag, and the suite of
// policytest tests it. A policy must
//
//   - return points of the space, with the context coordinates of the view, as Space.Snap leaves them;
//   - return different points when asked for several, where the space has that many;
//   - cope with a view without answers, with duplicates, with constant values;
//   - keep nothing of the view, which a policy of another package than this one gets as a copy for the one query: what it sorts, deletes or
//     overwrites there, the study does not notice;
//   - return an error wrapping ErrUnsupported for a study it cannot serve, rather than ignore what it was told: a point that fills
//     the space takes the place of the query then, as after every error, Result.Counters.Fallbacks counts it and the log has the reason.
//
// Package policies has nothing for its own policies that it does not offer to others, in whatever module:
//
//   - Sequential chooses several points one after another, each pending (View.WithPending) and with its View.Forecast;
//   - View.Maximize finds the best point of any acquisition.Function, over a list or in a space: a utility of the posterior
//     (acquisition.At, acquisition.There), a function drawn from it (View.Draw), or one on a model of the policy's own, which
//     View.Sample has the rows for. What it searches around and keeps away from is View.Promising and View.Known;
//   - View.MaximizeGain does the same for the logarithm of a gain or of a chance, and both see to the constraints of a study, and to what fails where the
//     policy adapts (Traits.Adapts): it need not know of them (View.Constraints, View.Region, View.IfFeasible);
//   - View.Random is the point before there is anything to go by (View.Informed), View.Target the value to improve on;
//   - View.Model is the model of an output with pending queries seen in some way, for a policy that wants several (Traits.Also), and
//     View.Ignoring the model of the answers alone where they are hallucinated;
//   - Beta, Width and Sigma are how wide a confidence interval is, with their options;
//   - a method Explain (Explainer) says what the policy maximizes, for tarry inspect --explain, in words that fit whoever minimizes too (Worded);
//   - Settings state the options once: Number, Exact, Whole, Choice, Pending and Text, and NameOf makes the name of them.
//
// The folder examples/policy holds GP-BUCB as a module of its own, with its tests.
//
// The package is pure; policies are values and safe for concurrent use.
package policies

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// ErrUnsupported says that a policy cannot serve a study of this kind.
var ErrUnsupported = errors.New("unsupported by the policy")

// Policy chooses queries.
type Policy interface {
	// Traits says what the policy needs; it does not change during a study.
	Traits() Traits
	// Propose returns count points. It must depend on its arguments alone.
	Propose(view View, count int, stream *rand.Rand) ([]Proposal, error)
}

// Query is a chosen point, with what was known about it when it was chosen.
type Query struct {
	Number int           // of the evaluation, from 1
	Round  int           // queries chosen up to and including this one: t of the papers
	At     time.Duration // when it was chosen
	X      space.Unit    // in the unit cube, contexts included
	// Probability is that with which the policy drew the point, as its proposal said; 0 where it said none, or did not choose the point,
	// as that of a query that was lost and is asked again: see View.First.
	Probability float64
}

// Answer is a query whose value has come.
type Answer struct {
	Query      Query
	AgainOf    int       // number of the query whose point was lost and that this one repeats, see View.First; 0: the query stands for itself
	Forecast   *Forecast // of the query, or of the one that it repeats
	Seen       int       // first round whose selection could see the value
	Value      float64   // in the maximization sense, in the user's units otherwise
	Late       bool      // outside the window
	Infeasible bool      // a constraint is violated: it is never the best
	Below      bool      // its fidelity is not the greatest: it is never the best
}

// Proposal is a point to query next, and optionally what the model predicts there.
type Proposal struct {
	X        space.Unit // in the unit cube, contexts included
	Forecast *Forecast  // nil when the policy makes none
	// Probability is that with which X was drawn, for a policy that needs to know it of its answers (Query.Probability); 0: none is said.
	Probability float64
	// Again says that a second value at a point is wanted that has one, to see whether values have noise: X is not moved aside.
	Again bool
}

// View is what a policy may know. Views that are made of one another share their memory: read it, change nothing. A policy that does all
// the same changes the copy that it got (Propose), and not the study. It keeps nothing from one view to the next, since it has no memory.
type View struct {
	Round   int           // of the query to be chosen, t
	At      time.Duration // now
	Space   space.Space
	Context space.Unit // unit coordinates of the parameters that are held, contexts and the fidelity, in their order; nil without
	Funds   float64    // what this query and further ones may cost together, by both budgets; +Inf without a fidelity or a budget in cost

	// Belief is the objective with pending queries as the traits ask: the first of the beliefs that the policy wants. Model
	// returns any of them. Its posterior is nil when the policy looks at none. With a finite list and no contexts it carries
	// all points as its pool, in the order of the list; with contexts it may carry all actions, at the context of the view. In
	// any other space a pool holds candidates, not the domain.
	model.Belief
	Also []model.Belief // the further ones, in the order of Traits.Also
	// Constraints are those that the study names, in their order, with what is believed of the margin of each; nil where there are none,
	// or the policy looks at no model. Maximize, MaximizeGain and Target see to them.
	Constraints []Constraint
	// Taught is what earlier tasks taught a bandit; nil: nothing, or the policy's traits do not want it.
	Taught *bandit.Knowledge
	// Caution is how the study stands as to its safety; zero for a policy whose traits want none.
	Caution Caution

	// Earlier are the models of earlier studies, for a policy whose traits want them; nil where the study was given none.
	Earlier []Earlier

	// Quiet says that a second value at a point would tell next to nothing, since the values have no noise to speak of: a point
	// that was queried is not to be chosen while there is another.
	Quiet   bool
	Window  feedback.Window
	Queries []Query  // every query chosen so far, by number: Queries[k-1] is number k
	Pending []int    // numbers of those without an outcome, ascending
	History []Answer // every answer so far, in the order (first round that sees it, number)

	success *surrogate.Posterior // of where queries succeed; nil where none failed for its point, see Avoiding
	settled float64              // variance below which Maximize takes a point of a quiet view for known; 0 means asKnown
	targets targetMeans          // those of its model, where they were computed; of another model they do not count
	aside   aside                // what its model says without what pends, where that was computed; of another model it does not count
}
