package policies

import "github.com/tarry-bo/tarry/feedback"

var _ = Register(Entry{
	Name:    "gp-bts",
	Summary: "Thompson sampling; pending queries hallucinated at their posterior mean",
	Source:  "Desautels et al. 2014 with a draw in place of the bound, as in Verma et al. 2022, sec. 6",
}, Thompson{Pending: feedback.Hallucinate})
