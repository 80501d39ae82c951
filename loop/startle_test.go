package loop

import (
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// wrongs is how many fits a study has after each of several queries that pended together was answered with a value that its forecast rules out.
func wrongs(t *testing.T, c Config) (fits []int) {
	t.Helper()
	const slots, right = 8, 30
	p := named(t, "auto")
	c.Space, c.Budget, c.Seed, c.Traits = smallSpace(t, space.Float("a", 0, 1), space.Float("b", 0, 1)), 80, 6, p.Traits()
	d := drive(t, c)
	d.step(0, WorkerJoined{1, slots})
	answer := func(number int, value float64) {
		d.step(0, FeedbackArrived{Evaluation: number, Attempt: d.l.ledger.get(number).Attempt, Outcome: outcome.Of(value)})
		for again := true; again; {
			again = false
			for _, effect := range d.l.Outstanding() {
				switch effect := effect.(type) {
				case Ask:
					d.step(0, Propose(effect, d.l.View(), p, 3))
					again = true
				case Fit:
					d.step(0, effect.Run())
					again = true
				}
			}
		}
	}
	for number := 1; number <= right; number++ {
		x := d.l.ledger.get(number).Point(c.Space)
		answer(number, (x[0]-0.4)*(x[0]-0.4)+0.3*(x[1]-0.7)*(x[1]-0.7))
	}
	for _, number := range slices.Clone(d.l.ledger.pending) {
		before := d.l.counts.Fits
		answer(number, 50+float64(number))
		fits = append(fits, d.l.counts.Fits-before)
	}
	return fits
}

// Of queries that pend together the first wrong value is learned of at once. The others were forecast before that: what they contradict is no more, and they are
// no reason to learn anew, each once more. A study that began when they were goes on so.
func TestOfQueriesThatPendTogetherOneIsAReasonToLearnAnew(t *testing.T) {
	once, each := wrongs(t, Config{FitOnce: true}), wrongs(t, Config{})
	sum := func(of []int) (n int) {
		for _, k := range of {
			n += k
		}
		return n
	}
	if once[0] != 1 || sum(once) > 2 || sum(each) < 7 {
		t.Errorf("fits after each of several wrong values: %v; of a study of an older program %v", once, each)
	}
}
