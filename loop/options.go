package loop

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Options are the fields of the configuration, all but its space: each is stated here and nowhere else. From this list come the
// header of a journal, the fingerprint, what Validate says of a single field, the flags of the command line, and what Resume and
// StartOrResume of the root compare. Names are a file format. What has a Help is a flag.
func (c *Config) Options() []option.Option {
	t, m, w := &c.Traits, &c.Model, &c.Window
	return append([]option.Option{
		{Name: "policy", Value: option.Text(&t.Name), Always: true, Help: "`POLICY` that chooses the points; tarry policies lists them"},
		{Name: "policy-model", Value: option.Toggle(&t.Model)},
		{Name: "policy-pending", Value: option.Choice(&t.Pending, feedback.Imputations()), Always: true},
		{Name: "policy-also", Value: option.List(&t.Also, "beliefs as in objective:ignore", model.Want.Text, model.ParseWant), Wants: c.wantsAlso},
		{Name: "policy-draws", Value: option.Toggle(&t.Draws)},
		{Name: "policy-adapts", Value: option.Toggle(&t.Adapts)},
		{Name: "policy-widens", Value: option.Toggle(&t.Widens)},
		{Name: "policy-earlier", Value: option.Toggle(&t.Earlier)},
		{Name: "policy-fidelities", Value: option.Toggle(&t.Fidelities)},
		{Name: "policy-particles", Value: option.Whole(&t.Particles, 0, MaxParticles), Wants: c.wantsParticles},
		{Name: "policy-layers", Value: option.List(&t.Layers, "numbers of neurons", strconv.Itoa, strconv.Atoi), Wants: c.wantsLayers},
		{Name: "policy-bandit", Value: option.Toggle(&t.Bandit)},
		{Name: "policy-taught", Value: option.Toggle(&t.Taught)},
		{Name: "policy-barrier", Value: option.Whole(&t.Barrier, 0, MaxBudget)},
		{Name: "policy-seeds", Value: option.Toggle(&t.Safety.Seeds)},
		{Name: "policy-promises", Value: option.Toggle(&t.Safety.Promises)},
		{Name: "policy-alpha", Value: option.Number(&t.Safety.Alpha, option.Range{High: 1})},
		{Name: "policy-eta", Value: option.Number(&t.Safety.Eta, notNegative)},
		{Name: "policy-delta", Value: option.Number(&t.Safety.Delta, option.Range{Low: math.Inf(-1), High: 1, OpenLow: true, OpenHigh: true})},
		{Name: "policy-risk", Value: option.Number(&t.Safety.Risk, option.Range{High: 1, OpenHigh: true})},
		{Name: "policy-sigma", Value: option.Numbers(&t.Safety.Sigma)},
		{Name: "policy-noise", Value: option.Numbers(&t.Safety.Noise)},
		{Name: "policy-tail", Value: option.Number(&t.Safety.Tail, option.Range{High: 1, OpenHigh: true})},
		{Name: "seed", Value: option.Seed(&c.Seed), Always: true, Help: "`SEED` of every random choice"},
		{Name: "minimize", Value: option.Toggle(&c.Minimize), Help: "the smallest value is the best"},
		{Name: "budget-cost", Value: option.Number(&c.BudgetCost, notNegative), Free: true, Zero: "0 means whatever it costs", Wants: c.wantsBudgetCost,
			Help: "what all evaluations may `COST` together, by their fidelity or as their answers say"},
		{Name: "budget", Value: option.Whole(&c.Budget, bit(c.BudgetCost == 0), MaxBudget), Always: true, Free: true, Wants: c.wantsBudget, Help: "`EVALUATIONS` in all"},
		{Name: "initial", Value: option.Whole(&c.Initial, 0, MaxBudget), Always: true, Wants: c.wantsInitial,
			Zero: "0 means 2 d + 1, at most 18 and half the budget; with auto 5, at most a third of the budget and a tenth of a finite space, or with a fidelity at least 10 or a quarter", Help: "`EVALUATIONS` at random points before the policy chooses"},
		{Name: "design", Value: option.Choice(&c.Design, space.Designs()), Always: true, Help: "`NAME` of how they are spread"},
		{Name: "kernel", Value: option.Word(&m.Kernel, surrogate.KernelNames()), Zero: "none means " + DefaultKernel + ", or as fits choose for a policy that adapts"},
		{Name: "hyper", Value: option.Numbers(&m.Hyper), Wants: c.wantsHyper},
		{Name: "noise", Value: option.Number(&m.Noise, notNegative), Wants: unless(func() bool { return m.Known() == (m.Noise > 0) },
			"a finite number > 0 with Hyper, and 0 without: the noise is learned")},
		{Name: "learned", Value: option.Document(&c.Learned, "what a study learned"), Wants: c.wantsLearned},
		{Name: "earlier", Value: option.Document(&c.Earlier, "earlier studies"), Wants: c.wantsEarlier},
		{Name: "meta-prior", Value: option.Document(&c.Prior, "a prior"), Wants: c.wantsPrior},
		{Name: "bandit", Value: option.Document(&c.Taught, "what tasks taught a bandit"), Wants: c.wantsTaught},
		{Name: "active", Value: option.Whole(&m.Active, model.MinActive, model.MaxActive), Zero: fmt.Sprintf("0 means %d", defaultActive)},
		{Name: "window-rounds", Value: option.Whole(&w.Rounds, 0, math.MaxInt), Zero: "0 means no limit"},
		{Name: "window-duration", Value: option.Time(&w.Duration), Zero: "0 means no limit"},
		{Name: "window-share", Value: option.Number(&w.Share, option.Range{High: 1, OpenHigh: true}), Zero: "0 means that the window is as it is given",
			Wants: c.wantsShare, Help: "`SHARE` of the answers that the window of a policy that censors is to hold, as delays are learned"},
		{Name: "window-strict", Value: option.Toggle(&w.Strict), Wants: unless(func() bool { return !w.Strict || w.Limited() },
			"false, or a window to be strict about: set Rounds or Duration")},
		{Name: "floor", Value: option.Maybe(&c.Floor)},
		{Name: "range", Value: option.Number(&c.Range, notNegative), Wants: unless(func() bool { return c.Range == 0 || c.Floor != nil },
			"0, or a Floor from which the range is measured")},
		{Name: "constraints", Value: option.List(&c.Constraints, "constraints as in latency<=0.2", outcome.Constraint.Text, outcome.ParseConstraint),
			Wants: c.wantsConstraints},
		{Name: "seeds", Value: option.List(&c.Seeds, "points as in (0.5;2)", seedText, parseSeed), Wants: c.wantsSeeds},
		{Name: "ignore-infeasible", Value: option.Toggle(&c.IgnoreInfeasible), Help: "a value means nothing where a constraint of the space file is violated", Wants: unless(func() bool { return !c.IgnoreInfeasible || len(c.Constraints) > 0 },
			"false, or Constraints that say what is infeasible")},
		{Name: "barrier", Value: option.Whole(&c.Barrier, 0, MaxBudget)}, {Name: "opening", Value: option.Whole(&c.Opening, 0, MaxForeign+MaxEnqueued)},
		{Name: "pending", Value: option.Whole(&c.Pending, 0, MaxBudget), Help: "`QUERIES` that may be unanswered at once",
			Zero: "0 means 20, or half of the budget, and one more for every four answers"},
		{Name: "timeout", Value: option.Time(&c.Timeout), Zero: "0 means as long as it takes",
			Help: "`TIME` for one attempt, as in 90s or 10m"},
		{Name: "exclusive", Value: option.Toggle(&c.Exclusive)},
		{Name: "retries", Value: option.Whole(&c.Retries, 0, MaxRetries), Help: "`ATTEMPTS` after one that failed or took too long"},
		{Name: "lease", Value: option.Time(&c.Lease), Zero: "0 means never",
			Help: "`TIME` without renewal after which a query is lost and asked again"},
		{Name: "patience", Value: option.Time(&c.Patience), Zero: "0 means for all answers"},
		{Name: "fit-beside", Value: option.Toggle(&c.FitBeside)}, {Name: "fit-abreast", Value: option.Toggle(&c.FitAbreast)}, {Name: "fit-once", Value: option.Toggle(&c.FitOnce)},
	}, c.silence()...)
}

