package loop

import (
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/space"
)

// Where the delays show that answers take longer at some points than at others, delays are counted in what they would be at the mean of
// all points (survival.Pace). Whether they do is looked at anew whenever a quarter more answers have come.

const paceGrowth = 4 // a pace is learned anew when a fourth more waits have ended

// describe returns what the pace of a point may depend on: its coordinates, and for each word of a category but the first whether it is that.
func (c *Config) describe(x space.Unit) (features []float64) {
	for i, p := range c.Space.Parameters() {
		switch {
		case p.Fixed():
		case p.Kind == space.KindCategorical:
			word := int(p.Value(x[i]))
			for k := 1; k < len(p.Words()); k++ {
				features = append(features, float64(bit(k == word)))
			}
		default:
			features = append(features, x[i])
		}
	}
	return features
}

// factor is how many times as long an answer takes at a point as at the mean of all.
func (l *Loop) factor(x space.Unit) float64 {
	if !l.ledger.pace.Known() {
		return 1
	}
	return l.ledger.pace.Factor(l.config.describe(x))
}

// atMean is a time at the point of an evaluation as it would be at the mean of all points.
func (l *Loop) atMean(e *Evaluation, d time.Duration) time.Duration {
	if !l.ledger.pace.Known() {
		return d
	}
	return time.Duration(float64(d) / l.factor(e.X))
}

// atPoint is the inverse of atMean.
func (l *Loop) atPoint(e *Evaluation, d time.Duration) time.Duration {
	if !l.ledger.pace.Known() {
		return d
	}
	return after(0, time.Duration(min(float64(d)*l.factor(e.X), 1<<62)))
}

// learnPace learns the pace anew when enough has come, and counts all delays by it.
func (l *Loop) learnPace() {
	n := l.ledger.delays.Count(survival.Answered) + l.ledger.delays.Count(survival.Failed)
	if n < l.ledger.paced+max(l.ledger.paced/paceGrowth, 1) || n < leastPaced {
		return
	}
	l.ledger.paced = n
	features, delays := l.completed()
	pace := survival.PaceOf(features, delays)
	if !pace.Known() && !l.ledger.pace.Known() {
		return
	}
	l.ledger.pace = pace
	l.ledger.delays = l.delaysOf()
}

// leastPaced are the answers before the first look at a pace.
const leastPaced = 20

// completed returns what describes the points of answered evaluations, and their delays in seconds: of those that were sent out so long ago that nearly all
// answers to queries of their time have come. Of the others only the quick ones are there.
func (l *Loop) completed() (features [][]float64, delays []float64) {
	for _, e := range l.settled() {
		features, delays = append(features, l.config.describe(e.X)), append(delays, max((e.Ended-e.Sent).Seconds(), 1e-6))
	}
	return features, delays
}

// settled are the answered evaluations that were sent out longer ago than most answers take.
func (l *Loop) settled() (out []*Evaluation) {
	var taken []time.Duration
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if exit, ended := e.exit(); ended && exit == survival.Answered {
			out, taken = append(out, e), append(taken, e.Ended-e.Sent)
		}
	}
	if len(taken) == 0 {
		return nil
	}
	slices.Sort(taken)
	long := taken[(len(taken)*nearlyAll)/100]
	return slices.DeleteFunc(out, func(e *Evaluation) bool { return l.now-e.Sent < long })
}

// nearlyAll is the share of the delays, in percent, that are shorter than the time for which a wait must be over.
const nearlyAll = 95

// delaysOf counts the waits of all evaluations.
func (l *Loop) delaysOf() (h survival.History) {
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if exit, ended := e.exit(); ended {
			h.Add(exit, l.atMean(e, e.Ended-e.Sent))
		}
	}
	return h
}
