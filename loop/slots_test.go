package loop

import (
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/survival"
)

// Two slots are never without a query, each answer takes about two seconds of one, and query 3 holds the third of the three that are under way.
func TestSlotsAreCountedAndTheirTimeIsKnown(t *testing.T) {
	m := silent(t, 30, func(*Config) {})
	s := m.l.DelayReport().Slots
	if s == nil || s.Configured || s.Busiest != 2 || s.Rest != m.l.Config().Budget-m.l.Spent() {
		t.Fatalf("%+v", s)
	}
	// One answer about each second, from the slot that query 3 does not hold.
	if s.Held < 900*time.Millisecond || s.Held > 3*time.Second || s.Heard < 0.5 || s.Idle <= 0 || s.Idle > 0.3 {
		t.Errorf("%+v", s)
	}
	if none := silent(t, survival.Least-1, func(*Config) {}).l.DelayReport().Slots; none != nil {
		t.Errorf("before anything is known: %+v", none)
	}
}

func TestAQueryHoldsASlotNoLongerThanTheOptionsLetIt(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*Config)
		want   func(survival.Law) time.Duration
	}{
		"timeout": {func(c *Config) { c.Timeout = 5 * time.Second }, func(survival.Law) time.Duration { return 5 * time.Second }},
		"lease before timeout": {func(c *Config) { c.Lease, c.Timeout = 3*time.Second, 5*time.Second },
			func(survival.Law) time.Duration { return 3 * time.Second }},
		"given up": {func(c *Config) { c.GiveUp, c.Timeout = 0.05, time.Hour }, func(l survival.Law) time.Duration { return l.Age(0.05) }},
	} {
		r := silent(t, 20, test.change).l.DelayReport()
		if want := test.want(r.Law); r.Slots == nil || !r.Slots.Configured || r.Slots.Wait != want {
			t.Errorf("%s: %+v, want a wait of %v", name, r.Slots, want)
		}
	}
}
