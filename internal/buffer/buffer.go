// Package buffer keeps what has come back and what has not: the censored buffer between the ledger, which records
// what happened, and the model, which must be told something about every query that has no answer yet; and the units in which
// the model is told.
//
//	var b buffer.Buffer                                  // no limit on how late an answer may be
//	b.Open(1, 1, 0)                                      // evaluation 1 is chosen in round 1 at time 0
//	b.Open(2, 2, time.Second)
//	b.Reveal(1, 0.7, 4, 3*time.Second)                   // its answer can be seen from the selection of query 4 on
//	set := b.View(feedback.Censor, units)                // rows 1 and 2 with targets (0.7 − shift)/scale and the censor value
//
// The package is pure; a Buffer is not safe for concurrent use.
package buffer

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/feedback"
)

// never is the arrival round of a query that has no answer.
const never = math.MaxInt

// entry is one query as the model may see it.
type entry struct {
	number   int
	round    int
	at       time.Duration
	seen     int // first round whose selection can see the answer; never while pending
	value    float64
	late     bool
	gone     bool // removed: lost or cancelled
	failed   bool // there is no value at this point: the model sees a bad one
	hopeless bool // failed, and never to be forgiven
	barred   bool // answered after it was given up, under a strict window: no row for policies that censor
}

// Buffer holds every query that was started, with its answer or without. Build it by setting Window; entries are
// numbered from 1 without gaps, in the order in which they were opened.
type Buffer struct {
	Window  feedback.Window
	entries []entry
	late    int   // answers outside the window
	answers []int // numbers of answered, not removed queries in the order (round that first sees the answer, number)
}

// Set is what a model is made of: the evaluation number and the target of each row, and which rows have no usable
// answer. Rows come in the order in which they entered.
type Set struct {
	Numbers []int
	Targets []float64 // in the model's units; an Unanswered row holds the censor value
	// Unanswered are the rows (indices, ascending) whose target is imputed.
	Unanswered []int
}

// Open adds query number, chosen in the given round at the given time. Numbers are consecutive from 1.
func (b *Buffer) Open(number, round int, at time.Duration) {
	if number != len(b.entries)+1 {
		panic("buffer: Open: numbers must be consecutive from 1")
	}
	if len(b.entries) == cap(b.entries) {
		b.entries = slices.Grow(b.entries, len(b.entries)+1) // append would let it grow by a quarter, and copy each entry four times
	}
	b.entries = append(b.entries, entry{number: number, round: round, at: at, seen: never})
}

// Reveal records the answer of a query: value is in the maximization sense and finite, round is that of the first
// selection that can see it. It reports whether the answer is late: outside the window, or after its query was removed.
// A query that was removed comes back with its answer: a real measurement is never thrown away.
func (b *Buffer) Reveal(number int, value float64, round int, at time.Duration) (late bool) {
	e := b.entry(number)
	if e.seen != never {
		panic("buffer: Reveal: the query has an answer already")
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		panic("buffer: Reveal: value is not finite")
	}
	late = e.gone || e.failed || b.Window.Late(round-e.round, at-e.at)
	e.value, e.seen, e.late = value, round, late
	e.barred = (e.gone || e.failed) && b.Window.Strict
	e.gone, e.failed, e.hopeless = false, false, false
	if late {
		b.late++
	}
	order := func(a, c int) int {
		return cmp.Or(cmp.Compare(b.entry(a).seen, b.entry(c).seen), cmp.Compare(a, c))
	}
	place, _ := slices.BinarySearchFunc(b.answers, number, order)
	b.answers = slices.Insert(b.answers, place, number)
	return late
}

// Remove takes a query without an answer out of every model: it was lost or cancelled, which says nothing of its point.
func (b *Buffer) Remove(number int) {
	e := b.entry(number)
	if e.seen != never {
		panic("buffer: Remove: the query has an answer")
	}
	e.gone, e.failed, e.hopeless = true, false, false
}

// Return takes a query without an answer that was removed back into the models: it is awaited after all.
func (b *Buffer) Return(number int) {
	e := b.entry(number)
	if e.seen != never {
		panic("buffer: Return: the query has an answer")
	}
	e.gone = false
}

// Forbid is Fail for a query whose point is infeasible beyond doubt.
func (b *Buffer) Forbid(number int) {
	b.Fail(number)
	b.entry(number).hopeless = true
}

