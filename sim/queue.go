package sim

import (
	"container/heap"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// due is an event that will happen.
type due struct {
	at     time.Duration
	order  int
	event  loop.Event
	wake   int             // which WakeAt wanted it; 0 for what comes anyway
	answer *outcome.Answer // what a worker says with it; nil where it is nobody's answer
	report attempt         // that reports with it; zero where it is no report
	again  attempt         // whose answer comes a second time; zero where none does
}

// queue gives back events by time; equal times come out first in, first out, and on that reproducibility rests.
type queue struct {
	heap  dueHeap
	count int
}

func (q *queue) push(at time.Duration, e loop.Event) { q.add(due{at: at, event: e}) }

// answer lets a worker say what came of its attempt.
func (q *queue) answer(at time.Duration, a outcome.Answer) {
	q.add(due{at: at, event: loop.Answered(a, false), answer: &a})
}

func (q *queue) add(d due) {
	q.count++
	d.order = q.count
	heap.Push(&q.heap, d)
}

func (q *queue) pop() due { return heap.Pop(&q.heap).(due) }

func (q *queue) empty() bool { return len(q.heap) == 0 }

type dueHeap []due

func (h dueHeap) Len() int { return len(h) }
func (h dueHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].order < h[j].order
}
func (h dueHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *dueHeap) Push(x any)   { *h = append(*h, x.(due)) }
func (h *dueHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
