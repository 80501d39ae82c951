package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
)

// infeasible says that a point is so, and why, where something else was said.
func infeasible(reason string) string { return because(tarry.Infeasible.String(), reason) }

// because says what an evaluation came to, and why, where something else was said.
func because(end, reason string) string {
	if reason == "" || reason == end {
		return end
	}
	return end + ": " + plain(oneLine(reason))
}

// tellExpired writes a line about each attempt whose time was up before the event, with what comes of it: where the event itself brought
// the outcome, that is in the line after it.
func (p *progress) tellExpired(at string, n tarry.Event) {
	for _, x := range n.Reaction.Expired {
		fate, what := ", given up", fmt.Sprintf("took longer than %v", p.timeout)
		switch x.Limit {
		case loop.LimitLease:
			fate, what = ": lost", "gave no sign of life"
		case loop.LimitSilence:
			fate, what = ": given up", "is silent, and hardly any answer is expected by now"
		}
		switch came := n.Evaluation.Status.Valued() || n.Evaluation.Status == loop.Infeasible; {
		case n.Evaluation.Number == x.Evaluation && came:
			fate = ""
		case x.Again:
			fate = ", tried again"
		}
		fmt.Fprintf(p.w, "%s  #%d attempt %d %s%s\n", at, x.Evaluation, x.Attempt, what, fate)
	}
}

// tellEnded writes a line about an evaluation that an event has ended without an outcome.
func (p *progress) tellEnded(at string, n tarry.Event) {
	if e, r := n.Evaluation, n.Reaction; r.Settled > 0 && e.Ended == n.At && (r.Fate == loop.FateTaken || r.Fate == loop.FateTimedOut) {
		switch e.Status {
		case loop.Stopped:
			fmt.Fprintf(p.w, "%s  #%d %s\n", at, e.Number, because("ended early", e.Reason))
		case loop.Cancelled:
			fmt.Fprintf(p.w, "%s  #%d %s\n", at, e.Number, because(tarry.Cancelled.String(), e.Reason))
		}
	}
}

// tellCancelled writes a line about each evaluation that was under way when the study ended.
func (p *progress) tellCancelled(at string, n tarry.Event) {
	var result *loop.Result
	for _, effect := range n.Reaction.Effects {
		if e, ends := effect.(loop.Finish); ends {
			result = &e.Result
		}
	}
	if result == nil {
		return
	}
	for _, effect := range n.Reaction.Effects {
		c, is := effect.(loop.Cancel)
		if !is || c.Evaluation == n.Reaction.Evaluation || expired(n.Reaction, c) {
			continue
		}
		fmt.Fprintf(p.w, "%s  #%d %s\n", at, c.Evaluation, because(tarry.Cancelled.String(), result.Reason))
	}
}

// expired reports whether an attempt was cancelled since its time was up.
func expired(r loop.Reaction, c loop.Cancel) bool {
	return slices.ContainsFunc(r.Expired, func(x loop.Expiry) bool { return x.Evaluation == c.Evaluation && x.Attempt == c.Attempt })
}

// standing is how the promise about the constraints stands after an event; empty where there is none.
func standing(n tarry.Event) string {
	if n.Safety == nil {
		return ""
	}
	return "  (" + plain(n.Safety.Brief()) + ")"
}

func oneLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
