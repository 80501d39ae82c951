package policies

import "github.com/tarry-bo/tarry/feedback"

// Pending is the option that tells a policy how to see pending queries, for policies that work with any imputation.
func Pending(how *feedback.Imputation) Setting {
	return Choice("pending", how, feedback.Hallucinate, feedback.Imputations(), "what a pending query contributes to the model")
}
