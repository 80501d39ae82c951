package survival_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
)

// Slots are followed from query to query, through delays drawn from the law's own quantiles: what they are found to do is what is said of them.
func TestTheTimeOfASlotIsThatOfManyQueries(t *testing.T) {
	var h survival.History
	stream := rand.New(rand.NewPCG(1, 2))
	var ages []time.Duration
	for range 3000 {
		if stream.Float64() < 0.3 {
			ages = append(ages, time.Hour)
			continue
		}
		h.Add(survival.Answered, time.Duration((5+10*stream.ExpFloat64())*float64(time.Second)))
	}
	law := h.Law(ages)
	for _, wait := range []time.Duration{6 * time.Second, 20 * time.Second, time.Minute, 10 * time.Minute} {
		got, ok := law.Slot(wait)
		var held, idle, heard float64
		const queries = 200_000
		for range queries {
			lost := stream.Float64() < 0.3
			d := 5 + 10*stream.ExpFloat64()
			if lost || d > wait.Seconds() {
				d = wait.Seconds()
			} else {
				heard++
			}
			held += d
			if lost {
				idle += d
			}
		}
		if want := held / queries; !ok || math.Abs(got.Held.Seconds()/want-1) > 0.04 {
			t.Errorf("up to %v: held for %v, want %.4g s", wait, got.Held, want)
		}
		if want := heard / queries; math.Abs(got.Heard-want) > 0.03 {
			t.Errorf("up to %v: heard of with %v, want %v", wait, got.Heard, want)
		}
		if want := idle / held; math.Abs(got.Idle-want) > 0.03 {
			t.Errorf("up to %v: idle for %v, want %v", wait, got.Idle, want)
		}
	}
	best, each := law.BestWait()
	at, _ := law.Slot(best)
	if math.Abs(at.Every().Seconds()/each.Seconds()-1) > 0.01 {
		t.Errorf("at the best wait %v an answer costs %v, and %v", best, at.Every(), each)
	}
	for _, other := range []time.Duration{best / 2, 2 * best} {
		if s, ok := law.Slot(other); ok && s.Every() < each {
			t.Errorf("at %v an answer costs %v, at the best wait %v %v", other, s.Every(), best, each)
		}
	}
}

func TestOfASlotNothingIsKnownWithoutALaw(t *testing.T) {
	if s, ok := (survival.Law{}).Slot(time.Second); ok {
		t.Errorf("%+v", s)
	}
	var h survival.History
	for range 10 {
		h.Add(survival.Answered, time.Second)
	}
	if s, ok := h.Law(nil).Slot(time.Millisecond); ok {
		t.Errorf("nothing comes as early: %+v", s)
	}
}
