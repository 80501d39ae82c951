package loop

import (
	"cmp"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Limits on everything that can grow.
const (
	MaxBudget   = 100_000 // evaluations
	MaxWorkers  = 1024
	MaxSlots    = MaxBudget      // of one worker
	MaxContexts = 1024           // contexts waiting for a query
	MaxRetries  = 100            // of one evaluation
	MaxLost     = 100            // attempts of one evaluation that may vanish with their workers
	MaxCells    = model.MaxCells // rows of a model times points of a finite list: 2 GiB
	maxReason   = 1000           // bytes of a reason that are kept
)

// Config is everything that decides a study besides its events. It is plain data.
type Config struct {
	Space    space.Space
	Traits   policies.Traits // of the policy
	Seed     uint64          // zero is a seed like any other
	Minimize bool            // false: the greatest value is the best
	Budget   int             // evaluations, initial ones included: 1 … MaxBudget; 0 with BudgetCost and a fidelity: MaxBudget
	// BudgetCost is what all evaluations may cost together, in units of the user's; 0: no matter what. An evaluation costs what its
	// answer says, and what its fidelity does until then, or where it says nothing.
	BudgetCost float64
	Initial    int          // points of the initial design; 0 means 2·d+1 for d that vary, at most 18 and half the budget; where fits choose the model 5, at most a third of the budget and a tenth of a finite space, but with a fidelity at least 10 or a quarter of the budget; none with Earlier or Prior
	Design     space.Design // how they are spread; zero is Uniform
	Model      Model
	// Learned is what studies of earlier tasks learned of the kernel: for policies that learn it (policies.Traits.Particles); nil: this task is the first.
	Learned *Learned
	// Earlier are studies that were made before: for policies that look at their models (policies.Traits.Earlier); nil: there are none.
	Earlier *Earlier
	// Prior is what many studies taught of functions of this kind, for policies that look at a model; nil: nothing.
	Prior *Prior
	// Taught is what earlier tasks taught a bandit (bandit.Learn): for policies that begin with it (policies.Traits.Taught); nil: nothing.
	Taught *bandit.Knowledge
	Window feedback.Window
	Floor  *float64 // worst possible value, in the user's units and sense; nil: a stand-in below what was seen
	Range  float64  // known range of the values, best − worst; 0: their spread is learned
	// Constraints are what is measured besides the value, with a bound each: every outcome must have all of them, in this order. Nil:
	// none has a name, and the constraints of an outcome hold where they are ≤ 0.
	Constraints []outcome.Constraint
	// Opening is how many events come first, with what is known and what is to be queried first: the study has no end before they are all in, and
	// one that broke off before has not begun. 0: none; studies of older programs, which may have some, have an end at any time.
	Opening int
	// Seeds are points, in user units, that are known to be safe: for policies that rely on them (policies.Safety), whose studies
	// begin with them, and for no others.
	Seeds []space.Point
	// IgnoreInfeasible says that a value means nothing where a constraint is violated: the model of the values does not learn it.
	IgnoreInfeasible bool
	// IgnoreReports says that what evaluations report on their way is kept and decides nothing.
	IgnoreReports bool
	// StopEarly ends an evaluation that reports as soon as the probability that its value will be better than the best so far is less
	// than this: 0 … ½; 0 means never.
	StopEarly float64
	Barrier   int // queries of a batch; 0 or 1 means none. The policy's own barrier holds if this is 0
	// Pending is how many queries may be without an outcome at once: 1 … MaxBudget. Without a limit a study whose answers come
	// late would choose all its queries before the first of them. 0 means 20, or half of the budget where that is less, and one
	// more for every four answers; always as many as there are initial points, slots, or queries in a batch; and no limit where
	// contexts set the pace.
	Pending int

	Timeout time.Duration // of one attempt; 0 means none
	// Exclusive keeps the slot of an attempt that was cancelled until the attempt has returned: its worker answers after all,
	// or WorkerFreed says so.
	Exclusive bool
	Retries   int           // attempts after a failed or timed-out one: 0 … MaxRetries
	Lease     time.Duration // how long an answer that follows is awaited without a sign of life; 0 means as long as it takes
	// Forget is the chance of ever being heard of, in (0, .5], at or below which a pending query is left out of the model until its answer
	// comes: what is lost then keeps no part of the space to itself. It is learned from the delays. 0: never.
	Forget float64
	// ForgetAfter is how long a query may pend before it is left out of the model, whatever is known of the delays; 0: for ever.
	ForgetAfter time.Duration
	// WeighPending lets a pending query count in the model by the chance that it is ever heard of, as the delays so far say, whether it is
	// hallucinated or censored: in eighths, and where the chance is less than half of one it is left out.
	WeighPending bool
	// GiveUp is the same chance, at or below which a pending query is given up as lost: its slot is free, unless Exclusive keeps it,
	// and its budget comes back. A value that comes after all is late, and counts. 0: never.
	GiveUp   float64
	Patience time.Duration // how long to wait for answers once the budget is spent; 0 means for all of them

	// FitBeside lets queries be chosen while a fit runs; its result holds from the query after its arrival on. Otherwise
	// the next query waits for the fit, so that a seed decides everything.
	FitBeside bool
	// FitAbreast is FitBeside no further than to the next fit: once enough answers have come for it while one still runs, the next query
	// waits. Else a study whose answers come faster than fits is led by hyperparameters of long ago.
	FitAbreast bool
	// FitOnce says that a value which contradicts its forecast has hyperparameters learned anew before their time once for all queries that were chosen
	// before that held: of many that pend each may contradict what one has taught otherwise. Studies of older programs learn anew for each.
	FitOnce bool
}

// Model says what the Gaussian process looks like. One whose Hyper are given is taken at its word: far from all answers it expects the value 0, or Floor where there is
// one, with the deviation that the outputscale says. Values around another level are to be told less that level: otherwise all that was not queried looks like a cliff, or
// better than all that was.
type Model struct {
	Kernel string    // name of a kernel of the surrogate room; empty: as fits choose, where the policy adapts, otherwise matern52
	Hyper  []float64 // its hyperparameters, in the kernel's order, not logarithms; nil: learned from the answers
	Noise  float64   // variance of the noise, with Hyper only: > 0
	Active int       // most rows of the posterior, 50 … 8000; 0 means 2500. Beyond them a choice is kept (see model/active.go)
}

// Known reports whether the hyperparameters are given. Then they are in the user's units: values are neither centred
// nor scaled, and the prior mean is Floor, or zero without one.
func (m Model) Known() bool { return m.Hyper != nil }

// DefaultKernel is the kernel of a Model that names none, and where fits choose the kernel until they do.
const DefaultKernel = "matern52"

const defaultActive = 2500

// prior is what is believed before any answer: the kernel by name, with categorical coordinates compared as such.
func (c Config) prior() (surrogate.Prior, error) {
	name := cmp.Or(c.Model.Kernel, DefaultKernel)
	prior, err := surrogate.DefaultPrior(name, c.kernelDim())
	if err == nil {
		prior.Kernel = c.named(name)[0]
	}
	return prior, err
}

// model is what decides the model.
func (c Config) model() model.Config {
	prior, _ := c.prior() // Validate has seen it
	if c.Model.Known() {
		prior = model.WithHyper(prior, c.Model.Hyper, c.Model.Noise)
	}
	objective := model.Spec{Prior: prior, Known: c.Model.Known(), Range: c.Range, Kernels: c.kernels(), Sums: c.sums(), Warped: c.warped(), Fidelity: c.axis()}
	if c.Floor != nil {
		floor := c.Sense().Sign() * *c.Floor
		objective.Floor = &floor
	}
	objective.Members, objective.Meta = c.members(), c.meta()
	return model.Config{
		Space: c.Space, Seed: c.Seed, Window: c.Window, Active: c.Model.Active, Most: min(c.Budget, c.Model.Active),
		Draws: c.Traits.Draws, Blind: !c.Traits.Model, Blank: c.Traits.Adapts,
		Outputs: c.outputs(objective), Beliefs: c.beliefs(),
	}
}

// What fits choose from where the policy wants that and the configuration names no kernel: kernels of any function, of sums, and of surfaces.
var (
	adaptable = []string{DefaultKernel, "se", "matern32", "rq"}
	summable  = []string{"additive-se", "additive-matern52"}
)

// surfaces are those besides. In more dimensions they have too many terms to be told from few values, and there are none of categories.
var surfaces = []string{"quadric", "quartic"}

const mostSurface = 12

// kernels returns the kernels that fits choose from: the one that is configured, or a few; nil where the policy wants no choice.
func (c Config) kernels() []surrogate.Kernel {
	if !c.Traits.Adapts || c.Model.Known() {
		return nil
	}
	if c.Model.Kernel != "" {
		return c.named(c.Model.Kernel)
	}
	return c.named(adaptable...)
}

// sums returns the kernels of sums that fits choose from. A sum of a function of the action and one of the context would say that
// the best action is the same at every context, and one of a single coordinate is nothing else than that.
func (c Config) sums() []surrogate.Kernel {
	if c.kernels() == nil || c.Model.Kernel != "" || len(c.Space.Contexts()) > 0 || c.Space.Varying()-len(c.Space.Held()) < 2 {
		return nil
	}
	names := summable
	if c.Space.Varying() <= mostSurface && !slices.Contains(c.Space.Categorical(), true) {
		names = slices.Concat(names, surfaces)
	}
	return c.named(names...)
}

// warped returns the kernels of warped coordinates that fits choose from.
func (c Config) warped() (out []surrogate.Kernel) {
	if c.kernels() == nil || c.Model.Kernel != "" {
		return nil
	}
	for _, name := range adaptable {
		out = append(out, c.named("warped-"+name)...)
	}
	return out
}

// learnedConstant is the variance of the constant of the kernels that fits choose from, in outputscales (surrogate.WithConstant): how high the function lies is
// as unknown as the function is.
const learnedConstant = 1

// named returns kernels over the space, with an unknown constant where fits choose. What one is worth over a fidelity was not measured: there is none.
func (c Config) named(names ...string) []surrogate.Kernel {
	var out []surrogate.Kernel
	for _, name := range names {
		k, _ := surrogate.NewKernel(name, c.kernelDim()) // Validate has seen it
		if axis := c.axis(); axis != nil {
			k = axis.Over(k)
		} else if c.Traits.Adapts && !c.Model.Known() {
			k = surrogate.WithConstant(k, learnedConstant)
		}
		out = append(out, k.WithCategories(c.Space.Categorical()))
	}
	return out
}

// kernelDim is the number of parameters that a kernel by name is over: all but the fidelity.
func (c Config) kernelDim() int { return c.Space.Dim() - bit(c.axis() != nil) }

// Sizes of the initial design where none is asked for. A model that fits choose needs few points to choose better ones than random ones are, and a
// uniform point takes the place of a query anyway as long as nothing has come. With a fidelity the points tell too what its values are worth.
const (
	chosenInitial   = 5
	fidelityInitial = 10
	mostInitial     = 18
)

// initial is the size of the initial design where none is asked for. To choose a model by, a tenth of a finite space is enough.
func (c Config) initial() int {
	n, budget, most := 2*c.Space.Varying()+1, c.expected(), MaxBudget
	if points := max(c.Space.Size(), c.Space.Combinations()); points > 0 {
		most = points / 10
	}
	switch _, has := c.Space.Fidelity(); {
	case c.Traits.Adapts && has:
		n = max(n, min(fidelityInitial, budget/4, most))
	case c.Traits.Adapts:
		n = min(chosenInitial, budget/3, most)
	}
	if c.BudgetCost > 0 {
		n = min(n, c.affordableDesign())
	}
	return max(min(n, mostInitial, budget/2), 1)
}

// withDefaults fills what zero values stand for.
func (c Config) withDefaults() Config {
	if c.Budget == 0 && c.BudgetCost > 0 {
		c.Budget = MaxBudget // answers may cost less than their fidelity does
	}
	switch {
	case c.Traits.Safety.Seeds:
		c.Initial = len(c.Seeds)
	case c.Initial == 0 && c.Earlier == nil && c.Prior == nil: // earlier studies know better where to begin
		c.Initial = c.initial()
	}
	if c.Barrier == 0 {
		c.Barrier = c.Traits.Barrier
	}
	c.Model.Active = cmp.Or(c.Model.Active, defaultActive)
	if !c.Traits.Adapts { // otherwise none means that fits choose
		c.Model.Kernel = cmp.Or(c.Model.Kernel, DefaultKernel)
	}
	return c
}

// Sense says which values are good. Inside they are multiplied by its sign, and maximized.
func (c Config) Sense() outcome.Sense { return outcome.Sense(c.Minimize) }

// Better reports whether the value of an evaluation is better than that of another, or as good and there first. One without a
// value that counts, such as one whose point is infeasible or whose fidelity is not the greatest, is never better.
func (c Config) Better(a, b *Evaluation) bool { return c.Rank(a, b) < 0 }

// Rank orders evaluations for package slices as Better does: the best first, and those without a value that counts last.
func (c Config) Rank(a, b *Evaluation) int {
	switch counts, others := a.Counts(), b.Counts(); {
	case !counts && !others:
		return 0
	case !counts:
		return 1
	case !others:
		return -1
	}
	return cmp.Or(c.Sense().Compare(a.Value, b.Value), cmp.Compare(a.Ended, b.Ended))
}
