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
	timeout time.Duration // of an attempt; 0 for none
	before  int           // evaluations that had an outcome when this process began
	latest  tarry.Event
	running map[int]time.Time // when the attempt of each evaluation that runs was started
	reached bool              // whether a value that came to this process was as good as the target
}

func newProgress(w io.Writer, timeout time.Duration, quiet bool) *progress {
	p := &progress{timeout: timeout, now: time.Now, begun: time.Now(), before: -1, running: map[int]time.Time{}}
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

// draw begins the lines on a terminal. The bar begins without a total: one that had one would end, full, when it is reached.
func (p *progress) draw(w io.Writer, further ...mpb.ContainerOption) {
	p.bars = mpb.New(append(further, mpb.WithOutput(w), mpb.WithWidth(50), mpb.WithRefreshRate(250*time.Millisecond))...)
	p.bar = p.bars.AddBar(0, mpb.PrependDecorators(p.line(p.counts)), mpb.AppendDecorators(p.line(p.left)))
	none := mpb.BarFillerFunc(func(io.Writer, decor.Statistics) error { return nil })
	for _, text := range []func() string{p.incumbent, p.pending} {
		p.bars.MustAdd(0, none, mpb.PrependDecorators(p.line(text)))
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
		p.before = answered(n)
	}
	if e, came := n.Event.(loop.FeedbackArrived); came && e.Suffices {
		p.reached = true
	}
	if n.Evaluation.Number > 0 && !n.Evaluation.Running {
		delete(p.running, n.Evaluation.Number)
	}
	for _, effect := range n.Reaction.Effects {
		switch e := effect.(type) {
		case loop.Dispatch:
			p.running[e.Evaluation] = p.now()
		case loop.Cancel:
			delete(p.running, e.Evaluation)
		}
	}
	p.mutex.Unlock()
	if p.bar != nil {
		total, now := int64(n.Budget), int64(answered(n))
		if n.BudgetCost > 0 {
			total, now = barSteps, int64(barSteps*min(n.Cost/n.BudgetCost, 1))
		}
		p.bar.SetTotal(total, false)
		p.bar.SetCurrent(now)
	}
	if p.w != nil {
		p.tell(n)
	}
}

// barSteps is how finely the bar of a budget in cost is drawn.
const barSteps = 1000

// answered counts the evaluations that have used up budget.
func answered(n tarry.Event) int { return n.Spent - n.Pending }

// extent is how much of the budget is used up. What was given up and replaced, and came late all the same, makes that more than
// the budget.
func (p *progress) extent() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if n := p.latest; n.BudgetCost > 0 {
		return fmt.Sprintf("%d evaluations that cost %.6g of %.6g", answered(n), n.Cost, n.BudgetCost)
	}
	if n := p.latest; answered(n) > n.Budget {
		return fmt.Sprintf("%d evaluations, with a budget of %d", answered(n), n.Budget)
	}
	if n := p.latest; n.Costs {
		return fmt.Sprintf("%sevaluations that cost %.6g", p.counts(), n.Cost)
	}
	return p.counts() + "evaluations"
}

// stands notes how a study stands of which no event has said it.
func (p *progress) stands(study *loop.Loop) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.latest.Seq > 0 {
		return
	}
	c, cost := study.Config(), study.Cost()
	p.latest = tarry.Event{Spent: study.Spent(), Pending: study.Pending(), Budget: c.Budget, BudgetCost: c.BudgetCost, Cost: cost, Costs: cost > 0}
}

// suffices reports whether it was in this process that a value as good as the target came.
func (p *progress) suffices() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.reached
}

// end takes what was drawn off the screen.
func (p *progress) end() {
	if p.bars != nil {
		p.bars.Shutdown()
	}
}

// tell writes a line about an outcome.
func (p *progress) tell(n tarry.Event) {
	at := fmt.Sprintf("%d/%d", answered(n), n.Budget)
	switch {
	case n.BudgetCost > 0:
		at = fmt.Sprintf("cost %.6g/%.6g", n.Cost, n.BudgetCost)
	case n.Costs:
		at += fmt.Sprintf(" cost %.6g", n.Cost)
	}
	p.tellExpired(at, n)
	switch e := n.Event.(type) {
	case loop.FeedbackArrived:
		switch {
		case n.Evaluation.Status == loop.Infeasible:
			fmt.Fprintf(p.w, "%s  #%d %s%s\n", at, e.Evaluation, infeasible(n.Evaluation.Reason), standing(n))
		case n.Reaction.Fate == loop.FateTaken || n.Reaction.Fate == loop.FateLate:
			mark := ""
			if n.Improved {
				mark = "  best so far"
			}
			fmt.Fprintf(p.w, "%s  #%d %s%s%s\n", at, e.Evaluation, number(e.Value), mark, standing(n))
		}
	case loop.EvaluationFailed:
		if n.Evaluation.Status == loop.Infeasible {
			fmt.Fprintf(p.w, "%s  #%d %s\n", at, e.Evaluation, infeasible(e.Reason))
			break
		}
		fmt.Fprintf(p.w, "%s  #%d attempt %d: %s, %v\n", at, e.Evaluation, e.Attempt, plain(oneLine(e.Reason)), n.Reaction.Fate)
	case loop.Resumed:
		fmt.Fprintf(p.w, "%s  resumed\n", at)
	default:
		p.tellEnded(at, n)
	}
	p.tellCancelled(at, n)
}

func (p *progress) counts() string {
	n := p.latest
	if n.BudgetCost > 0 {
		return fmt.Sprintf("cost %.6g of %.6g ", n.Cost, n.BudgetCost)
	}
	return fmt.Sprintf("%d of %d ", answered(n), n.Budget)
}

// left is about how long the study will take, at the pace of this process so far.
func (p *progress) left() string {
	n := p.latest
	done := answered(n)
	if done <= p.before {
		return " "
	}
	each := p.now().Sub(p.begun) / time.Duration(done-p.before)
	if n.BudgetCost > 0 { // what they cost on average, the others will
		return fmt.Sprintf(" about %v left", time.Duration(float64(each)*float64(done)*max(n.BudgetCost/max(n.Cost, 1e-300)-1, 0)).Round(time.Second))
	}
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
	if n := p.latest; n.Costs && n.BudgetCost == 0 {
		text += fmt.Sprintf("; cost %.6g", n.Cost)
	}
	if s := p.latest.Safety; s != nil {
		text += "; " + s.Brief()
	}
	if f := p.latest.Counters; f.Failures+f.Timeouts > 0 {
		text += fmt.Sprintf("; %d attempts failed, %d took too long", f.Failures, f.Timeouts)
	}
	return text
}

// number prints a value with six digits.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }
