// Package survival is what is known of how long answers take, learned from those that came and from those that did not: the law of
// the delays with the share of queries that are never answered.
//
//	var h survival.History
//	h.Add(survival.Answered, 8*time.Second)
//	law := h.Law(ages)                                   // ages of the queries that are pending now
//	law.Returns(20*time.Second)                          // chance that one of this age is ever answered
//	law.Age(0.05)                                        // from which age on that is less than 5 %
//
// Queries without an answer are censored: all that is known of their delays is that they are longer than so far (Kaplan & Meier 1958).
// The package is pure.
package survival

import (
	"math/bits"
	"slices"
	"time"
)

// Exit is how the wait for an answer ended.
type Exit int

// The ways in which a wait may end.
const (
	Answered Exit = iota // with a value
	Failed               // without one, but somebody said so
	Censored             // nobody waits any longer: it was cancelled, given up, or went down with its worker
	exits
)

// History is how long finished waits were. Delays that differ by less than 3 % may be counted in one cell, which keeps their mean. The
// order in which they were added leaves no trace. The zero History is empty.
type History struct {
	cells []cell
	total [exits]int
}

// cell is the waits that are about as long.
type cell struct {
	index int
	count [exits]int
	sum   [exits]int64 // of their lengths, in microseconds
}

// finest is the number of cells for each doubling of a delay.
const finest = 32

// index is the cell of a delay: those below 64 µs each have their own, then there are 32 to each doubling.
func index(d time.Duration) int {
	v := uint64(max(d/time.Microsecond, 0))
	shift := max(bits.Len64(v)-6, 0)
	return shift*finest + int(v>>shift)
}

// Add counts a wait that ended after d; one below zero counts as zero. Cost O(log c) for c ≤ 2000 cells.
func (h *History) Add(e Exit, d time.Duration) { h.change(e, d, 1) }

// Remove takes back what Add said with the same arguments: a query that had been given up is answered after all.
func (h *History) Remove(e Exit, d time.Duration) { h.change(e, d, -1) }

func (h *History) change(e Exit, d time.Duration, by int) {
	i := index(d)
	at, found := slices.BinarySearchFunc(h.cells, i, func(c cell, i int) int { return c.index - i })
	if !found {
		h.cells = slices.Insert(h.cells, at, cell{index: i})
	}
	c := &h.cells[at]
	c.count[e] += by
	c.sum[e] += int64(by) * int64(max(d/time.Microsecond, 0))
	h.total[e] += by
	if c.count == [exits]int{} {
		h.cells = slices.Delete(h.cells, at, at+1)
	}
}

// Count returns how many waits ended so.
func (h *History) Count(e Exit) int { return h.total[e] }

// Same reports whether two histories hold the same waits.
func (h *History) Same(other *History) bool {
	return h.total == other.total && slices.Equal(h.cells, other.cells)
}

// mean is the mean length of the waits of a cell, in seconds.
func (c cell) mean(of ...Exit) float64 {
	count, sum := 0, int64(0)
	for _, e := range of {
		count, sum = count+c.count[e], sum+c.sum[e]
	}
	return float64(sum) / float64(count) * 1e-6
}
