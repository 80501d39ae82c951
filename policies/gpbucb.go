package policies

import "github.com/tarry-bo/tarry/feedback"

var _ = Register(Entry{
	Name:    "gp-bucb",
	Summary: "upper confidence bound; pending queries hallucinated at their posterior mean",
	Source:  "Desautels et al. 2014, Alg. 2",
}, UCB{Pending: feedback.Hallucinate})
