package figures

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/loop"
)

// progress is the axis along which a study goes: the number of the evaluations that came, or what they cost.
type progress struct {
	name  string
	at    []float64 // where each evaluation that arrived is, in their order
	end   float64
	ticks plot.Ticker
}

// along is the number of evaluations, or where something says what each of them costs what was spent when it came.
func (s Study) along() progress {
	arrived := s.arrived()
	spent := make([]float64, len(arrived))
	total := 0.0
	for i, e := range arrived {
		total += s.cost(e)
		spent[i] = total
	}
	if _, has := s.Space.Fidelity(); (has || s.BudgetCost > 0) && total < math.Inf(1) {
		return s.spending(spent, total)
	}
	c := progress{
		name: fmt.Sprintf("evaluations in the order in which they came (%d%s)", len(arrived), s.pending()),
		end:  float64(max(len(arrived), 5)), ticks: chart.WholeTicks(8),
	}
	for i := range arrived {
		c.at = append(c.at, float64(i+1))
	}
	return c
}

// spending is the axis of what was spent.
func (s Study) spending(spent []float64, total float64) progress {
	u := unitOf(total)
	for i := range spent {
		spent[i] /= float64(u)
	}
	of := ""
	if s.BudgetCost > 0 {
		of = fmt.Sprintf(" of %.6g", s.BudgetCost)
	}
	name := fmt.Sprintf("%s (%.6g%s for %d evaluations%s)", u.named("cost so far"), total, of, len(spent), s.pending())
	end := total / float64(u)
	if end == 0 {
		end = 1 // nothing was spent yet
	}
	return progress{name: name, at: spent, end: end, ticks: chart.TidyTicks(8)}
}

// cost is what an evaluation cost: what its answer said, or what its fidelity does. What is lost, or comes from elsewhere, is free.
func (s Study) cost(e loop.Evaluation) float64 {
	switch {
	case e.Foreign || e.Status == loop.Lost || e.Status == loop.Cancelled:
		return 0
	case e.Measured && e.Cost > 0:
		return e.Cost
	}
	return s.Space.Cost(e.X)
}
