package policies

import "github.com/tarry-bo/tarry/feedback"

var _ = Register(Entry{
	Name:    "asy-ts",
	Summary: "Thompson sampling from the answers alone; ignores pending queries",
	Source:  "Kandasamy et al. 2018, Alg. 2",
}, Thompson{Pending: feedback.Ignore})
