package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// progress shows how a study goes: a few lines that are drawn over each other on a terminal, and a line for each outcome
// anywhere else.
type progress struct {
	w    io.Writer     // where lines go; nil for none
	bars *mpb.Progress // nil where there is no terminal
	bar  *mpb.Bar

	mutex   sync.Mutex
	now     func() time.Time
	begun   time.Time
	before  int // evaluations that had an outcome when this process began
	latest  tarry.Event
	running map[int]time.Time // when the attempt of each evaluation that runs was started
}

func newProgress(w io.Writer, store *sqlite.Store, quiet bool) *progress {
	p := &progress{now: time.Now, begun: time.Now(), before: -1, running: map[int]time.Time{}}
	if quiet {
		return p
	}
	if f, ok := w.(*os.File); ok && os.Getenv("TERM") != "dumb" && cwriter.IsTerminal(int(f.Fd())) {
		p.draw(w)
		return p
	}
	p.w = w
	return p
}

// draw begins the lines on a terminal.
func (p *progress) draw(w io.Writer) {
	p.bars = mpb.New(mpb.WithOutput(w), mpb.WithWidth(50), mpb.WithRefreshRate(250*time.Millisecond))
	p.bar = p.bars.AddBar(1, mpb.PrependDecorators(p.line(p.counts)), mpb.AppendDecorators(p.line(p.left)))
	none := mpb.BarFillerFunc(func(io.Writer, decor.Statistics) error { return nil })
	for _, text := range []func() string{p.incumbent, p.pending} {
		p.bars.MustAdd(1, none, mpb.PrependDecorators(p.line(text)))
	}
}

// line is a text that is made anew each time it is drawn.
func (p *progress) line(text func() string) decor.Decorator {
	return decor.Any(func(decor.Statistics) string {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		return text()
	})
}

// event notes what happened.
func (p *progress) event(n tarry.Event) {
	p.mutex.Lock()
	p.latest = n
	if p.before < 0 {
		p.before = n.Chosen - n.Pending
	}
	if n.Evaluation.Number > 0 && !n.Evaluation.Running {
		delete(p.running, n.Evaluation.Number)
	}
	for _, effect := range n.Effects {
		switch e := effect.(type) {
		case loop.Dispatch:
			p.running[e.Evaluation] = p.now()
		case loop.Cancel:
			delete(p.running, e.Evaluation)
		}
	}
	p.mutex.Unlock()
	if p.bar != nil {
		p.bar.SetTotal(int64(max(n.Budget, 1))+1, false) // never reached, so that the bar stays until the end
		p.bar.SetCurrent(int64(n.Chosen - n.Pending))
	}
	if p.w != nil {
		p.tell(n)
	}
}

// end takes what was drawn off the screen.
func (p *progress) end() {
	if p.bars != nil {
		p.bars.Shutdown()
	}
}

// tell writes a line about an outcome.
func (p *progress) tell(n tarry.Event) {
	at := fmt.Sprintf("%d/%d", n.Chosen-n.Pending, n.Budget)
	switch e := n.Event.(type) {
	case loop.FeedbackArrived:
		switch {
		case n.Evaluation.Status == loop.Infeasible:
			fmt.Fprintf(p.w, "%s  #%d infeasible: %s\n", at, e.Evaluation, n.Evaluation.Reason)
		case n.Outcome == actors.Taken || n.Outcome == actors.Late:
			mark := ""
			if n.Improved {
				mark = "  best so far"
			}
			fmt.Fprintf(p.w, "%s  #%d %s%s\n", at, e.Evaluation, number(e.Value), mark)
		}
	case loop.EvaluationFailed:
		fmt.Fprintf(p.w, "%s  #%d attempt %d: %s, %v\n", at, e.Evaluation, e.Attempt, oneLine(e.Reason), n.Outcome)
	case loop.Resumed:
		fmt.Fprintf(p.w, "%s  resumed\n", at)
	}
	if n.Counters.Timeouts > 0 && n.Outcome == actors.TimedOut {
		for _, effect := range n.Effects {
			if c, ok := effect.(loop.Cancel); ok {
				fmt.Fprintf(p.w, "%s  #%d attempt %d took too long\n", at, c.Evaluation, c.Attempt)
			}
		}
	}
}

func (p *progress) counts() string {
	n := p.latest
	return fmt.Sprintf("%d of %d ", n.Chosen-n.Pending, n.Budget)
}

// left is about how long the study will take, at the pace of this process so far.
func (p *progress) left() string {
	n := p.latest
	done := n.Chosen - n.Pending
	if done <= p.before {
		return " "
	}
	each := p.now().Sub(p.begun) / time.Duration(done-p.before)
	return fmt.Sprintf(" about %v left", (each * time.Duration(max(n.Budget-done, 0))).Round(time.Second))
}

func (p *progress) incumbent() string {
	n := p.latest
	if n.Incumbent.Number == 0 {
		return "no value yet"
	}
	return fmt.Sprintf("best %s (#%d)", number(n.Incumbent.Value), n.Incumbent.Number)
}

// pending lists what runs, the oldest first.
func (p *progress) pending() string {
	type age struct {
		number int
		since  time.Time
	}
	var ages []age
	for number, since := range p.running {
		ages = append(ages, age{number, since})
	}
	slices.SortFunc(ages, func(a, b age) int { return cmp.Or(a.since.Compare(b.since), cmp.Compare(a.number, b.number)) })
	const most = 6
	var parts []string
	for _, a := range ages[:min(len(ages), most)] {
		parts = append(parts, fmt.Sprintf("#%d %v", a.number, p.now().Sub(a.since).Round(time.Second)))
	}
	text := fmt.Sprintf("%d running", len(ages))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	if len(ages) > most {
		text += ", …"
	}
	if f := p.latest.Counters; f.Failures+f.Timeouts > 0 {
		text += fmt.Sprintf("; %d attempts failed, %d took too long", f.Failures, f.Timeouts)
	}
	return text
}

// number prints a value with six digits.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }

func oneLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
