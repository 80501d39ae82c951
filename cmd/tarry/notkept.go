package main

import (
	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// asKept makes what is said of a study whose journal refused an event what the journal has, from which the study goes on: what pends there is
// not cancelled, the study has not ended, and what it had before is what it has kept where no event of this process was. Where the journal cannot be read either, nothing changes.
func (l live) asKept(show *progress, r *tarry.Result) {
	known, _, err := journal.Replay(l.store)
	if err != nil {
		return
	}
	for _, e := range known.Evaluations() {
		if e.Status != loop.Pending {
			continue
		}
		if at := e.Number - 1; at < len(r.Evaluations) {
			r.Evaluations[at].Status, r.Evaluations[at].Ended = tarry.Pending, 0
		}
	}
	if known.Pending() == 0 { // else the study is said to be stopped, for that reason
		r.Reason = ""
	}
	show.stands(known)
}