// Failed reports whether query number failed, and whether it is infeasible beyond doubt.
func (b *Buffer) Failed(number int) (failed, hopeless bool) {
	e := b.entry(number)
	return e.failed, e.hopeless
}

// Fail says that a query has no value, perhaps because of its point: it crashed or took too long. Every model sees a bad
// value there, so that the policy looks elsewhere.
func (b *Buffer) Fail(number int) {
	e := b.entry(number)
	if e.seen != never {
		panic("buffer: Fail: the query has an answer")
	}
	e.failed, e.gone = true, false
}

// Revealed reports whether query number has an answer.
func (b *Buffer) Revealed(number int) bool { return b.entry(number).seen != never }

// Len is the number of queries opened.
func (b *Buffer) Len() int { return len(b.entries) }

func (b *Buffer) entry(number int) *entry {
	if number < 1 || number > len(b.entries) {
		panic("buffer: no query has this number")
	}
	return &b.entries[number-1]
}

// Usable reports whether query number has an answer that the model of a policy with this imputation may see.
func (b *Buffer) Usable(number int, how feedback.Imputation) bool {
	return b.usable(b.entry(number), how)
}

// usable reports whether the model of a policy with this imputation may see the answer of e.
func (b *Buffer) usable(e *entry, how feedback.Imputation) bool {
	return e.seen != never && (how != feedback.Censor || !e.late || !b.Window.Strict)
}

// Value returns the answer of a query that has one, in the maximization sense, as it came.
func (b *Buffer) Value(number int) float64 { return b.entry(number).value }

// Values returns the answers that the model of a policy with this imputation may see, in the maximization sense, in
// order of entry. Cost O(n).
func (b *Buffer) Values(how feedback.Imputation) []float64 {
	values := make([]float64, 0, len(b.answers))
	for _, number := range b.answers {
		if e := b.entry(number); b.usable(e, how) {
			values = append(values, e.value)
		}
	}
	return values
}

// Answered returns the numbers that belong to Values.
func (b *Buffer) Answered(how feedback.Imputation) []int {
	numbers := make([]int, 0, len(b.answers))
	for _, number := range b.answers {
		if b.usable(b.entry(number), how) {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Count is the number of Values. Cost O(1).
func (b *Buffer) Count(how feedback.Imputation) int {
	if how == feedback.Censor && b.Window.Strict {
		return len(b.answers) - b.late
	}
	return len(b.answers)
}

// Member reports whether query number has a row in the model of a policy with this imputation.
func (b *Buffer) Member(number int, how feedback.Imputation) bool {
	e := b.entry(number)
	if how == feedback.Ignore {
		return b.usable(e, how) || e.failed
	}
	return !e.gone && !(how == feedback.Censor && e.barred)
}

// Target returns the target of query number in the model's units, and whether that is settled: its answer, or the bad
// value of one that failed; otherwise it is the censor value.
func (b *Buffer) Target(number int, how feedback.Imputation, u feedback.Units) (target float64, answered bool) {
	e := b.entry(number)
	switch {
	case b.usable(e, how):
		return u.To(e.value), true
	case e.failed:
		return u.Failed, true
	}
	return u.Censored, false
}

// View returns the rows of the model. Ignore: the answered queries in the order (round that first sees the answer,
// number), then those that failed. Censor and Hallucinate: every query that was not removed, by number. Cost O(n).
func (b *Buffer) View(how feedback.Imputation, u feedback.Units) Set {
	if how == feedback.Ignore {
		set := Set{Numbers: b.Answered(how)}
		for _, y := range b.Values(how) {
			set.Targets = append(set.Targets, u.To(y))
		}
		for i := range b.entries {
			if b.entries[i].failed {
				set.Numbers, set.Targets = append(set.Numbers, i+1), append(set.Targets, u.Failed)
			}
		}
		return set
	}
	set := Set{Numbers: make([]int, 0, len(b.entries)), Targets: make([]float64, 0, len(b.entries))}
	for i := range b.entries {
		e := &b.entries[i]
		if !b.Member(e.number, how) {
			continue
		}
		target, answered := b.Target(e.number, how, u)
		if !answered {
			set.Unanswered = append(set.Unanswered, len(set.Numbers))
		}
		set.Numbers = append(set.Numbers, e.number)
		set.Targets = append(set.Targets, target)
	}
	return set
}