// silence are the options that say what becomes of queries without an answer, and of what they report.
func (c *Config) silence() []option.Option {
	return []option.Option{
		{Name: "ignore-reports", Value: option.Toggle(&c.IgnoreReports), Help: "what evaluations report on their way decides nothing"},
		{Name: "stop-early", Value: option.Number(&c.StopEarly, option.Range{High: 0.5}), Zero: "0 means never", Wants: c.wantsStopEarly, Help: "end an evaluation that reports, where its value will be the best with less than this `PROBABILITY`"},
		{Name: "forget", Value: option.Number(&c.Forget, chance), Zero: "0 means never", Wants: c.keepsLate(func() bool { return c.Forget > 0 }, "0"),
			Help: "`CHANCE` of ever being heard of at which the model leaves a pending query out, as in 0.05"},
		{Name: "forget-after", Value: option.Time(&c.ForgetAfter), Zero: "0 means never", Wants: c.keepsLate(func() bool { return c.ForgetAfter > 0 }, "0")},
		{Name: "weigh-pending", Value: option.Toggle(&c.WeighPending), Wants: c.keepsLate(func() bool { return c.WeighPending }, "false"),
			Help: "a pending query counts in the model by the chance that it is ever heard of"},
		{Name: "give-up", Value: option.Number(&c.GiveUp, chance), Zero: "0 means never",
			Help: "`CHANCE` of ever being heard of at which a pending query is lost, and its budget comes back"},
	}
}

