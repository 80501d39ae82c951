package loop

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
)

// Affords returns why a study cannot go on with other budgets, which name Config.Budget and Config.BudgetCost; nil where it can. Zero leaves a
// budget as it is.
func (l *Loop) Affords(budget int, cost float64) error {
	fixed := l.Fixed()
	if cost != 0 && cost != l.config.BudgetCost {
		if spent := l.Cost(); cost < spent {
			return &check.FieldError{Field: "Config.BudgetCost", Value: cost, Want: fmt.Sprintf("at least %v: so much the study has spent already", spent)}
		}
		if fixed != "" {
			return &check.FieldError{Field: "Config.BudgetCost", Value: cost, Want: "0 or as it was: " + fixed}
		}
	}
	switch least := l.LeastBudget(); {
	case budget == 0 || budget == l.config.Budget:
		return nil
	case fixed != "":
		return &check.FieldError{Field: "Config.Budget", Value: budget, Want: fmt.Sprintf("0 or %d: %s", l.config.Budget, fixed)}
	case budget < least:
		return &check.FieldError{Field: "Config.Budget", Value: budget, Want: fmt.Sprintf("%d ≤ Budget ≤ %d: so much the study has spent already", least, MaxBudget)}
	}
	return nil
}
