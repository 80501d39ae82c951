package tuning

import (
	"fmt"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/space"
)

// screen is what is shown while a method has its time. Everything on it follows from these fields and the time.
type screen struct {
	label     string // of the method
	place, of int    // the method's place among all
	allowance time.Duration
	format    func(x space.Point) string
	course    course
}

func newScreen(t tuning, place int) screen {
	m := t.methods[place]
	return screen{m.label(), place + 1, len(t.methods), t.allowance, t.problem.Space.Format, newCourse(m.workers)}
}

// frame returns the lines of the screen at a time since the study started, none of them wider than width, and no more
// of them than height.
func (s screen) frame(now time.Duration, width, height int, p paint) []string {
	width, height = max(width, 20), max(height, 1)
	lines := []string{
		p.as(bold, fit(fmt.Sprintf("method %d of %d: %s", s.place, s.of, s.label), width)),
		s.clock(now, width, p),
		s.counts(now, width, p),
		p.as(green, fit(s.incumbent(), width)),
		"",
	}
	lines = append(lines, s.lanes(now, width, max(height-len(lines), 1), p)...)
	return lines[:min(len(lines), height)]
}

// clock is the bar of the time that is gone, with the time that is left.
func (s screen) clock(now time.Duration, width int, p paint) string {
	share := min(float64(now)/float64(s.allowance), 1)
	text := fmt.Sprintf(" %3.0f %%, %s left", 100*share, s.left(now))
	length := min(width-len(text)-2, 50)
	if length < 4 {
		return fit(text[1:], width)
	}
	return "│" + p.as(cyan, gauge(share, length)) + "│" + text
}

// counts says how many evaluations are where. Failures stand out.
func (s screen) counts(now time.Duration, width int, p paint) string {
	t := s.course.tally()
	text := fmt.Sprintf("%v, workers busy %.0f %%", t, 100*s.course.busy(now))
	failures := fmt.Sprintf("%d failed", t.failed)
	if before, after, found := strings.Cut(fit(text, width), failures); found && t.failed > 0 {
		return before + p.as(red, failures) + after
	}
	return fit(text, width)
}

// left is the time that is left.
func (s screen) left(now time.Duration) string {
	left := max(s.allowance-now, 0)
	if left < time.Minute {
		return fmt.Sprintf("%.1f s", left.Seconds()) // always one digit, so that the text does not jump
	}
	return prose(left)
}

// prose prints a duration of less than a minute in seconds: 7.5 s, 1m30s.
func prose(d time.Duration) string {
	if d < time.Minute {
		return console.Short(d.Seconds()) + " s"
	}
	return console.Brief(d.Round(time.Second))
}

// incumbent says in words what the best evaluation is.
func (s screen) incumbent() string {
	number, best := s.course.incumbent()
	if number == 0 {
		return "no value yet"
	}
	return fmt.Sprintf("best %s with %s (#%d, after %s)", percent(best.value), s.format(best.x), number, readable(best.ended))
}

// percent prints an accuracy.
func percent(accuracy float64) string { return fmt.Sprintf("%.2f %%", 100*accuracy) }

// line says in one line how far the method is, where there is no terminal.
func (s screen) line(now time.Duration) string {
	return fmt.Sprintf("method %d of %d: %s: %v; %s; %s left", s.place, s.of, s.label, s.course.tally(), s.incumbent(), s.left(now))
}

// summary says in one line what the method came to.
func (s screen) summary() string {
	return fmt.Sprintf("method %d of %d: %s: %d done in %s; %s", s.place, s.of, s.label, s.course.tally().finished, readable(s.course.at), s.incumbent())
}
