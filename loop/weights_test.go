package loop

import (
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/outcome"
)

// weightOf is how much a query counted in the model of the last ask, in eighths.
func (m *modest) weightOf(number int) int {
	for _, w := range m.l.weights() {
		if w.Number == number {
			return w.Eighths
		}
	}
	return eighths
}

// Query 3 is silent for good, so that it is known that some are; then the others are silent too, and count less and less.
func TestASilentQueryCountsLessAndLess(t *testing.T) {
	for _, how := range []feedback.Imputation{feedback.Hallucinate, feedback.Censor} {
		m := silent(t, 20, func(c *Config) { c.WeighPending, c.Traits.Pending = true, how })
		if m.evaluation(3).Forgotten != true || slices.Contains(m.rows(), 3) || m.l.Counters().Forgotten != 1 {
			t.Errorf("%v: %+v is hardly to be expected, rows %v", how, m.evaluation(3), m.rows())
		}
		last, seen := eighths, map[int]bool{}
		for range 100 {
			m.now += 50 * time.Millisecond
			m.say(Woke{})
			w, e := m.weightOf(22), m.evaluation(22)
			if p := eighths * m.l.Delays().Returns(m.now-e.Sent); float64(w) > max(p, 0.5)+0.5 || float64(w) < p-0.5 {
				t.Errorf("%v, after %v it counts %d eighths, and comes with the chance %v/8", how, m.now-e.Sent, w, p)
			}
			if w > last {
				t.Errorf("%v, after %v it counts %d eighths, and %d before", how, m.now-e.Sent, w, last)
			}
			last, seen[w] = w, true
		}
		if last > 1 || len(seen) < 4 {
			t.Errorf("%v: it counts %d eighths in the end, and %v on the way", how, last, seen)
		}
	}
}

func TestWhatIsWeighedCountsInFullWhenItsValueComes(t *testing.T) {
	m := silent(t, 20, func(c *Config) { c.WeighPending = true })
	for m.weightOf(22) > eighths/2 {
		m.now += 20 * time.Millisecond
		m.say(Woke{})
	}
	m.say(FeedbackArrived{Evaluation: 22, Attempt: 1, Outcome: outcome.Of(9)})
	m.say(FeedbackArrived{Evaluation: 3, Attempt: 1, Outcome: outcome.Of(1)}) // another ask
	if w := m.weightOf(22); w != eighths || !slices.Contains(m.rows(), 22) || !slices.Contains(m.rows(), 3) {
		t.Errorf("it counts %d eighths, rows %v", w, m.rows())
	}
}

// Nobody knows how long answers take, or how many are lost: all count in full, and a policy without a model has nothing that could count.
func TestNothingIsWeighedWhereNothingIsKnown(t *testing.T) {
	m := silent(t, survival.Least-1, func(c *Config) { c.WeighPending = true })
	m.now += 1000 * time.Hour
	m.say(Woke{})
	if len(m.l.weights()) > 0 || m.evaluation(3).Forgotten {
		t.Errorf("weights %v", m.l.weights())
	}
	blind := silent(t, 20, func(c *Config) { c.WeighPending, c.Traits.Model = true, false })
	if len(blind.l.weights()) > 0 {
		t.Errorf("without a model: weights %v", blind.l.weights())
	}
}
