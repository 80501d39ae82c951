package policies

import (
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// Sequential returns count proposals, chosen one after another by choose. The view given to choose has the points chosen
// before as pending queries, in the way in which the policy wants pending queries seen (its Traits.Pending), and avoid
// lists those points, which choose must not return if there are others. Each proposal has the forecast of the view by
// which it was chosen.
func Sequential(view View, count int, how feedback.Imputation, choose func(v View, avoid []space.Unit) space.Unit) []Proposal {
	proposals := make([]Proposal, 0, count)
	var avoid []space.Unit
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
