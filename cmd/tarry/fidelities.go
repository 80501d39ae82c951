package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
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

// spending is what the evaluations of a fidelity cost.
type spending struct {
	Fidelity    string `json:"fidelity"` // as it is printed
	Evaluations int    `json:"evaluations"`
	Cost        sum    `json:"cost"`
}

// sum is a number; its JSON is null where it is beyond all numbers.
type sum float64

// MarshalJSON writes the number, or null.
func (s sum) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(s), 0) || math.IsNaN(float64(s)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// spendings are the fidelities that were queried, from the least to the greatest; nil where the space has none.
func (s *inspected) spendings() []spending {
	where := s.loop.Config().Space
	at, has := where.Fidelity()
	if !has {
		return nil
	}
	p := where.Parameter(at)
	var out []spending
	var values []float64
	for _, e := range s.evaluations() {
		v := p.Value(e.X[at])
		k := 0
		for k < len(values) && values[k] < v {
			k++
		}
		if k == len(values) || values[k] != v {
			values = append(values[:k], append([]float64{v}, values[k:]...)...)
			out = append(out[:k], append([]spending{{Fidelity: p.Format(v)}}, out[k:]...)...)
		}
		out[k].Evaluations++
		if e.Status != loop.Lost && e.Status != loop.Cancelled && !e.Foreign {
			out[k].Cost += sum(costOf(where.Cost(e.X), e))
		}
	}
	return out
}

// costOf is what an evaluation cost: what its answer says, or what is expected of its fidelity.
func costOf(expected float64, e loop.Evaluation) float64 {
	if e.Measured && e.Cost > 0 {
		return e.Cost
	}
	return expected
}

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
