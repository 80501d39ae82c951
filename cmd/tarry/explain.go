package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// explain says why an evaluation was chosen.
func (s *inspected) explain(l look, w io.Writer) error {
	store, err := sqlite.Read(s.path)
	if err != nil {
		return opening(err)
	}
	defer store.Close()
	e, err := hindsight.Explain(store, l.explain)
	if errors.Is(err, hindsight.ErrNoEvaluation) {
		return usage(fmt.Errorf("study %s: --explain: %w", s.path, err))
	}
	if err != nil {
		return failure(fmt.Errorf("study %s: %w", s.path, err))
	}
	if l.json {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false) // a user may read this
		out.SetIndent("", "  ")
		return failure(out.Encode(struct {
			Evaluation record `json:"evaluation"`
			hindsight.Explained
		}{s.record(e.Evaluation), e}))
	}
	_, err = io.WriteString(w, s.explanation(e))
	return failure(err)
}

// explanation is an evaluation explained for people.
func (s *inspected) explanation(e hindsight.Explained) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	where := s.header.Config.Space
	line("#%d  %s", e.Evaluation.Number, plain(where.Format(e.Evaluation.Point(where))))
	line("%s: %s", e.How, plain(e.Words))
	if e.Asked {
		s.reasons(e, line)
	}
	line("\n%s", s.outcome(e))
	return b.String()
}

// reasons are what the policy knew, believed and maximized.
func (s *inspected) reasons(e hindsight.Explained, line func(string, ...any)) {
	switch {
	case e.Same != nil && *e.Same:
		line("policy %s, asked once more, does the same to the bit", e.Policy)
	case e.Differs != "":
		line("policy %s, asked once more: %s", e.Policy, plain(e.Differs))
	}
	if o := e.Incumbent; o != nil {
		line("best by then: #%d  %s  %s; values seen: %d", o.Evaluation, numeral(o.Value), plain(o.X.String()), e.Answers)
	} else if e.Answers > 0 {
		line("no value had come that may be the best; values seen: %d", e.Answers)
	} else {
		line("no value had come")
	}
	if e.Model != nil {
		modelled(e, line)
	}
	if a := e.Acquisition; a != nil {
		line("\nacquisition: %s\n  %s", a.Name, a.Why)
		for _, n := range a.Numbers {
			line("  %s: %s", n.Name, numeral(n.Value))
		}
	}
	if e.Model == nil && e.Chosen != nil {
		for _, text := range atChosen(e) {
			line("%s", text)
		}
	}
	if e.Model != nil {
		line("\n%s", strings.TrimSuffix(s.places(e), "\n"))
		displaced(e, line)
	}
	pending(e, line)
}

// displaced says why the acquisition is greater at another point, where it is.
func displaced(e hindsight.Explained, line func(string, ...any)) {
	if e.Settled {
		line("The acquisition is greater at a point that was queried or is as good as known, and needs no query: expected improvement chose among the others.")
	}
	if e.Vain {
		line("At the chosen point it expects less than a number can tell: its logarithm chose, among points that promise nothing.")
	}
	if e.Unlikely {
		line("The chosen point is not likely to be feasible: where the best is known every fourth query may look for an improvement anywhere, and each where no other point is found.")
	}
	if e.Near > 0 {
		line("The acquisition is greater within a thousandth of #%d, along every parameter: expected improvement chose elsewhere.", e.Near)
	}
	if e.Outside {
		line("The acquisition is greater where a query is not likely to succeed: such points are not chosen as long as there are others.")
	}
	if e.Missed {
		line("The acquisition is greater at a point that the search of the policy did not find.")
	}
}

// warped are the shapes of a warp in words, which the distance in scales follows.
var warped = map[string]string{
	feedback.Below.String(): "values drawn apart near the best: by the logarithm of 1 + ",
	feedback.Both.String():  "values drawn in to both sides of the median: by the inverse hyperbolic sine of ",
	feedback.Above.String(): "values drawn in far from the worst: by the logarithm of 1 + ",
}

// modelled is the model in words.
func modelled(e hindsight.Explained, line func(string, ...any)) {
	m := e.Model
	line("\nmodel: %s over %d rows, %d of them answers", m.Kernel, m.Rows, m.Answers)
	if w := m.Warp; w != nil {
		line("  %s|value - %s|/%s", warped[w.Shape], numeral(w.Anchor), numeral(w.Scale))
	}
	if len(m.Outliers) > 0 {
		line("  outliers, far from what all others say, which count little: %s", numbered(m.Outliers))
	}
	if len(m.Penalties) > 0 {
		line("  values taken for penalties, far beyond all others, whose points count as failures: %d", len(m.Penalties))
	}
	for _, l := range m.Lengthscales {
		line("  lengthscale of %s: %s", plain(l.Parameter), l.Words)
	}
	if m.Outputscale.Finite() {
		line("  standard deviation of the function around its level: %s", numeral(m.Outputscale))
	}
	switch {
	case m.Warp == nil:
		line("  standard deviation of the noise: %s", numeral(m.Noise))
	case e.Incumbent == nil: // no value may be the best
		line("  standard deviation of the noise, at %s: %s", numeral(m.Warp.Anchor), numeral(m.Noise))
	default:
		line("  standard deviation of the noise, at the best value: %s", numeral(m.Noise))
	}
	if m.Apart {
		line("  fidelities: values at lower ones say nothing of the greatest")
	}
	for _, n := range m.Other {
		line("  %s: %s", n.Name, numeral(n.Value))
	}
}

