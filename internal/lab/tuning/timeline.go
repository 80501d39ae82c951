package tuning

import (
	"fmt"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

// timeline is the picture of a tuning: the accuracy of the incumbent of each method over the wall-clock time, and below
// it what the workers of the first method were busy with.
type timeline struct {
	title, subtitle string
	seconds         float64       // where the time ends
	curves          []chart.Curve // over the seconds
	lanes           method        // whose they are
	workers         int
	segments        []segment
}

// segment is the time in which an evaluation kept a worker busy, in seconds.
type segment struct {
	worker   int
	from, to float64
	fate     fate
	best     bool // it brought an incumbent
}

// fate is what became of an evaluation.
type fate int

const (
	observed fate = iota
	failed
	cancelled
)

func fateOf(s tarry.Status) fate {
	switch {
	case s.Valued():
		return observed
	case s == tarry.Cancelled:
		return cancelled
	}
	return failed
}

func (t tuning) timeline(all []performance) timeline {
	out := timeline{
		title: fmt.Sprintf("%s: accuracy over the wall-clock time", t.problemName),
		subtitle: fmt.Sprintf("real training plus a simulated wait, %v seconds; %s for each method, one after the other; seed %d",
			t.law, prose(t.allowance), t.seed),
		seconds: t.allowance.Seconds(),
		lanes:   all[0].method,
		workers: all[0].workers,
	}
	for _, p := range all {
		out.curves = append(out.curves, p.curve())
		out.seconds = max(out.seconds, p.course.at.Seconds())
	}
	out.segments = all[0].course.segments()
	return out
}

// curve is the accuracy of the incumbents in percent, from when each came.
func (p performance) curve() chart.Curve {
	out := chart.Curve{Name: p.label(), Policy: p.name, X: []float64{}}
	for _, number := range p.course.best {
		s := p.course.spans[number-1]
		out.X = append(out.X, s.ended.Seconds())
		out.Y = append(out.Y, stat.Of([]float64{100 * s.value}))
	}
	return out
}

// segments are the spans in the order of their numbers. What is still pending ends with the last event.
func (c course) segments() []segment {
	best := map[int]bool{}
	for _, number := range c.best {
		best[number] = true
	}
	var out []segment
	for i, s := range c.spans {
		if s.worker > 0 {
			to := s.began + s.length(c.at)
			out = append(out, segment{s.worker, s.began.Seconds(), to.Seconds(), fateOf(s.status), best[i+1]})
		}
	}
	return out
}
