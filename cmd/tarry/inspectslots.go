package main

import (
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/loop"
)

// slotCounts are the numbers of slots of which it is told what they would do: as many as there were at most, fewer and more.
func slotCounts(busiest int) []int {
	counts := []int{1, busiest / 4, busiest / 2, busiest, 2 * busiest, 4 * busiest}
	slices.Sort(counts)
	return slices.Compact(slices.DeleteFunc(counts, func(k int) bool { return k < 1 }))
}

// restWith is how long so many slots take for the rest of the budget: as many answers as queries that are left, at least one query's time.
func restWith(s *loop.Slots, slots int) time.Duration {
	waves := max(float64(s.Rest)/float64(slots), 1)
	return time.Duration(min(waves*s.Held.Seconds(), 1e9) * float64(time.Second))
}

// slots says how many workers pay off: what so many slots bring, and what is chosen without for it.
func slots(s *loop.Slots, tried time.Duration, line func(string, ...any)) {
	if s == nil {
		return
	}
	wait := "as long as pays best, "
	if s.Configured {
		wait = "no longer than its options let it, "
	}
	query, attempts := "query that", ""
	if tried > 0 {
		query, attempts = "query whose latest attempt", " with all its attempts"
	}
	line("a %s holds a slot %s%s, holds it for %s on average%s and is heard of with %s; %s of a slot's time goes to those that never are",
		query, wait, beyond(s.Wait), brief(s.Held), attempts, percent(s.Heard), percent(s.Idle))
	w := table.NewWriter()
	w.SetStyle(plainTable)
	head := table.Row{"slots", "heard of in an hour", "chosen without the outcomes of"}
	if s.Rest > 0 {
		head = append(head, "the rest of the budget takes")
	}
	w.AppendHeader(append(head, ""))
	var sides []table.ColumnConfig
	for k := range head {
		sides = append(sides, table.ColumnConfig{Number: k + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	w.SetColumnConfigs(sides)
	for _, k := range slotCounts(s.Busiest) {
		row := table.Row{k, number(significant(float64(k) / s.Every().Hours())), k - 1}
		if s.Rest > 0 {
			row = append(row, brief(restWith(s, k)))
		}
		note := ""
		if k == s.Busiest {
			note = "as many as there were at once"
		}
		w.AppendRow(append(row, note))
	}
	line("")
	for row := range strings.SplitSeq(w.Render(), "\n") {
		line("%s", strings.TrimRight(row, " "))
	}
}

// slotsJSON is what is known of slots, in files.
type slotsJSON struct {
	Wait       float64    `json:"wait_s"`     // how long an attempt holds a slot at most
	Configured bool       `json:"configured"` // as the options say, and not as pays best
	Held       float64    `json:"held_s"`     // by a query on average, with all its attempts
	Heard      float64    `json:"heard"`      // chance of being heard of by then
	Idle       float64    `json:"idle"`       // share of a slot's time that goes to what is never heard of
	Busiest    int        `json:"busiest"`    // most queries that were under way at once
	Rest       int        `json:"rest"`       // queries that may still start
	Of         []slotJSON `json:"of"`
}

type slotJSON struct {
	Slots   int     `json:"slots"`
	PerHour float64 `json:"per_hour"` // of which something is heard
	Rest    float64 `json:"rest_s"`   // for the rest of the budget
}

func slotsOf(s *loop.Slots) *slotsJSON {
	if s == nil {
		return nil
	}
	out := &slotsJSON{s.Wait.Seconds(), s.Configured, s.Held.Seconds(), s.Heard, s.Idle, s.Busiest, s.Rest, nil}
	for _, k := range slotCounts(s.Busiest) {
		one := slotJSON{Slots: k, PerHour: float64(k) / s.Every().Hours()}
		if s.Rest > 0 {
			one.Rest = restWith(s, k).Seconds()
		}
		out.Of = append(out.Of, one)
	}
	return out
}
