package main

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
)

// text is the study for people.
func (s *inspected) text(l look) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("study %s, begun %s", plain(s.path), s.begun.Local().Format("2006-01-02 15:04:05 -07:00"))
	line("%s", s.conditions())
	if bounds := s.bounds(); bounds != "" {
		line("feasible where %s", bounds)
	}
	if s.task != nil {
		until := ""
		if t := s.task.Target; t != nil {
			until = fmt.Sprintf(", until a value of %s or better", number(*t))
		}
		line("runs %s, %d at once%s", plain(commandLine(s.task.Command)), s.task.Workers, until)
	}
	line("%s", s.standing())
	if d := s.differences(); len(d) > 0 {
		line("written by another program: %s", strings.Join(d, ", "))
	}
	line("")
	line("%s", s.tally())
	switch cost := s.cost(); {
	case s.spent() != "":
		line("%s", s.spent())
	case cost != 0:
		line("cost %s in all", total(cost))
	}
	if c := s.loop.Coverage(); c.Judged > 0 {
		line("forecasts: %v", c)
	}
	if k := s.loop.Safety(); k != nil {
		line("safety: %s", plain(k.String()))
	}
	if held := s.held(); held != "" {
		line("%s", held)
	}
	if trust := s.trust(); trust != "" {
		line("%s", trust)
	}
	s.findings(line)
	if len(s.evaluations()) > 0 {
		line("\n%s", s.table(l))
	}
	return b.String()
}

// standing says whether the study goes on.
func (s *inspected) standing() string {
	if why := s.ended(); why != "" {
		return fmt.Sprintf("ended: %s, after %s", plain(why), brief(s.now))
	}
	if s.loop.Unbegun() && s.holder == "" {
		return fmt.Sprintf("broke off before all was kept that it begins with, after %d events: begin anew with another study", s.events)
	}
	if s.holder != "" {
		return fmt.Sprintf("goes on: %s is at it, %d events in %s", s.holder, s.events, brief(s.now))
	}
	return fmt.Sprintf("interrupted: %d events in %s; go on by: %s", s.events, brief(s.now), s.resumption())
}

// tally counts the evaluations by status, and what else happened.
func (s *inspected) tally() string {
	var parts []string
	for status, n := range s.counts() {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, loop.Status(status)))
		}
	}
	text := fmt.Sprintf("%d evaluations", len(s.evaluations()))
	if len(s.evaluations()) == 1 {
		text = "1 evaluation"
	}
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ") + portrait.Elsewhere(s.foreign())
	}
	parts = nil
	for _, c := range portrait.CountersOf(s.loop) {
		if c.N > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", c.Words, c.N))
		}
	}
	if len(parts) > 0 {
		text += "\n" + strings.Join(parts, ", ")
	}
	return text
}

// findings are the best evaluation and the recommended one.
func (s *inspected) findings(line func(string, ...any)) {
	r := s.result()
	point := func(what string, e *loop.Evaluation, value string) {
		where := s.header.Config.Space
		line("%-11s  #%d  %s  %s", what, e.Number, value, plain(where.Format(e.Point(where))))
	}
	line("")
	switch {
	case r.Best == nil:
		line("no value yet")
	case r.Expected == nil:
		point("best", r.Best, number(r.Best.Value))
		line("recommended  the same, as measured: there is no model that says what to expect")
	case r.Recommended.Number == r.Best.Number:
		point("best", r.Best, number(r.Best.Value))
		line("recommended  the same: %s is expected", expected(r.Expected))
	default:
		point("best", r.Best, number(r.Best.Value))
		point("recommended", r.Recommended, fmt.Sprintf("%s is expected, %s was measured", expected(r.Expected), number(r.Recommended.Value)))
		line("noise        ± %.2g: the best value is partly luck", r.Expected.Noise)
	}
	if r.Feasible != nil {
		for _, text := range feasible(r.Feasible, r.Recommended) {
			line("%s", text)
		}
	}
}

// expected is what the model says of the function at a point, with one standard deviation.
func expected(p *loop.Prediction) string { return fmt.Sprintf("%s ± %.2g", number(p.Mean), p.Stddev) }

// brief is a time for people: with about three digits.
func brief(d time.Duration) string {
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

// plain is a text of one line: what a terminal would take for a command, or for an order to turn letters around, is a space.
func plain(text string) string {
	return strings.TrimSpace(visible(strings.ReplaceAll(text, "\n", " ")))
}

// visible is plain for a text of some lines, which are kept, and what they begin with.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError || r == '\n' {
			return r
		}
		return ' '
	}, text)
}
