package policies

import "github.com/tarry-bo/tarry/feedback"

var _ = Register(Entry{
	Name:    "gp-ucb",
	Summary: "upper confidence bound from the answers alone; ignores pending queries",
	Source:  "Srinivas et al. 2010, Alg. 1",
}, UCB{Pending: feedback.Ignore})