// chance is a probability that something is taken to be improbable at.
var chance = option.Range{High: 0.5}

var notNegative = option.Range{High: math.Inf(1), OpenHigh: true}

// Validate reports every violation at once.
func (c Config) Validate() error {
	var l check.List
	l.Require(c.Space.Dim() > 0, "Config.Space", "empty", "a space made by NewSpace or NewList of package tarry, or by space.New or space.List")
	rows := max(min(c.Budget, c.withDefaults().Model.Active), 1)
	if n := c.Space.Size(); c.Traits.Model && n > MaxCells/rows {
		l.Add("Config.Space.Points", n, fmt.Sprintf("at most %d points, which a model of %d rows has room for; a smaller budget has room for more", MaxCells/rows, rows))
	}
	l.Join(c.Traits.Validate("Config.Traits"))
	l.Join(option.Check("Config", &c, c.Options()))
	l.Join(c.validateSafety())
	l.Join(c.validateBandit())
	return l.Err()
}

// unless is what an option demands unless something holds.
func unless(holds func() bool, want string) func() string {
	return func() string {
		if holds() {
			return ""
		}
		return want
	}
}

// keepsLate is what an option that looks at late values demands where it is on.
func (c *Config) keepsLate(on func() bool, off string) func() string {
	return unless(func() bool { return !on() || !c.Window.Strict }, off+" with a strict window, which would throw away what comes after all")
}

func (c *Config) wantsShare() string {
	if c.Window.Share > 0 && c.Window.Limited() {
		return "0 with Rounds or Duration, which say how long the window is"
	}
	return ""
}

func (c *Config) wantsInitial() string {
	if c.Traits.Safety.Seeds && c.Initial != 0 && c.Initial != len(c.Seeds) {
		return fmt.Sprintf("0 with policy %s: the study begins with its seeds", c.Traits.Name)
	}
	if c.Budget == 0 && c.BudgetCost > 0 || c.Initial <= max(c.Budget, 0) {
		return ""
	}
	return fmt.Sprintf("0 ≤ Initial ≤ Budget = %d", c.Budget)
}

func (c *Config) wantsAlso() string {
	all := c.Traits.Beliefs()
	for i, w := range c.Traits.Also {
		switch {
		case !c.Traits.Model:
			return "none, since the policy looks at no model"
		case w.Output != model.Objective || w.Pending < feedback.Ignore || w.Pending > feedback.Hallucinate:
			return "the objective, with pending queries ignored, censored or hallucinated"
		case slices.Contains(all[:i+1], w):
			return "each belief once"
		case w.Member < 0 || w.Member >= max(c.Traits.Particles, 1):
			return fmt.Sprintf("members below the %d particles", c.Traits.Particles)
		}
	}
	return ""
}

func (c *Config) wantsHyper() string {
	if !c.Model.Known() || c.Space.Dim() == 0 {
		return ""
	}
	prior, err := c.prior()
	if err != nil {
		return "" // it is said of the kernel
	}
	hyper := prior.Kernel.Hyper()
	if len(c.Model.Hyper) != len(hyper) {
		var names []string
		for _, h := range hyper {
			names = append(names, h.Name)
		}
		return fmt.Sprintf("%d numbers: %v", len(hyper), names)
	}
	for i, h := range hyper {
		if v := c.Model.Hyper[i]; !(v > 0) || math.IsInf(v, 1) {
			return "a finite number > 0 for " + h.Name
		}
	}
	if c.Model.Noise > 0 { // what the kernel itself allows is narrower
		if err := model.WithHyper(prior, c.Model.Hyper, c.Model.Noise).Validate(); err != nil {
			return "hyperparameters that the kernel allows (" + err.Error() + ")"
		}
	}
	return ""
}
