package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry/internal/portrait"
)

// spendings are the fidelities that were queried, from the least to the greatest; nil where the space has none.
func (s *inspected) spendings() []portrait.Spending { return portrait.SpendingsOf(s.loop) }

// spent says what was spent of a budget in cost, or at which fidelities; empty where there is neither.
func (s *inspected) spent() string {
	c := s.loop.Config()
	all := s.spendings()
	if all == nil && c.BudgetCost == 0 {
		return ""
	}
	text := "cost " + total(s.loop.Cost())
	if c.BudgetCost > 0 {
		text += fmt.Sprintf(" of %.6g", c.BudgetCost)
	}
	if all == nil {
		return text
	}
	at, _ := c.Space.Fidelity()
	var parts []string
	for _, f := range all {
		parts = append(parts, fmt.Sprintf("%d at %s=%s for %s", f.Evaluations, c.Space.Parameter(at).Name, f.Fidelity, total(float64(f.Cost))))
	}
	return text + ": " + strings.Join(parts, ", ")
}

// total is a sum of costs, which may be beyond all numbers.
func total(cost float64) string {
	if math.IsInf(cost, 1) {
		return "more than " + number(math.MaxFloat64)
	}
	return number(cost)
}
