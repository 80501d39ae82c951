package main

import (
	"fmt"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
)

// mostFailures is how many evaluations may fail at first, where the user does not say otherwise.
const mostFailures = 10

// failing sees whether the first evaluations that this process starts all fail: then it is the command that is wrong, and not the points, and to
// go on would spend the budget on nothing. Those that time out are awaited no longer, but say nothing of it.
type failing struct {
	most   int          // evaluations that are looked at; 0 for none
	first  map[int]bool // those that were started first, and whether they have failed
	failed int          // of them
	sound  bool         // whether one came to another end
}

func newFailing(most int) *failing { return &failing{most: most, first: map[int]bool{}} }

// event notes what happened, and returns why the study should stop: once, when the last of the first has failed.
func (f *failing) event(n tarry.Event) error {
	if f.most == 0 || f.sound {
		return nil
	}
	for _, effect := range n.Reaction.Effects {
		if d, ok := effect.(loop.Dispatch); ok && len(f.first) < f.most {
			f.first[d.Evaluation] = f.first[d.Evaluation]
		}
	}
	e := n.Evaluation
	if failed, among := f.first[e.Number]; !among || failed {
		return nil
	}
	switch e.Status {
	case loop.Failed:
		f.first[e.Number] = true
		if f.failed++; f.failed == f.most {
			return doomed{f.most, e.Reason}
		}
	case loop.Observed, loop.Late, loop.Infeasible, loop.Stopped:
		f.sound = true
	}
	return nil
}

// doomed says that all evaluations failed so far, the last of them for a reason.
type doomed struct {
	evaluations int
	reason      string
}

func (d doomed) Error() string {
	if d.evaluations == 1 {
		return "the first evaluation failed: " + d.reason
	}
	return fmt.Sprintf("the first %d evaluations failed, all of them, the last with %s", d.evaluations, d.reason)
}

const failuresUsage = "`EVALUATIONS` that may fail at first, all of them: then the command is wrong, and the study stops; 0 means as many as there are"

// failuresAllowed returns why there cannot be so many.
func failuresAllowed(n int) error {
	var c check.List
	c.Require(n >= 0 && n <= tarry.MaxBudget, "--max-failures", n, fmt.Sprintf("0 ≤ max-failures ≤ %d", tarry.MaxBudget))
	return c.Err()
}
