package survival

import "time"

// Slot is what becomes of the time of a slot, a worker or a place among the queries that may pend, that holds one query after another, each until it is
// heard of and at most for some time. Slots do not wait for each other: so many have as many times the answers.
type Slot struct {
	Wait  time.Duration // how long a query holds the slot at most
	Held  time.Duration // and on average
	Heard float64       // chance that a query is heard of by then
	Idle  float64       // share of the time that goes to queries that are never heard of
}

// Every returns how much time of a slot an answer costs on average (the renewal-reward theorem).
func (s Slot) Every() time.Duration { return duration(s.Held.Seconds() / s.Heard) }

// Slot returns what becomes of the time of a slot where a query holds it no longer than a wait > 0; false where nothing is known. Cost O(1).
func (l Law) Slot(wait time.Duration) (Slot, bool) {
	if !l.Known() || wait <= 0 {
		return Slot{}, false
	}
	most, before, held := wait.Seconds(), 0.0, 0.0
	for k := 0; k <= patienceSteps && before < most; k++ { // of those that are heard of so many are longer than before
		longer, t := 1-float64(k)/(patienceSteps+1), most
		if k < patienceSteps {
			t = min(l.when(1-float64(k+1)/(patienceSteps+1)), most)
		}
		held += (t - before) * longer
		before = t
	}
	s := Slot{Wait: wait, Heard: (1 - l.Lost) * (1 - l.longer(most))}
	seconds := (1-l.Lost)*held + l.Lost*most
	s.Held, s.Idle = duration(seconds), l.Lost*most/seconds
	return s, s.Heard > 0
}
