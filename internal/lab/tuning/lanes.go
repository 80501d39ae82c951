package tuning

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxLanes is how many workers a frame shows at most.
const maxLanes = 16

// lanes are a heading and one line for each worker, with a bar that fills while its evaluation is pending. Where there is
// no room for all, those whose evaluations have been pending longest are shown, and a last line counts the others.
func (s screen) lanes(now time.Duration, width, room int, p paint) []string {
	workers := make([]int, len(s.course.lanes)) // indices
	for i := range workers {
		workers[i] = i
	}
	space := room - 1 // below the heading
	count := max(min(len(workers), maxLanes, space), 0)
	if count < len(workers) {
		count = max(min(count, space-1), 0)
		slices.SortStableFunc(workers, s.course.older)
	}
	full := s.course.longest(now)
	heading := "workers and what is pending there"
	if full > 0 {
		heading += fmt.Sprintf("; a full bar is %s, the longest so far", readable(full))
	}
	out := []string{p.as(faint, fit(heading, width))}
	for _, i := range workers[:count] {
		out = append(out, s.lane(i, now, full, width, p))
	}
	if rest := len(workers) - count; rest > 0 {
		pending := 0
		for _, i := range workers[count:] {
			if s.course.lanes[i] > 0 {
				pending++
			}
		}
		out = append(out, p.as(faint, fit(fmt.Sprintf("... and %d more, %d of them idle", rest, rest-pending), width)))
	}
	return out
}

// older sorts workers by how long their evaluations have been pending, and idle ones last.
func (c course) older(i, j int) int {
	a, b := c.lanes[i], c.lanes[j]
	switch {
	case a == 0 || b == 0:
		return cmp.Compare(b, a)
	case c.spans[a-1].began != c.spans[b-1].began:
		return cmp.Compare(c.spans[a-1].began, c.spans[b-1].began)
	}
	return cmp.Compare(a, b)
}

// lane is the line of one worker. A full bar is as long as the longest evaluation so far.
func (s screen) lane(worker int, now, full time.Duration, width int, p paint) string {
	head := fmt.Sprintf("%3d ", worker+1)
	length := min(max((width-len(head))/4, 4), 24)
	number := s.course.lanes[worker]
	if number == 0 {
		return head + "│" + strings.Repeat(" ", length) + "│" + p.as(faint, " idle")
	}
	span := s.course.spans[number-1]
	age := span.length(now)
	bar := p.as(cyan, gauge(float64(age)/float64(max(full, 1)), length))
	text := fmt.Sprintf(" %6.2f s  #%-4d %s", age.Seconds(), number, s.format(span.x))
	return head + "│" + bar + "│" + fit(text, width-len(head)-length-2)
}
