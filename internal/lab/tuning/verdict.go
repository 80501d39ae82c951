package tuning

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/stat"
)

// judged is a performance with its best configuration judged.
type judged struct {
	performance
	number int     // of its best evaluation; 0 without a value
	best   span    // the time and the value of it
	held   float64 // accuracy on data that tuning never saw
}

func (t tuning) judge(all []performance) []judged {
	out := make([]judged, len(all))
	for i, p := range all {
		out[i] = judged{performance: p}
		if out[i].number, out[i].best = p.course.incumbent(); out[i].number > 0 {
			out[i].held = t.problem.HeldOut(out[i].best.x)
		}
	}
	return out
}

// verdict is the table of the methods and what follows from it, in words.
func (t tuning) verdict(done program) string {
	all := t.judge(done.performances)
	if len(all) == 0 {
		return "Nothing was tuned.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s", t.table(all), verdictNotes)
	for _, p := range all {
		b.WriteString(p.oddities())
	}
	if means := done.stopwatch.means(); means != "" {
		fmt.Fprintf(&b, "On average a finished evaluation took %s (seconds drawn from %v).\n", means, t.law)
	}
	fmt.Fprintf(&b, "\n%s%s\n", t.winner(all), t.comparison(all))
	return b.String()
}

const verdictNotes = "Tuned: cross-validated accuracy, which was maximized. Held-out: accuracy on data that tuning never saw. Found: when the\n" +
	"best value came. Busy: the share of the workers' time in which they had an evaluation.\n"

func (t tuning) table(all []judged) string {
	w := console.NewTable()
	w.AppendHeader(table.Row{"method", "finished", "best configuration", "tuned %", "held-out %", "found", "busy"})
	for _, p := range all {
		label := p.label()
		if !p.complete {
			label += " (interrupted)"
		}
		row := table.Row{label, p.course.tally().finished, stat.Unknown, stat.Unknown, stat.Unknown, stat.Unknown}
		if p.number > 0 {
			row = table.Row{label, p.course.tally().finished, t.problem.Space.Format(p.best.x),
				fmt.Sprintf("%.2f", 100*p.best.value), fmt.Sprintf("%.2f", 100*p.held), readable(p.best.ended)}
		}
		w.AppendRow(append(row, fmt.Sprintf("%.0f %%", 100*p.course.busy(p.course.at))))
	}
	w.SetColumnConfigs(append(console.RightFrom(4, 7), console.RightFrom(2, 2)...))
	return w.Render()
}

// oddities has a line for what was out of the ordinary.
func (p performance) oddities() string {
	var b strings.Builder
	if n := p.course.tally().failed; n > 0 {
		fmt.Fprintf(&b, "%s: %s failed or took too long.\n", p.label(), console.Plural(n, "evaluation"))
	}
	if p.course.blind > 0 {
		fmt.Fprintf(&b, "Warning: %s failed, and random points took the place of %s.\n", p.label(), console.Plural(p.course.blind, "query"))
	}
	return b.String()
}

// winner names the best configuration of all methods: of equal ones the one that was found first.
func (t tuning) winner(all []judged) string {
	best := -1
	for i, p := range all {
		switch {
		case p.number == 0:
		case best < 0, p.best.value > all[best].best.value, p.best.value == all[best].best.value && p.best.ended < all[best].best.ended:
			best = i
		}
	}
	if best < 0 {
		return "No evaluation came to its end: -time is too short, or -wait too long.\n"
	}
	p := all[best]
	return fmt.Sprintf("Best: %s, %s in cross-validation, %s held out (%s, after %s).\n",
		t.problem.Space.Format(p.best.x), percent(p.best.value), percent(p.held), p.label(), readable(p.best.ended))
}

// comparison says how the policy fared against the other methods, whichever way it went, if they had the same time.
func (t tuning) comparison(all []judged) string {
	var b strings.Builder
	first := all[0]
	for _, p := range all[1:] {
		if first.number == 0 || p.number == 0 || !p.complete {
			continue
		}
		gap := 100 * (first.best.value - p.best.value)
		switch {
		case gap < 0.005 && gap > -0.005:
			fmt.Fprintf(&b, "In this run %s did as well as %s: the best came after %s against %s.\n",
				p.inWords(), first.inWords(), readable(p.best.ended), readable(first.best.ended))
		case gap < 0:
			fmt.Fprintf(&b, "In this run %s did better than %s, by %.2f points.\n", p.inWords(), first.inWords(), -gap)
		default:
			fmt.Fprintf(&b, "In this run %s did better than %s, by %.2f points.\n", first.inWords(), p.inWords(), gap)
		}
	}
	if b.Len() > 0 {
		fmt.Fprintf(&b, "One run decides nothing: 'go run ./cmd/demo sim -problem %s' compares over many seeds.\n", t.problemName)
	}
	return b.String()
}
