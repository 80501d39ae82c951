package policies

import "github.com/tarry-bo/tarry/feedback"

// Sequential returns count proposals that choose makes one after another. Each chosen point is in the view as pending, the way
// the policy wants pending queries seen (its Traits.Pending), when the next is chosen; avoid lists the points chosen before,
// which must not come back if there are others. With each point goes the forecast of the view it was chosen by.
func Sequential(view View, count int, how feedback.Imputation, choose func(v View, avoid [][]float64) []float64) []Proposal {
	proposals := make([]Proposal, 0, count)
	var avoid [][]float64
	for k := range count {
		x := choose(view, avoid)
		proposals = append(proposals, Proposal{X: x, Forecast: view.Forecast(x)})
		if k+1 == count {
			break
		}
		avoid = append(avoid, x)
		view = view.WithPending(x, how)
	}
	return proposals
}
