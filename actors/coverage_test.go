package actors

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// prophet drives a study whose policy says of every value that it is N(0, 1) and issues the set of those within 1.0364.
type prophet struct {
	t       *testing.T
	d       *Driver
	ask     int // the open one
	notices []Notice
}

func newProphet(t *testing.T, c Config) *prophet {
	t.Helper()
	p := &prophet{t: t}
	c.OnEvent = func(n Notice) { p.notices = append(p.notices, n) }
	var err error
	if p.d, err = NewDriver(c); err != nil {
		t.Fatal(err)
	}
	if c.Resume {
		p.step(loop.Resumed{})
	}
	p.step(loop.WorkerJoined{Worker: 1, Slots: 20})
	return p
}

func (p *prophet) step(e loop.Event) Notice {
	p.t.Helper()
	reaction, err := p.d.Step(time.Duration(len(p.notices))*time.Second, e)
	if err == nil {
		err = p.d.Sync()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for _, effect := range reaction.Effects {
		if a, ok := effect.(loop.Ask); ok {
			p.ask = a.ID
		}
	}
	return p.notices[len(p.notices)-1]
}

// query returns the number of the next one.
func (p *prophet) query(target float64) int {
	p.t.Helper()
	number := len(p.d.Loop().Evaluations()) + 1
	f := &policies.Forecast{Stddev: 1, Scale: 1, Target: target, Threshold: 0.3}
	p.step(loop.Proposed{Ask: p.ask, Proposals: []policies.Proposal{{X: []float64{float64(number) / 50, 0.5}, Forecast: f}}})
	return number
}

func (p *prophet) tell(number int, value float64) Notice {
	p.t.Helper()
	return p.step(loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(value)})
}

func TestNoticesAndLinesSayHowTheForecastsDo(t *testing.T) {
	p := newProphet(t, plot(t, 20))
	says := func(n Notice, want loop.Coverage, fields string) {
		t.Helper()
		if n.Coverage != want {
			t.Errorf("coverage %v of %d, %d sets; want %v of %d, %d sets", n.Coverage, n.Coverage.Judged, n.Coverage.Issued, want, want.Judged, want.Issued)
		}
		var own []string
		for _, word := range strings.Fields(spoken(n)) {
			if strings.HasPrefix(word, "central=") || strings.HasPrefix(word, "held=") {
				own = append(own, word)
			}
		}
		if got := strings.Join(own, " "); got != fields {
			t.Errorf("the line has %q, want %q", got, fields)
		}
	}
	says(p.tell(1, 9), loop.Coverage{}, "") // of the initial design: without a forecast
	a, b, c := p.query(0), p.query(0.8), p.query(0.8)
	says(p.tell(a, 5), loop.Coverage{Judged: 1}, "central=0")
	says(p.tell(b, 1), loop.Coverage{Judged: 2, Central: 1, Issued: 1, Held: 1, Target: 0.8}, "central=0.5 held=1")
	says(p.tell(b, 2), loop.Coverage{Judged: 2, Central: 1, Issued: 1, Held: 1, Target: 0.8}, "") // contradictory
	says(p.tell(c, 1.1), loop.Coverage{Judged: 3, Central: 2, Issued: 2, Held: 1, Target: 0.8}, "central=0.6666666666666666 held=0.5")
	says(p.step(loop.Woke{}), loop.Coverage{Judged: 3, Central: 2, Issued: 2, Held: 1, Target: 0.8}, "")
}

// Counters count what was judged since the study was resumed: those of the process before are with its provider.
func TestMetricsCountForecastsAndSets(t *testing.T) {
	store := &journal.Memory{}
	c := plot(t, 20)
	m := newCollector()
	c.Name, c.Meter, c.Journal = "seer", m, store
	p := newProphet(t, c)
	m.expect(t, "before any value", map[string]float64{"tarry.forecasts{study=seer,value=central}": math.NaN(), "tarry.forecast.sets{study=seer,value=held}": math.NaN()})
	a, b, d, late := p.query(0), p.query(0.8), p.query(0.8), p.query(0.8)
	p.tell(1, 9)
	p.tell(a, 5)
	p.tell(b, 1)
	p.tell(b, 1)
	p.tell(d, 1.1)
	p.step(loop.CancelRequested{Evaluation: late})
	m.expect(t, "after three values", map[string]float64{
		"tarry.forecasts{study=seer,value=central}":    2,
		"tarry.forecasts{study=seer,value=outside}":    1,
		"tarry.forecast.sets{study=seer,value=held}":   1,
		"tarry.forecast.sets{study=seer,value=missed}": 1,
	})
	p.d.Close()

	c.Meter, c.Resume = newCollector(), true
	p = newProphet(t, c)
	if n := p.tell(late, 0); n.Reaction.Fate != loop.FateLate || n.Coverage != (loop.Coverage{Judged: 4, Central: 3, Issued: 3, Held: 2, Target: 0.8}) {
		t.Errorf("%v, %v of %d", n.Reaction.Fate, n.Coverage, n.Coverage.Judged)
	}
	c.Meter.(collector).expect(t, "after a late value of the study that was resumed", map[string]float64{
		"tarry.forecasts{study=seer,value=central}":    1,
		"tarry.forecasts{study=seer,value=outside}":    math.NaN(),
		"tarry.forecast.sets{study=seer,value=held}":   1,
		"tarry.forecast.sets{study=seer,value=missed}": math.NaN(),
	})
	p.d.Close()
}
