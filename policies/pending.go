package policies

import "github.com/tarry-bo/tarry/feedback"

// Pending is the option by which a policy that works with any imputation is told how to see pending queries.
func Pending(how *feedback.Imputation) Setting {
	return Choice("pending", how, feedback.Hallucinate, feedback.Imputations(), "what a pending query contributes to the model")
}