// places is a table of the point and of others.
func (s *inspected) places(e hindsight.Explained) string {
	all := []hindsight.Place{*e.Chosen}
	if e.Proposed != nil {
		all = append(all, *e.Proposed)
	}
	all = append(all, e.Others...)
	w := table.NewWriter()
	w.SetStyle(plainTable)
	head, sides := table.Row{"", "#", "mean ± sd"}, []text.Align{text.AlignLeft, text.AlignRight, text.AlignRight}
	acquired := e.Chosen.Acquisition != nil
	if acquired {
		head, sides = append(head, "acquisition"), append(sides, text.AlignRight)
		if e.Acquisition.Worth != "" {
			head, sides = append(head, e.Acquisition.Worth), append(sides, text.AlignRight)
		}
	}
	head, sides = append(head, "point"), append(sides, text.AlignLeft)
	w.AppendHeader(head)
	var columns []table.ColumnConfig
	for i, side := range sides {
		columns = append(columns, table.ColumnConfig{Number: i + 1, Align: side, AlignHeader: side})
	}
	w.SetColumnConfigs(columns)
	for _, p := range all {
		number := ""
		if p.Evaluation > 0 {
			number = fmt.Sprint(p.Evaluation)
		}
		row := table.Row{p.What, number, spread(p.Mean, p.Stddev)}
		if acquired {
			row = append(row, present(*p.Acquisition))
			if e.Acquisition.Worth != "" {
				row = append(row, present(*p.Worth))
			}
		}
		w.AppendRow(append(row, plain(p.X.String())))
	}
	var out strings.Builder
	for row := range strings.SplitSeq(w.Render(), "\n") {
		out.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return out.String() + strings.Join(atChosen(e), "\n")
}

// atChosen are the numbers of the chosen point, a line each.
func atChosen(e hindsight.Explained) (lines []string) {
	for _, n := range e.Chosen.Numbers {
		lines = append(lines, fmt.Sprintf("at the chosen point: %s: %s", n.Name, numeral(n.Value)))
	}
	return lines
}

// pending says what stood in for values that had not come.
func pending(e hindsight.Explained, line func(string, ...any)) {
	if len(e.Imputed) == 0 {
		line("\nnothing was pending")
		return
	}
	line("\nwithout a value then:")
	for _, i := range e.Imputed {
		as := i.As
		switch {
		case i.As == "forgotten":
			as = "silent for too long, left out of the model"
		case i.As == "ignored" && i.Pending && e.Model != nil:
			as = "not in the model"
		case i.As == "awaited":
			as = "counted as answered"
		case i.Pending:
		case i.As == "failed":
			as = "kept away from"
		case i.As == "foreseen":
			as = "and its reports stand for a value of"
		case e.Model == nil:
			as = "without a value"
		default:
			as = "without a value: the model expects one"
		}
		switch {
		case i.Value == nil || e.Model == nil:
		case i.As == "foreseen":
			as += " " + numeral(*i.Value)
		default:
			as += " at " + numeral(*i.Value)
		}
		if i.As == "awaited" && e.Model != nil {
			as += " where the least certain is looked for, and not for what is safe"
		}
		if i.Foreseen != nil && e.Model != nil {
			as += ", and its reports stand for a value of " + numeral(*i.Foreseen)
		}
		line("  #%d %s, %s  %s", i.Evaluation, i.Status, as, plain(i.X.String()))
	}
	if w := e.Without; w != nil {
		proposed := e.Chosen
		if e.Proposed != nil {
			proposed = e.Proposed
		}
		if w.X.String() == proposed.X.String() {
			line("had nothing been pending, the policy would have proposed the same point")
		} else {
			line("had nothing been pending, the policy would have proposed %s: %s", plain(w.X.String()), spread(w.Mean, w.Stddev))
		}
	}
}

// outcome is what came of an evaluation.
func (s *inspected) outcome(e hindsight.Explained) string {
	r := s.record(e.Evaluation)
	words := "what came: " + r.Status
	if r.Value != nil {
		words += ", " + number(*r.Value)
	}
	if d := s.delay(e.Evaluation); d != "" {
		words += " after " + d
	}
	if f := r.Forecast; f != nil {
		words += fmt.Sprintf("; the forecast was %s", foretold(f))
		if s.header.Config.Traits.Widens {
			words += ", of the value by the answers alone, as wide as those before should have been"
		}
		if e.Surprise != nil {
			words += fmt.Sprintf(", so it came %+.2g standard deviations from it", float64(*e.Surprise))
			if !e.Evaluation.Forecast.Warp.Straight() {
				words += ", counted in the values as the model draws them"
			}
		}
	}
	switch {
	case r.Reason == "" || r.Reason == r.Status:
	case e.Evaluation.Status == loop.Observed:
		words += "; before that an attempt had ended: " + plain(oneLine(r.Reason)) // whose value it may be, if it was to be tried again
	case r.Forecast != nil:
		words += "; reason: " + plain(oneLine(r.Reason))
	default:
		words += ": " + plain(oneLine(r.Reason))
	}
	return words
}

// numbered are the numbers of evaluations, as in "#3, #12".
func numbered(evaluations []int) string {
	words := make([]string, len(evaluations))
	for i, n := range evaluations {
		words[i] = fmt.Sprintf("#%d", n)
	}
	return strings.Join(words, ", ")
}

// numeral is a number for people.
func numeral(n hindsight.Number) string { return number(float64(n)) }

// present is a number for people, where there is one.
func present(n hindsight.Number) string {
	if !n.Finite() {
		return "-"
	}
	return numeral(n)
}

// spread is a mean with a standard deviation; nothing where there is none.
func spread(mean, sd hindsight.Number) string {
	if !mean.Finite() || !sd.Finite() {
		return "-"
	}
	return fmt.Sprintf("%s ± %.2g", numeral(mean), float64(sd))
}
