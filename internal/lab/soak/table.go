package soak

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/loop"
)

// sum is what the studies of one kind of values add up to.
type sum struct {
	studies, tells, violations int
	counters                   loop.Counters
	worst                      float64 // seconds of a proposal
}

func (s *sum) add(o record) {
	s.studies++
	s.tells += o.Tells
	if o.Violation != "" {
		s.violations++
	}
	s.worst = max(s.worst, o.Worst)
	sum, more := reflect.ValueOf(&s.counters).Elem(), reflect.ValueOf(o.Counters)
	for i := range sum.NumField() {
		sum.Field(i).SetInt(sum.Field(i).Int() + more.Field(i).Int())
	}
}

// row is the sum as cells.
func (s sum) row(name string) table.Row {
	c := s.counters
	return table.Row{name, s.studies, s.tells, c.Fits, c.FitFailures, c.Fallbacks, s.violations, fmt.Sprintf("%.3f", s.worst)}
}

// tally is the sums by kind of values.
type tally struct {
	kinds map[string]*sum
	all   sum
}

func (t *tally) add(o record) {
	if t.kinds == nil {
		t.kinds = map[string]*sum{}
	}
	if t.kinds[o.Kind] == nil {
		t.kinds[o.Kind] = &sum{}
	}
	t.kinds[o.Kind].add(o)
	t.all.add(o)
}

// studies is how many were added.
func (t tally) studies() int { return t.all.studies }

// table has a row for each kind that there was, and beneath it every counter.
func (t tally) table() string {
	out := console.NewTable()
	out.AppendHeader(table.Row{"values", "studies", "tells", "fits", "fit failures", "fallbacks", "violations", "worst proposal (s)"})
	for _, name := range hostile.Names() {
		if s := t.kinds[name]; s != nil {
			out.AppendRow(s.row(name))
		}
	}
	out.AppendSeparator()
	out.AppendRow(t.all.row("all"))
	out.SetColumnConfigs(console.RightFrom(2, 8))
	return out.Render() + "\n" + countersText(t.all.counters)
}

// countersText names every counter with its number.
func countersText(c loop.Counters) string {
	v := reflect.ValueOf(c)
	var parts []string
	for i := range v.NumField() {
		parts = append(parts, fmt.Sprintf("%s %d", v.Type().Field(i).Name, v.Field(i).Int()))
	}
	return "Counters of all studies: " + strings.Join(parts, ", ") + "."
}

// progress writes how far a soak is.
type progress struct {
	w                        io.Writer
	begin                    time.Time
	studies, complete, tells int
}

// report writes a line after so many evaluations.
func (p progress) report(now time.Time, told int) {
	seconds := now.Sub(p.begin).Seconds()
	rate := float64(told) / max(seconds, 1e-9)
	left := "unknown time"
	if told > 0 {
		left = "about " + time.Duration(float64(p.tells-told)/rate*float64(time.Second)).Round(time.Second).String()
	}
	fmt.Fprintf(p.w, "%d of %s, %d of %d tells, %.1f tells/s, %s left\n", p.complete, console.Plural(p.studies, "study"), told, p.tells, rate, left)
}
