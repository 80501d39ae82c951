package loop

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/tarry-bo/tarry/policies"
)

// Coverage is how the forecasts that were issued with queries did, judged by the values that came, late ones included,
// imputed ones never, and none that the latest fit takes for a penalty, which is a failure of its point. Every value is judged once, by what was said when its query
// was chosen, or the one that this repeats since it was lost.
type Coverage struct {
	Judged  int     // values that had a forecast, all of whose numbers are finite
	Central int     // of them in the central 80 % of the model's own prediction
	Issued  int     // of them those whose policy issued a set, or recalibrated quantiles
	Held    int     // of these in that set, or between the outermost of those quantiles
	Target  float64 // share that these shall hold, that of the last one judged; 0 without any
}

// CentralShare returns the share of values in the central 80 % of their predictions, NaN before any was judged.
func (c Coverage) CentralShare() float64 { return float64(c.Central) / float64(c.Judged) }

// HeldShare returns the share of values in the sets that were issued for them, NaN before any was judged.
func (c Coverage) HeldShare() float64 { return float64(c.Held) / float64(c.Issued) }

// String returns the shares in words.
func (c Coverage) String() string {
	if c.Judged == 0 {
		return "no forecast judged yet"
	}
	values := "values"
	if c.Judged == 1 {
		values = "value"
	}
	text := fmt.Sprintf("%.0f %% of %d %s in the central %.0f %%", 100*c.CentralShare(), c.Judged, values, 100*policies.CentralMass)
	if c.Issued > 0 {
		text += fmt.Sprintf("; calibrated sets held %.0f %% of %d, want %.4g %%", 100*c.HeldShare(), c.Issued, 100*c.Target)
	}
	return text
}

// MarshalJSON writes the counts and the shares: {"judged", "central", "central_share", "issued", "held", "held_share",
// "target"}. Shares and a target that there are none of are null.
func (c Coverage) MarshalJSON() ([]byte, error) {
	share := func(v float64, known bool) *float64 {
		if !known {
			return nil
		}
		return &v
	}
	return json.Marshal(struct {
		Judged       int      `json:"judged"`
		Central      int      `json:"central"`
		CentralShare *float64 `json:"central_share"`
		Issued       int      `json:"issued"`
		Held         int      `json:"held"`
		HeldShare    *float64 `json:"held_share"`
		Target       *float64 `json:"target"`
	}{
		c.Judged, c.Central, share(c.CentralShare(), c.Judged > 0),
		c.Issued, c.Held, share(c.HeldShare(), c.Issued > 0), share(c.Target, c.Issued > 0),
	})
}

// add counts a forecast that was judged.
func (c *Coverage) add(j Judgment) {
	c.Judged++
	c.Central += bit(j.Central)
	c.Issued += bit(j.Target > 0)
	c.Held += bit(j.Held)
	if j.Target > 0 {
		c.Target = j.Target
	}
}

// addAny counts a forecast that was judged, so that in whatever order those are they give the same: the greatest target.
func (c *Coverage) addAny(j Judgment) {
	target := max(c.Target, j.Target)
	c.add(j)
	c.Target = target
}

// Judgment is how the forecast of one evaluation did.
type Judgment struct {
	Central bool    // the value is in the central 80 % of the model's own prediction
	Held    bool    // it is in the set that was issued, or between the outermost quantiles
	Target  float64 // share of values that these shall hold; 0 where none were issued
}

// Coverage returns how the forecasts did so far. Cost O(1), and O(n) where the latest fit takes values for penalties.
func (l *Loop) Coverage() Coverage {
	c := l.allJudged()
	if l.penal() {
		c = c.plus(l.ofPenalties(), -1)
	}
	if c.Issued == 0 {
		c.Target = 0
	}
	return c
}

// allJudged is Coverage with the penalties.
func (l *Loop) allJudged() Coverage {
	c := l.coverage.plus(l.repeats, 1)
	c.Target = cmp.Or(l.coverage.Target, l.repeats.Target)
	return c
}

// plus adds counts of another coverage, so many times.
func (c Coverage) plus(o Coverage, times int) Coverage {
	c.Judged, c.Central, c.Issued, c.Held = c.Judged+times*o.Judged, c.Central+times*o.Central, c.Issued+times*o.Issued, c.Held+times*o.Held
	return c
}

// ofPenalties is what the values count for that the latest fit takes for penalties. Not all of them were known for that when they came. Cost O(n).
func (l *Loop) ofPenalties() (c Coverage) {
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if !l.penalized(e) {
			continue
		}
		if j, judged := l.judgment(e); judged {
			c.addAny(j)
		}
	}
	return c
}

// Foretold returns the forecast of an evaluation: that of its query, or of the lost one that it repeats. Nil where there is none.
func (l *Loop) Foretold(e *Evaluation) *policies.Forecast {
	if e.AgainOf > 0 {
		return l.ledger.get(e.AgainOf).Forecast
	}
	return e.Forecast
}

// Judgment returns how the forecast of an evaluation did, and false where there is none, where one of its numbers is not
// finite, where no value has come that counts, or where the latest fit takes it for a penalty.
func (l *Loop) Judgment(number int) (Judgment, bool) {
	e := l.ledger.get(number)
	if e == nil || l.penalized(e) {
		return Judgment{}, false
	}
	return l.judgment(e)
}

// judgment is Judgment whatever the latest fit says, which the next may not.
func (l *Loop) judgment(e *Evaluation) (Judgment, bool) {
	if !l.remembers(e) {
		return Judgment{}, false
	}
	f, value := l.Foretold(e), l.config.Sense().Sign()*e.Value
	if f == nil || !f.Sound() {
		return Judgment{}, false
	}
	return Judgment{Central: f.Central(value), Held: f.Holds(value), Target: f.Wanted()}, true
}

// judge counts how the forecast of an evaluation did whose value has come, penalties among them, and says so of others. Those of repeats are counted apart, and bring no fit forward: what older
// programs wrote must be the same states when it is played again, and there they had none.
func (l *Loop) judge(e *Evaluation) {
	j, judged := l.judgment(e)
	switch {
	case !judged:
		return
	case e.AgainOf > 0:
		l.repeats.addAny(j)
	default:
		l.coverage.add(j)
		l.startle(e)
	}
	if !l.penalized(e) {
		l.reaction.Judged, l.reaction.Judgment = true, j
	}
}

// covered reports whether the coverage is what the evaluations say, and its target one that was issued.
func (l *Loop) covered() bool {
	var c Coverage
	issued := l.coverage.Issued == 0 && l.coverage.Target == 0
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if j, judged := l.judgment(e); judged && e.AgainOf == 0 {
			c.add(j)
			issued = issued || j.Target > 0 && j.Target == l.coverage.Target
		}
	}
	c.Target = l.coverage.Target // which was the last is not known any more
	return issued && c == l.coverage
}
