package main

import (
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/portrait"
)

// falling names the values of a fidelity that cost as much as a greater one, which is allowed; empty where there are none.
func falling(s tarry.Space) string {
	at, has := s.Fidelity()
	if !has {
		return ""
	}
	p := s.Parameter(at)
	var dear []string
	for _, v := range p.Dear() {
		dear = append(dear, fmt.Sprintf("%s=%s for %v", p.Name, p.Format(v), p.Cost(v)))
	}
	if dear == nil {
		return ""
	}
	return fmt.Sprintf("the costs of %s do not increase: %s: a greater value costs as much or less, so these are hardly worth a query", p.Name, strings.Join(dear, ", "))
}

// spendings are the fidelities that were queried, from the least to the greatest; nil where the space has none.
func (s *inspected) spendings() []portrait.Spending { return portrait.SpendingsOf(s.loop) }

// spent says what was spent of a budget in cost, or at which fidelities; empty where there is neither.
func (s *inspected) spent() string {
	c := s.loop.Config()
	all := s.spendings()
	if all == nil && c.BudgetCost == 0 {
		return ""
	}
	text := fmt.Sprintf("cost %.6g", s.loop.Cost())
	if c.BudgetCost > 0 {
		text += fmt.Sprintf(" of %.6g", c.BudgetCost)
	}
	if all == nil {
		return text
	}
	at, _ := c.Space.Fidelity()
	var parts []string
	for _, f := range all {
		parts = append(parts, fmt.Sprintf("%d at %s=%s for %.6g", f.Evaluations, c.Space.Parameter(at).Name, f.Fidelity, float64(f.Cost)))
	}
	return text + ": " + strings.Join(parts, ", ")
}
