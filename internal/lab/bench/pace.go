package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
)

// pace says how far a study is and how long the rest of it takes.
type pace struct {
	begin time.Time
	marks []paceMark // ascending
}

type paceMark struct {
	at   time.Time
	sent int
}

// Between two texts passes paceEvery at least, and the pace is that of the last paceMarks of them.
const (
	paceEvery = 250 * time.Millisecond
	paceMarks = 40
)

func newPace(now time.Time) *pace { return &pace{begin: now, marks: []paceMark{{now, 0}}} }

// text is due now and then. Later suggestions cost more, so that the rest is judged by the latest ones; until the model
// is full it takes longer still.
func (p *pace) text(sent, all int, now time.Time) (text string, due bool) {
	last := p.marks[len(p.marks)-1]
	if now.Sub(last.at) < paceEvery || sent <= last.sent {
		return "", false
	}
	p.marks = append(p.marks, paceMark{now, sent})
	p.marks = slices.Delete(p.marks, 0, max(len(p.marks)-paceMarks, 0))
	first := p.marks[0]
	each := now.Sub(first.at).Seconds() / float64(sent-first.sent)
	left := time.Duration(each * float64(all-sent) * float64(time.Second))
	return fmt.Sprintf("%d of %s, %v so far, about %v left at this pace", sent, console.Plural(all, "evaluation"),
		now.Sub(p.begin).Round(time.Second), left.Round(time.Second)), true
}
