package loop

import (
	"slices"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/space"
)

// DelayReport is what a study has learned of the time that answers take, for people. Times are counted from the latest dispatch, and those of the law as they
// would be at the mean of all points where points differ (Pace).
type DelayReport struct {
	Law      survival.Law
	Tried    time.Duration         // how long the attempts before its latest one take a query on average; 0 where none is tried again
	Untimed  int                   // evaluations whose outcome came otherwise than by their latest attempt, which say nothing of delays
	Curve    []survival.Point      // of Kaplan & Meier, with its band
	Families []survival.Parametric // the best first; none before anything is known
	Pace     survival.Pace
	Slow     []Slowness // for each parameter, where points differ
	// Rho is the rank correlation of delay and value, in the sense of the study: above zero good values take longer. Chance is that of one
	// as far from zero if they are independent. NaN before ten answers.
	Rho, Chance float64
	Silent      []Silence
	Slots       *Slots // nil before anything is known
}

// Slowness is how many times as long answers take at the upper end of a parameter as at its lower end; of a category, at its slowest word as at its quickest.
type Slowness struct {
	Parameter string
	Factor    float64
	Words     bool // whether it is a category
}

// Silence is a pending query.
type Silence struct {
	Number    int
	Age       time.Duration // since its latest dispatch, or its latest report
	Chance    float64       // that it is ever heard of; 1 before anything is known
	Left      time.Duration // after which half of those that are heard of at all have been, from now on; −1 before anything is known
	Forgotten bool
}

// DelayReport returns what is known now. Cost that of Delays, some hundred times.
func (l *Loop) DelayReport() DelayReport {
	r := DelayReport{Law: l.Delays(), Pace: l.ledger.pace, Slow: l.slowness(), Silent: l.Silences(l.now)}
	r.Tried = l.tried()
	r.Slots = l.slots(r.Law, r.Tried)
	for i := range l.ledger.evaluations {
		r.Untimed += bit(l.ledger.evaluations[i].Untimed)
	}
	var ages []time.Duration
	for _, s := range r.Silent {
		ages = append(ages, l.age(l.ledger.get(s.Number)))
	}
	r.Curve, r.Families = l.ledger.delays.Curve(ages), l.ledger.delays.Parametric(ages)
	var delays, values []float64
	for _, e := range l.settled() {
		delays, values = append(delays, l.atMean(e, e.Ended-e.Sent).Seconds()), append(values, l.config.Sense().Sign()*e.Value)
	}
	r.Rho, r.Chance = survival.Dependence(delays, values)
	return r
}

// Silences returns what is expected of the queries that pend and are under way, at a time that may be later than the last event. Cost that of
// Delays.
func (l *Loop) Silences(at time.Duration) (all []Silence) {
	law := l.Delays()
	for _, number := range l.ledger.pending {
		e := l.ledger.get(number)
		if !e.Running {
			continue
		}
		s := Silence{Number: number, Age: max(at-e.spoke(), 0), Left: -1, Forgotten: e.Forgotten}
		age := l.atMean(e, s.Age)
		s.Chance = law.Returns(age)
		if law.Known() {
			s.Left = l.atPoint(e, law.Arrival(0.5, age)-age)
		}
		all = append(all, s)
	}
	return all
}

// slowness has the parameters that vary; none where points do not matter.
func (l *Loop) slowness() (all []Slowness) {
	if !l.ledger.pace.Known() {
		return nil
	}
	at := make(space.Unit, l.config.Space.Dim())
	for i, p := range l.config.Space.Parameters() {
		if p.Fixed() {
			continue
		}
		factor := func(u float64) float64 {
			x := slices.Clone(at)
			x[i] = u
			return l.factor(x)
		}
		s := Slowness{Parameter: p.Name, Factor: factor(1) / factor(0)}
		if words := p.Words(); words != nil {
			var factors []float64
			for k := range words {
				factors = append(factors, factor(p.Unit(float64(k))))
			}
			s.Factor, s.Words = slices.Max(factors)/slices.Min(factors), true
		}
		all = append(all, s)
	}
	return all
}
