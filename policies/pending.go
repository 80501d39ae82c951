package policies

import "github.com/tarry-bo/tarry/feedback"

var imputations = []string{
	feedback.Ignore: feedback.Ignore.String(), feedback.Censor: feedback.Censor.String(), feedback.Hallucinate: feedback.Hallucinate.String(),
}

// Pending is the option that tells a policy how to see pending queries, for policies that work with any imputation.
func Pending(how *feedback.Imputation) Setting {
	return Choice("pending", how, feedback.Hallucinate, imputations, "what a pending query contributes to the model")
}
