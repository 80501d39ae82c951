package loop

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Where the space has a fidelity, an evaluation is cheaper and says less of what is wanted, or is of the greatest fidelity, the target,
// where what is found is judged. A policy that does not choose fidelities queries the target alone. One that does (Traits.Fidelities)
// begins with a design over all of them, and is told what is left of the budget in cost: a query that costs more than that is made
// at the greatest fidelity that it pays for.

// mostFidelities is how many fidelities of a parameter with more of them the initial design is spread over.
const mostFidelities = 4

// manyFidelities is how many values a fidelity has at most whose neighbours are a step apart for the kernel; one with more is like a
// number without steps.
const manyFidelities = 8

// axis is what kernels need to know of the fidelity; nil without one.
func (c Config) axis() *surrogate.FidelityAxis {
	i, has := c.Space.Fidelity()
	if !has {
		return nil
	}
	levels := c.Space.Parameter(i).Levels()
	if levels == 0 || levels > manyFidelities {
		return &surrogate.FidelityAxis{At: i, Levels: 2}
	}
	return &surrogate.FidelityAxis{At: i, Levels: levels + 1} // they have equal shares of [0, 1]: a step is 1/levels
}

// expected is how many evaluations there will be at most, unless answers cost less than their fidelities do.
func (c Config) expected() int {
	if c.BudgetCost > 0 {
		return min(c.Budget, c.Affordable())
	}
	return c.Budget
}

// Affordable returns how many evaluations of the least costs the budget in cost pays for.
func (c Config) Affordable() int {
	i, has := c.Space.Fidelity()
	if !has {
		return MaxBudget
	}
	least := slices.Min(c.Space.Parameter(i).Costs) // also of points that are enqueued, whatever the policy chooses
	return max(int(min(c.BudgetCost/least*(1+costSlack), MaxBudget)), 1)
}

// costSlack is by how much a sum of costs may be off, as a share of it.
const costSlack = 1e-12

// cheapest is the least that a query costs which the policy chooses; 0 without a fidelity.
func (c Config) cheapest() float64 {
	i, has := c.Space.Fidelity()
	if !has {
		return 0
	}
	p := c.Space.Parameter(i)
	if !c.Traits.Fidelities {
		return c.target()
	}
	return slices.Min(p.Costs) // costs between those stated are not less
}

// target is what a query of the greatest fidelity costs; 0 without a fidelity.
func (c Config) target() float64 {
	i, has := c.Space.Fidelity()
	if !has {
		return 0
	}
	p := c.Space.Parameter(i)
	return p.Cost(p.Value(c.Space.Target()))
}

// affordableDesign is how many initial points half of the budget in cost pays for: at least one, without a fidelity any number.
func (c Config) affordableDesign() int {
	total := 0.0
	for n := range mostInitial {
		total += c.designCost(n)
		if total > c.BudgetCost/2 {
			return max(n, 1)
		}
	}
	return mostInitial
}

// designCost is what the initial point with an index costs.
func (c Config) designCost(k int) float64 {
	i, has := c.Space.Fidelity()
	if !has {
		return 0
	}
	p := c.Space.Parameter(i)
	return p.Cost(p.Value(c.designFidelity(k)))
}

// designFidelity is the fidelity of the initial point with an index: the target first, and then, where the policy chooses among them,
// that on which least was spent with one more point, so that all cost the same together: where rough values cost little there are many of them.
func (c Config) designFidelity(k int) float64 {
	if !c.Traits.Fidelities {
		return c.Space.Target()
	}
	levels := c.Space.Fidelities(mostFidelities)
	i, _ := c.Space.Fidelity()
	p := c.Space.Parameter(i)
	spent := make([]float64, len(levels)) // with one more point
	for m, level := range levels {
		spent[m] = p.Cost(p.Value(level))
	}
	at := len(levels) - 1
	for range k {
		spent[at] += p.Cost(p.Value(levels[at]))
		at = 0
		for m := range levels {
			if spent[m] <= spent[at] { // of equals the greater one
				at = m
			}
		}
	}
	return levels[at]
}

// designed is an initial point at the next context and its fidelity.
func (l *Loop) designed(k int) space.Unit {
	u := slices.Clone(l.plan.design[k])
	if i, has := l.config.Space.Fidelity(); has {
		u[i] = l.config.designFidelity(k)
	}
	return l.atContext(u)
}

// heldFor are the coordinates that are held for a proposal: the fidelity is that of the proposal where the policy chooses it, or the
// greatest that what is left pays for.
func (l *Loop) heldFor(x space.Unit) space.Unit {
	i, has := l.config.Space.Fidelity()
	if !has || !l.config.Traits.Fidelities {
		return l.context()
	}
	p := l.config.Space.Parameter(i)
	fidelity := x[i]
	if p.Levels() > 0 {
		fidelity = p.Level(p.Rank(fidelity))
	}
	if funds := l.Funds(); p.Cost(p.Value(fidelity)) > funds {
		levels := slices.DeleteFunc(l.config.Space.Fidelities(costLevels), func(v float64) bool { return p.Cost(p.Value(v)) > funds })
		if len(levels) > 0 {
			fidelity = slices.MaxFunc(levels, func(a, b float64) int { return int(math.Copysign(1, a-b)) })
		}
	}
	return l.config.Space.Hold(l.nextContext(), fidelity)
}

// costLevels is how many fidelities are looked at for one that can be paid for.
const costLevels = 1024

// Cost returns what the evaluations cost that count, pending ones included: what answers say, and what fidelities do where there is
// no answer yet or it says nothing. Cost O(n).
func (l *Loop) Cost() float64 {
	total := 0.0
	for i := range l.ledger.evaluations {
		if e := &l.ledger.evaluations[i]; !e.Foreign && !rules[e.Status].free {
			total += l.costOf(e)
		}
	}
	return total
}

func (l *Loop) costOf(e *Evaluation) float64 {
	if e.Measured && e.Cost > 0 {
		return e.Cost
	}
	return l.config.Space.Cost(e.X)
}

// Funds returns what further queries may cost together; +Inf without a budget in cost. Cost O(n) with one.
func (l *Loop) Funds() float64 {
	if l.config.BudgetCost == 0 {
		return math.Inf(1)
	}
	slack := l.config.BudgetCost * costSlack
	if left := l.config.BudgetCost - l.Cost(); left > slack {
		return left + slack
	}
	return 0
}

// payable is what the next query and those after it may cost together, in the view of a policy: with a fidelity no more than if each that is left
// were of the greatest.
func (l *Loop) payable() float64 {
	funds := l.Funds()
	if target := l.config.target(); target > 0 {
		funds = min(funds, target*float64(l.config.Budget-l.Spent()))
	}
	return funds
}

// used reports whether the budget is spent: no evaluation is left of it, or nothing that pays for one.
func (l *Loop) used() bool {
	if l.ledger.spent(l.config.Budget) >= l.config.Budget {
		return true
	}
	if l.config.BudgetCost == 0 {
		return false
	}
	funds := l.Funds()
	return funds == 0 || funds < l.config.cheapest()
}

func (c *Config) wantsBudget() string {
	if c.Budget == 0 && c.BudgetCost > 0 && c.cheapest() == 0 {
		return fmt.Sprintf("1 ≤ Budget ≤ %d: no fidelity says what an evaluation costs", MaxBudget)
	}
	return ""
}

func (c *Config) wantsBudgetCost() string {
	if target := c.target(); c.BudgetCost > 0 && c.BudgetCost < target {
		return fmt.Sprintf("at least %v, which one evaluation of the greatest fidelity costs", target)
	}
	return ""
}
