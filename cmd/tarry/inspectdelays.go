package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/figures"
	"github.com/tarry-bo/tarry/internal/survival"
	"github.com/tarry-bo/tarry/loop"
)

// delays shows what the study has learned of the time that answers take.
func (s *inspected) delays(l look, w io.Writer) error {
	r := s.loop.DelayReport()
	if l.json {
		return failure(json.NewEncoder(w).Encode(delaysOf(r)))
	}
	_, err := io.WriteString(w, s.delayText(r))
	return failure(err)
}

// silentChances are the chances of ever being heard of at which it is told how long that takes.
var silentChances = []float64{0.5, 0.05, 0.01}

func (s *inspected) delayText(r loop.DelayReport) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	c := r.Law.Count
	line("study %s: %d answered, %d failed, %d given up, %d under way", plain(s.path), c[survival.Answered], c[survival.Failed], c[survival.Censored], len(r.Silent))
	if r.Untimed > 0 {
		line("%d more say nothing of the delays: what came was left by an earlier attempt, or told while another was under way", r.Untimed)
	}
	if !r.Law.Known() {
		line("\nnothing is known of the delays before %d have been answered with a value: no query is forgotten or given up by them", survival.Least)
		s.silent(r, line)
		return b.String()
	}
	line("\nof those that are answered or fail, half have within %s, 90 %% within %s, 99 %% within %s",
		brief(r.Law.Arrival(.5, 0)), brief(r.Law.Arrival(.9, 0)), brief(r.Law.Arrival(.99, 0)))
	if r.Tried > 0 {
		line("that is since the latest attempt at a query began; those before it take %s more on average, which are part of the delay in --csv", brief(r.Tried))
	}
	line("about %s of all queries are never heard of", percent(r.Law.Lost))
	var parts []string
	for _, chance := range silentChances {
		parts = append(parts, fmt.Sprintf("%s after %s", percent(chance), beyond(r.Law.Age(chance))))
	}
	line("the chance that a silent one still is: at most %s", strings.Join(parts, ", "))
	if wait, each := r.Law.BestWait(); wait < r.Law.Arrival(.99, 0) || r.Law.Lost > .01 {
		latest := ""
		if r.Tried > 0 {
			latest = " in the latest attempt"
		}
		line("for a worker it pays best to wait %s: then an answer costs it %s%s", brief(wait), brief(each), latest)
	}
	if len(r.Families) > 0 {
		best := r.Families[0]
		line("closest law: %s", spelled(best, r.Law.Lost))
		for _, f := range r.Families[1:] {
			line("  behind it by %.1f in AIC: %s", f.AIC-best.AIC, spelled(f, r.Law.Lost))
		}
	}
	for _, p := range r.Slow {
		ends := "at its upper end as at its lower one"
		if p.Words {
			ends = "at its slowest word as at its quickest"
		}
		line("%s: answers take %s times as long %s", plain(p.Parameter), number(significant(p.Factor)), ends)
	}
	if !math.IsNaN(r.Rho) {
		line("%s", dependence(r.Rho, r.Chance))
	}
	slots(r.Slots, r.Tried, line)
	s.silent(r, line)
	return b.String()
}

// What chance hardly brings about is taken for a sign, and what it brings about seldom for a hint.
const (
	chanceOfSign = 0.01
	chanceOfHint = 0.05
)

// dependence says whether delays depend on values, by their rank correlation and the chance of one as far from zero if they do not.
func dependence(rho, chance float64) string {
	which := "good is slow: delays and values go together"
	if rho < 0 {
		which = "good is fast: delays and values go against each other"
	}
	switch {
	case chance >= chanceOfHint:
		return fmt.Sprintf("no sign that delays depend on values (rank correlation %.2f, by chance %.2g)", rho, chance)
	case chance >= chanceOfSign:
		return fmt.Sprintf("a hint, and no more, that %s (rank correlation %.2f, by chance %.2g)", which, rho, chance)
	case rho > 0:
		return fmt.Sprintf("%s (rank correlation %.2f, by chance %.2g); what is pending is better than a policy that censors takes it to be", which, rho, chance)
	}
	return fmt.Sprintf("%s (rank correlation %.2f, by chance %.2g)", which, rho, chance)
}

