package survival

import (
	"math"
	"slices"
	"time"
)

// The law of a delay is a mixture: with probability Lost no answer ever comes; otherwise the delay has a distribution of its own. What
// is pending may be either, and is split between them by the chance of each, again and again until nothing changes (EM; Sy & Taylor
// 2000). Of the distribution the body is that of Kaplan & Meier. The tail is that of the longest quarter of the delays: beyond its
// beginning the logarithm of a delay is exponential, with the rate of Hill (1975), about which a Gamma prior knows as much as one
// delay does; the rate is integrated out. So what is beyond all that was seen has a chance that falls with the age, slowly after few
// answers and soon after many that are alike.
const (
	Least     = 5    // answers with a value before anything is known
	tailShare = 4    // the tail is that of a quarter of the delays,
	tailLeast = 5    // or of five of them
	priorRate = 1    // delays that the prior of the tail is worth,
	priorLog  = 0.25 // and the sum of their logarithms over the beginning of the tail
	lostShare = 0.1  // queries never answered, and
	lostWorth = 2    // queries in all, that the prior of Lost is worth
	mostSteps = 200  // of the iteration, at most
	settled   = 1e-6 // change of Lost in a step below which it ends
)

// Law is what a History says of a query's delay. The zero Law knows nothing.
type Law struct {
	Count [3]int // of finished waits, by Exit
	Lost  float64

	steps []step  // of the body, in the order of time: before from
	from  float64 // where the tail begins, in seconds
	above float64 // chance that a delay reaches it
	rate  float64 // of the tail: (1 + ln(t/from)/log)^−rate
	log   float64
}

// step is where the chance that a delay is longer falls to.
type step struct{ at, above float64 }

// Known reports whether there are enough answers to say anything. Failures are delays like others, but alone say nothing: what fails may do so
// at once, and what runs longer would be hardly expected any more.
func (l Law) Known() bool { return l.Count[Answered] >= Least }

// longer is the chance that the delay of an answer that comes is longer than t seconds.
func (l Law) longer(t float64) float64 {
	switch {
	case t >= l.from:
		return l.above * l.beyond(math.Log(t/l.from))
	}
	i, found := slices.BinarySearchFunc(l.steps, t, func(s step, t float64) int {
		switch {
		case s.at < t:
			return -1
		case s.at > t:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	if i < 0 {
		return 1
	}
	return l.steps[i].above
}

// when is the inverse of longer: the least t of which it is at most so much, in (0, 1).
func (l Law) when(above float64) float64 {
	above = min(above, 1)
	if above <= l.above || len(l.steps) == 0 {
		return l.from * math.Exp(l.log*(math.Pow(min(above/l.above, 1), -1/l.rate)-1))
	}
	i, _ := slices.BinarySearchFunc(l.steps, above, func(s step, above float64) int {
		if s.above > above {
			return -1
		}
		return 1
	})
	return l.steps[min(i, len(l.steps)-1)].at
}

// beyond is the chance that a delay in the tail is longer, by the logarithm of how much longer than its beginning.
func (l *Law) beyond(log float64) float64 { return math.Exp(-l.rate * math.Log1p(log/l.log)) }

// returning is the chance that an answer comes when that of a delay being longer has fallen so low.
func (l *Law) returning(longer float64) float64 {
	s := (1 - l.Lost) * longer
	if s == 0 {
		return 0
	}
	return s / (l.Lost + s)
}

// Longer returns the chance that a query has neither answered nor failed after a time, lost ones included; 1 where nothing is known.
func (l Law) Longer(after time.Duration) float64 {
	if !l.Known() {
		return 1
	}
	return l.Lost + (1-l.Lost)*l.longer(after.Seconds())
}

// Returns returns the chance that a query which has been pending for so long is ever heard of, with a value or a failure; 1 where
// nothing is known. It falls with the age.
func (l Law) Returns(age time.Duration) float64 {
	if !l.Known() {
		return 1
	}
	return l.returning(l.longer(age.Seconds()))
}

// Age returns the least age at which Returns is at most a chance in (0, 1), and by which half of the answers that come at all have come:
// where nearly everything is lost nobody would wait for the rest otherwise. It is 146 years where nothing is known.
func (l Law) Age(chance float64) time.Duration {
	if !l.Known() {
		return forever
	}
	above := chance / (1 - chance) * l.Lost / (1 - l.Lost)
	return duration(l.when(min(above, 0.5))) + 1
}

// Arrival returns at which age a share in (0, 1) of the queries that are heard of at all, and have been pending for so long, have been
// heard of: .5 is the median. It is 146 years where nothing is known.
func (l Law) Arrival(share float64, age time.Duration) time.Duration {
	if !l.Known() {
		return forever
	}
	return max(duration(l.when((1-share)*l.longer(age.Seconds()))), age)
}

// forever is the longest time that is spoken of.
const forever = time.Duration(1 << 62)

func duration(seconds float64) time.Duration {
	if !(seconds < forever.Seconds()) {
		return forever
	}
	return time.Duration(seconds * float64(time.Second))
}

// BestWait returns how long it pays to wait for an answer where whoever waits could ask something else meanwhile, and how much waiting each
// answer then costs: of all times the one with the least wait for each answer that comes (the renewal-reward theorem). Where nothing is lost
// and no delay is out of the common it may be very long. It is 146 years, at no cost, where nothing is known.
func (l Law) BestWait() (wait, each time.Duration) {
	if !l.Known() {
		return forever, 0
	}
	best, at := math.Inf(1), 0.0
	waited, before := 0.0, 0.0
	for k := 1; k <= patienceSteps; k++ {
		t := l.when(1 - float64(k)/(patienceSteps+1))
		if t <= before {
			continue
		}
		waited += (t - before) * (l.Lost + (1-l.Lost)*(1-float64(k-1)/(patienceSteps+1)))
		before = t
		if cost := waited / ((1 - l.Lost) * float64(k) / (patienceSteps + 1)); cost < best {
			best, at = cost, t
		}
	}
	return duration(at), duration(best)
}

// patienceSteps are the quantiles of the delays among which the best time to wait is looked for.
const patienceSteps = 999
