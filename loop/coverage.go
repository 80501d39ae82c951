package loop

import (
	"encoding/json"
	"fmt"

	"github.com/tarry-bo/tarry/policies"
)

// Coverage is how the forecasts that were issued with queries did, judged by the values that came, late ones included,
// imputed ones never. Every value is judged once, by what was said when its query was chosen.
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

// Judgment is how the forecast of one evaluation did.
type Judgment struct {
	Central bool    // the value is in the central 80 % of the model's own prediction
	Held    bool    // it is in the set that was issued, or between the outermost quantiles
	Target  float64 // share of values that these shall hold; 0 where none were issued
}

// Coverage returns how the forecasts did so far.
func (l *Loop) Coverage() Coverage { return l.coverage }

// Judgment returns how the forecast of an evaluation did, and false where there is none, where one of its numbers is not
// finite, or where no value has come that counts.
func (l *Loop) Judgment(number int) (Judgment, bool) {
	e := l.ledger.get(number)
	if e == nil || e.Forecast == nil || !l.remembers(e) || !e.Forecast.Sound() {
		return Judgment{}, false
	}
	f, value := e.Forecast, l.config.Sense().Sign()*e.Value
	return Judgment{Central: f.Central(value), Held: f.Holds(value), Target: f.Wanted()}, true
}

// covered reports whether the coverage is what the evaluations say, and its target one that was issued.
func (l *Loop) covered() bool {
	var c Coverage
	issued := l.coverage.Issued == 0 && l.coverage.Target == 0
	for number := 1; number <= len(l.ledger.evaluations); number++ {
		if j, judged := l.Judgment(number); judged {
			c.add(j)
			issued = issued || j.Target > 0 && j.Target == l.coverage.Target
		}
	}
	c.Target = l.coverage.Target // which was the last is not known any more
	return issued && c == l.coverage
}