// silent lists what is pending.
func (s *inspected) silent(r loop.DelayReport, line func(string, ...any)) {
	if len(r.Silent) == 0 {
		return
	}
	w := table.NewWriter()
	w.SetStyle(plainTable)
	var sides []table.ColumnConfig
	for k := range 4 {
		sides = append(sides, table.ColumnConfig{Number: k + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	w.SetColumnConfigs(sides)
	w.AppendHeader(table.Row{"#", "silent for", "ever heard of", "if so, half within", ""})
	for _, q := range r.Silent {
		left, note := "?", ""
		if q.Left >= 0 {
			left = beyond(q.Left)
		}
		if q.Forgotten {
			note = "left out of the model"
		}
		w.AppendRow(table.Row{q.Number, brief(q.Age), percent(q.Chance), left, note})
	}
	line("")
	for row := range strings.SplitSeq(w.Render(), "\n") {
		line("%s", strings.TrimRight(row, " "))
	}
}

// spelled is a family as a law of delays in seconds.
func spelled(f survival.Parametric, lost float64) string {
	var law delay.Law
	p := f.Parameters
	switch f.Family {
	case survival.Exponential:
		law = delay.Exponential{Scale: significant(p[0])}
	case survival.LogNormal:
		law = delay.LogNormal{Mu: significant(p[0]), Sigma: significant(p[1])}
	default:
		law = delay.Pareto{Scale: significant(p[0]), Shape: significant(p[1])}
	}
	if lost >= 0.005 {
		law = delay.Never{P: significant(lost), Law: law}
	}
	return law.String()
}

// significant is a number with three digits.
func significant(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return short
}

func percent(share float64) string {
	switch v := 100 * share; {
	case v > 0 && v < 0.1:
		return "less than 0.1 %"
	case v < 10:
		return fmt.Sprintf("%.2g %%", v)
	default:
		return fmt.Sprintf("%.0f %%", v)
	}
}

// beyond is a time for people that may be longer than anybody waits.
func beyond(d time.Duration) string {
	if d > 10*365*24*time.Hour {
		return "more than ten years"
	}
	return brief(d)
}

// delayJSON is the form of a report in files.
type delayJSON struct {
	Known       bool          `json:"known"`
	Answered    int           `json:"answered"`
	Failed      int           `json:"failed"`
	GivenUp     int           `json:"given_up"`
	Untimed     int           `json:"untimed"`      // that say nothing of the delays: not the latest attempt brought what came
	Lost        *float64      `json:"lost"`         // share that is never heard of; null before anything is known, as are the others
	Tried       float64       `json:"tried_s"`      // how long the attempts before its latest one take a query on average
	Quantiles   []delayAt     `json:"quantiles"`    // of the delays of those that are heard of, since the latest attempt began
	SilentAfter []delayAt     `json:"silent_after"` // chance of ever being heard of, and after how long it is so small
	Curve       []curveJSON   `json:"curve"`
	Laws        []lawJSON     `json:"laws"`
	Slow        []slowJSON    `json:"slow"`
	Correlation *float64      `json:"correlation"` // rank correlation of delay and value; null before ten answers
	ByChance    *float64      `json:"by_chance"`
	Slots       *slotsJSON    `json:"slots"` // null before anything is known
	Pending     []silenceJSON `json:"pending"`
}

type delayAt struct {
	Share   float64 `json:"share"`
	Seconds float64 `json:"seconds"`
}

type curveJSON struct {
	Seconds float64 `json:"seconds"`
	Longer  float64 `json:"longer"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

type lawJSON struct {
	Law string  `json:"law"`
	AIC float64 `json:"aic"`
}

type slowJSON struct {
	Parameter string  `json:"parameter"`
	Factor    float64 `json:"factor"`
}

type silenceJSON struct {
	ID        int      `json:"id"`
	Seconds   float64  `json:"silent_s"`
	Chance    float64  `json:"chance"`
	Left      *float64 `json:"half_within_s"` // null before anything is known
	Forgotten bool     `json:"forgotten"`
}

func delaysOf(r loop.DelayReport) delayJSON {
	c := r.Law.Count
	out := delayJSON{
		Known: r.Law.Known(), Answered: c[survival.Answered], Failed: c[survival.Failed], GivenUp: c[survival.Censored], Untimed: r.Untimed, Tried: r.Tried.Seconds(),
		Quantiles: []delayAt{}, SilentAfter: []delayAt{}, Curve: []curveJSON{}, Laws: []lawJSON{}, Slow: []slowJSON{}, Pending: []silenceJSON{},
	}
	if out.Known {
		out.Lost = &r.Law.Lost
		for _, share := range []float64{.1, .5, .9, .99} {
			out.Quantiles = append(out.Quantiles, delayAt{share, r.Law.Arrival(share, 0).Seconds()})
		}
		for _, chance := range silentChances {
			out.SilentAfter = append(out.SilentAfter, delayAt{chance, r.Law.Age(chance).Seconds()})
		}
	}
	for _, p := range r.Curve {
		out.Curve = append(out.Curve, curveJSON{p.At.Seconds(), p.Longer, p.Low, p.High})
	}
	for _, f := range r.Families {
		out.Laws = append(out.Laws, lawJSON{spelled(f, r.Law.Lost), f.AIC})
	}
	for _, p := range r.Slow {
		out.Slow = append(out.Slow, slowJSON{p.Parameter, p.Factor})
	}
	if !math.IsNaN(r.Rho) {
		out.Correlation, out.ByChance = &r.Rho, &r.Chance
	}
	out.Slots = slotsOf(r.Slots)
	for _, q := range r.Silent {
		s := silenceJSON{q.Number, q.Age.Seconds(), q.Chance, nil, q.Forgotten}
		if q.Left >= 0 {
			left := q.Left.Seconds()
			s.Left = &left
		}
		out.Pending = append(out.Pending, s)
	}
	return out
}

// survivalFigure is the picture of the delays that have been learned.
func (s *inspected) survivalFigure() figures.Survival {
	return figures.Survival{Name: s.figures().Name, Note: s.conditions(), Policy: s.loop.Config().Traits.Name, Report: s.loop.DelayReport()}
}
