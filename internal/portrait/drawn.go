package portrait

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Range says which evaluations a portrait holds, and how many about.
type Range struct {
	Most   int    // evaluations that are drawn of those with an outcome, about; 0: 1500
	After  uint64 // only those that changed after this event, where Stride is the one of now; 0: all
	Stride int    // of the portrait before
}

const (
	usualMost  = 1500
	latest     = 120 // evaluations that are drawn whatever their number
	mostOpen   = 400 // pending ones
	mostSteps  = 600 // improvements
	maxTicks   = 6
	mostChosen = 12 // values of a parameter up to which evaluations with the same one lie beside each other
)

// Drawn says which evaluations are drawn: one of so many as the stride says, chosen by number (Spread), all that were the best when they
// came, the latest, and the pending.
type Drawn struct {
	Stride int    `json:"stride"`
	Latest int    `json:"latest"`
	After  uint64 `json:"after"` // only those that changed after this event are here; 0: all
	Words  string `json:"words"`
}

// stride is the least power of two that leaves at most so many of n.
func stride(n, most int) int {
	s := 1
	for n/s > most {
		s *= 2
	}
	return s
}

// Spread reports whether a number is one of so many, a power of two: those are spread evenly, with no period that could be that of a study,
// and those of a greater stride are among those of a smaller one. It is multiplicative hashing by the golden ratio (Knuth, The Art of Computer Programming, volume 3, section 6.4); the page
// knows the same rule.
func Spread(number, stride int) bool {
	const golden = 2654435769 // 2³² over the golden ratio
	return uint64(uint32(number)*golden)*uint64(stride)>>32 == 0
}

// choose returns the numbers that are drawn, ascending, and says which they are. Those that did not change since After are among them.
func (k *Sketch) choose(r Range) ([]int, Drawn) {
	if r.Most <= 0 {
		r.Most = usualMost
	}
	n := len(k.marks)
	d := Drawn{Stride: stride(n, r.Most), Latest: latest}
	if r.Stride == d.Stride && r.After <= k.seq {
		d.After = r.After
	}
	var out []int
	for number := 1; number <= n; number++ {
		if Spread(number, d.Stride) {
			out = append(out, number)
		}
	}
	open := k.pending[max(len(k.pending)-mostOpen, 0):]
	if d.Stride > 1 {
		for number := max(n-latest+1, 1); number <= n; number++ {
			out = append(out, number)
		}
		for _, s := range k.steps() {
			out = append(out, s.Evaluation)
		}
		out = append(out, open...)
		slices.Sort(out)
		out = slices.Compact(out)
	}
	d.Words = k.words(d, len(out), len(open))
	return out, d
}

// words says what is drawn.
func (k *Sketch) words(d Drawn, drawn, open int) string {
	n := len(k.marks)
	if d.Stride == 1 {
		return fmt.Sprintf("all %d evaluations", n)
	}
	text := fmt.Sprintf("%d of %d evaluations: one of %d, the latest %d, each that was the best when it came", drawn, n, d.Stride, latest)
	if all := len(k.incumbents); all > mostSteps {
		text += fmt.Sprintf(" (%d of %d)", mostSteps, all)
	}
	if open < len(k.pending) {
		return text + fmt.Sprintf(", and the latest %d of %d pending", open, len(k.pending))
	}
	return text + ", and all that are pending"
}

// steps are the improvements: of more than are drawn the first, the last and some between, evenly.
func (k *Sketch) steps() []Step {
	n := len(k.incumbents)
	if n <= mostSteps {
		return append([]Step{}, k.incumbents...)
	}
	out := make([]Step, mostSteps)
	for i := range out {
		out[i] = k.incumbents[i*(n-1)/(mostSteps-1)]
	}
	return out
}

// valuesOf are the ends of the axis for the values of some evaluations, by their numbers.
func valuesOf(all []loop.Evaluation, numbers []int, sense outcome.Sense) Values {
	var drawn []*loop.Evaluation
	for _, number := range numbers {
		if e := &all[number-1]; e.Measured {
			drawn = append(drawn, e)
		}
	}
	if len(drawn) == 0 {
		return Values{High: 1, Empty: true}
	}
	slices.SortStableFunc(drawn, func(a, b *loop.Evaluation) int { return cmp.Compare(a.Ended, b.Ended) })
	values := make([]float64, len(drawn))
	for i, e := range drawn {
		values[i] = e.Value
	}
	kept := figures.Fenced(values, sense)
	low, high := chart.Padded(slices.Min(kept), slices.Max(kept))
	low, high = max(low, -math.MaxFloat64), min(high, math.MaxFloat64)
	return Values{Low: low, High: high, Beyond: len(values) - len(kept)}
}

// plural is a number of things.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if strings.HasSuffix(one, "y") {
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(one, "y"))
	}
	return fmt.Sprintf("%d %ss", n, one)
}
