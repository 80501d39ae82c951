package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/loop"
)

// chosen are the evaluations that are listed.
func (s *inspected) chosen(l look) []loop.Evaluation {
	if l.top == 0 {
		return s.evaluations()
	}
	ranked := s.ranked()
	out := slices.Clip(ranked[:min(l.top, len(ranked))])
	if l.all {
		for _, e := range s.evaluations() {
			if e.Status == loop.Pending {
				out = append(out, e)
			}
		}
	}
	return out
}

// table lists evaluations, and says how many others there are.
func (s *inspected) table(l look) string {
	listed := s.chosen(l)
	var out strings.Builder
	if len(listed) > 0 {
		costs := slices.ContainsFunc(listed, func(e loop.Evaluation) bool { return e.Cost != 0 })
		reasons := slices.ContainsFunc(listed, func(e loop.Evaluation) bool { return e.Reason != "" })
		w := table.NewWriter()
		w.SetStyle(plainTable)
		s.head(w, costs, reasons)
		for _, e := range listed {
			w.AppendRow(s.row(e, costs, reasons))
		}
		for line := range strings.SplitSeq(w.Render(), "\n") {
			out.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	if others := len(s.evaluations()) - len(listed); others > 0 {
		fmt.Fprintf(&out, "%d more: tarry inspect %s --top 0\n", others, quoted(s.path))
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// head names the columns. Numbers are at the right, words at the left.
func (s *inspected) head(w table.Writer, costs, reasons bool) {
	var names table.Row
	var sides []table.ColumnConfig
	column := func(name string, side text.Align) {
		names = append(names, name)
		sides = append(sides, table.ColumnConfig{Number: len(names), Align: side, AlignHeader: side})
	}
	column("#", text.AlignRight)
	column("attempt", text.AlignRight)
	column("status", text.AlignLeft)
	column("value", text.AlignRight)
	if costs {
		column("cost", text.AlignRight)
	}
	constraints, parameters := s.named()
	for _, name := range constraints {
		column(plain(name), text.AlignRight)
	}
	for i, p := range s.header.Config.Space.Parameters() {
		side := text.AlignRight
		if p.Words() != nil {
			side = text.AlignLeft
		}
		column(plain(parameters[i]), side)
	}
	column("chosen at", text.AlignRight)
	column("delay", text.AlignRight)
	if reasons {
		column("reason", text.AlignLeft)
	}
	w.AppendHeader(names)
	w.SetColumnConfigs(sides)
}

// namesFixed are the columns of the table that are none of a constraint or a parameter.
var namesFixed = []string{"#", "attempt", "status", "value", "cost", "chosen at", "delay", "reason"}

// named are the columns of the constraints and of the parameters, no two of the table the same: what has the name of another one has constraints. or x. before it.
func (s *inspected) named() (constraints, parameters []string) {
	for _, c := range s.constraints() {
		constraints = append(constraints, c.Name)
	}
	constraints = distinct(constraints, namesFixed, "constraints.")
	return constraints, distinct(parameterNames(s.header.Config.Space), slices.Concat(namesFixed, constraints), "x.")
}

// row is an evaluation in words.
func (s *inspected) row(e loop.Evaluation, costs, reasons bool) table.Row {
	status := e.Status.String()
	switch {
	case e.Foreign:
		status += ", elsewhere"
	case e.Status == loop.Pending && !e.Running:
		status += ", waits"
	}
	value, cost := "", ""
	if e.Measured {
		value, cost = number(e.Value), number(e.Cost)
	}
	out := table.Row{e.Number, e.Attempt, status, value}
	if costs {
		out = append(out, cost)
	}
	out = append(out, s.cells(e)...)
	where := s.header.Config.Space
	point := e.Point(where)
	active := where.ActiveAt(point)
	for i, x := range point {
		if !active.Has(i) {
			out = append(out, "")
			continue
		}
		out = append(out, plain(where.Parameter(i).Format(x)))
	}
	out = append(out, brief(e.At), s.delay(e))
	if reasons {
		out = append(out, short(oneLine(e.Reason)))
	}
	return out
}

// delay is how long an evaluation took, or has been under way.
func (s *inspected) delay(e loop.Evaluation) string {
	if d, ended := figures.Delay(e); ended {
		return brief(d)
	}
	if age, pending := s.figures().Age(e); pending {
		return ">" + brief(age)
	}
	return ""
}

// short is the beginning of a text.
func short(words string) string {
	const most = 60
	runes := []rune(plain(words))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
