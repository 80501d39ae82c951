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
// go on would spend the budget on nothing. Those that time out, are lost or are given up say nothing of it, and others take their places.
type failing struct {
	most   int          // evaluations that are looked at; 0 for none
	first  map[int]bool // those that were started first, and whether they have failed
	failed int          // of them
	sound  bool         // whether one came to another end
	doom   error        // why to stop, since all failed
}

func newFailing(most int) *failing { return &failing{most: most, first: map[int]bool{}} }

// begins notes that an evaluation was started.
func (f *failing) begins(number int) {
	if _, among := f.first[number]; !among && len(f.first) < f.most {
		f.first[number] = false
	}
}

// fails notes that it failed, and returns why to stop: once, when the last of the first has.
func (f *failing) fails(number int, reason string) error {
	if failed, among := f.first[number]; !among || failed || f.sound {
		return nil
	}
	f.first[number] = true
	if f.failed++; f.failed < f.most {
		return nil
	}
	f.doom = doomed{f.most, reason}
	return f.doom
}

// leaves notes that its end says nothing of the command.
func (f *failing) leaves(number int) {
	if failed, among := f.first[number]; among && !failed {
		delete(f.first, number)
	}
}

// ends notes that the command works.
func (f *failing) ends() { f.sound, f.doom = true, nil }

// event notes what happened in a study, and returns why it should stop.
func (f *failing) event(n tarry.Event) error {
	for _, effect := range n.Reaction.Effects {
		if d, ok := effect.(loop.Dispatch); ok {
			f.begins(d.Evaluation)
		}
	}
	switch e := n.Evaluation; e.Status {
	case loop.Failed:
		return f.fails(e.Number, e.Reason)
	case loop.Observed, loop.Late, loop.Infeasible, loop.Stopped:
		f.ends()
	case loop.TimedOut, loop.Lost, loop.Cancelled:
		f.leaves(e.Number)
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
