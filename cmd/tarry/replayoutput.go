package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/vbauerster/mpb/v8/cwriter"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// otherText writes for people.
type otherText struct{ w io.Writer }

func (t *otherText) other(o hindsight.Other) error {
	came := "no value came (" + o.Status + ")"
	switch {
	case o.Value != nil && o.Status == loop.Infeasible.String():
		came = numeral(*o.Value) + " (infeasible) came"
	case o.Value != nil:
		came = numeral(*o.Value) + " came"
	case o.Status == loop.Pending.String():
		came = "no value yet"
	}
	expected := func(mean, stddev hindsight.Number) string {
		if !mean.Finite() {
			return "no forecast"
		}
		return spread(mean, stddev) + " expected"
	}
	if o.Would == nil {
		_, err := fmt.Fprintf(t.w, "#%d  %s: %s; it would have failed: %s\n", o.Evaluation, plain(o.Chosen.String()), came, plain(o.Failure))
		return err
	}
	_, err := fmt.Fprintf(t.w, "#%d  %s: %s, %s\n    %s: %s; %.2g away\n", o.Evaluation,
		plain(o.Chosen.String()), expected(o.ChosenMean, o.ChosenStddev), came, plain(o.Would.String()), expected(o.WouldMean, o.WouldStddev), float64(o.Distance))
	return err
}

func (t *otherText) end(s hindsight.Summary) error {
	line := func(format string, args ...any) error {
		_, err := fmt.Fprintf(t.w, format+"\n", args...)
		return err
	}
	if s.Different > 0 {
		if err := line(""); err != nil {
			return err
		}
	}
	err := line("policy %s, in a study of %s: %d of %d queries differ", s.Policy, s.Recorded, s.Different, s.Asked)
	if s.Failed > 0 && err == nil {
		err = line("for %d of them it would have failed", s.Failed)
	}
	if s.Median.Finite() && err == nil {
		err = line("median distance %.2g in the unit cube", float64(s.Median))
	}
	if s.Gain.Finite() && err == nil {
		word := "more"
		if s.Gain < 0 {
			word = "less"
		}
		err = line("there it expected %.3g %s of its own points than of the chosen ones, on average", math.Abs(float64(s.Gain)), word)
	}
	if s.Less > 0 && err == nil {
		err = line("for %d of them it had seen less than the policy of the study, which waited for a fit", s.Less)
	}
	for _, f := range []struct {
		whose string
		hindsight.Score
	}{{s.Policy, s.Own}, {"the study", s.Theirs}} {
		if f.Judged > 0 && err == nil {
			err = line("forecasts of %s at the chosen points: rmse %s, %.0f %% of %d values in the central 80 %%, mean log loss %s",
				f.whose, rounded(f.RMSE), 100*float64(f.Central), f.Judged, rounded(f.Log))
		}
	}
	if s.Apart != "" && err == nil {
		err = line("the comparison ended early: %s", s.Apart)
	}
	return err
}

// rounded is a number of three digits; a dash where it is beyond all numbers.
func rounded(n hindsight.Number) string {
	if !n.Finite() {
		return "–"
	}
	return fmt.Sprintf("%.3g", float64(n))
}

// otherJSON keeps everything until the end.
type otherJSON struct {
	w       io.Writer
	Summary hindsight.Summary `json:"summary"`
	Queries []hindsight.Other `json:"queries"`
}

func (j *otherJSON) other(o hindsight.Other) error {
	j.Queries = append(j.Queries, o)
	return nil
}

func (j *otherJSON) end(s hindsight.Summary) error {
	j.Summary = s
	out := json.NewEncoder(j.w)
	out.SetEscapeHTML(false) // a user may read this
	out.SetIndent("", "  ")
	return out.Encode(j)
}

// otherCSV writes a line for each query.
type otherCSV struct {
	w     *csv.Writer
	space space.Space
	begun bool
}

func newOtherCSV(store *sqlite.Store, w io.Writer) *otherCSV {
	h, _ := store.Header() // Compare says what is wrong with it
	return &otherCSV{w: csv.NewWriter(w), space: h.Config.Space}
}

// head writes the names of the columns once.
func (c *otherCSV) head() error {
	if c.begun {
		return nil
	}
	c.begun = true
	names := []string{"id", "status", "value", "distance", "chosen_mean", "chosen_sd", "would_mean", "would_sd", "failure"}
	for _, whose := range []string{"chosen.", "would."} {
		for _, p := range c.space.Parameters() {
			names = append(names, whose+p.Name)
		}
	}
	return c.w.Write(names)
}

func (c *otherCSV) other(o hindsight.Other) error {
	if err := c.head(); err != nil {
		return err
	}
	cell := func(n *hindsight.Number) string {
		if n == nil {
			return ""
		}
		return finite(*n)
	}
	row := []string{strconv.Itoa(o.Evaluation), o.Status, cell(o.Value), cell(&o.Distance), cell(&o.ChosenMean), cell(&o.ChosenStddev), cell(&o.WouldMean), cell(&o.WouldStddev), inert(o.Failure)}
	would := make([]string, c.space.Dim())
	if o.Would != nil {
		would = coordinates(*o.Would)
	}
	return c.w.Write(slices.Concat(row, coordinates(o.Chosen), would))
}

func (c *otherCSV) end(hindsight.Summary) error {
	if err := c.head(); err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

// passage says how far a long comparison has come: on a terminal in one line that is drawn over itself, elsewhere now and then.
type passage struct {
	w        io.Writer
	terminal bool
	begun    time.Time
	next     time.Duration
}

func newPassage(w io.Writer) *passage {
	f, is := w.(*os.File)
	p := &passage{w: w, begun: time.Now(), next: 30 * time.Second, terminal: is && os.Getenv("TERM") != "dumb" && cwriter.IsTerminal(int(f.Fd()))}
	if p.terminal {
		p.next = 2 * time.Second
	}
	return p
}

// at says which evaluation is looked at, if it is time to.
func (p *passage) at(evaluation, all int) {
	since := time.Since(p.begun)
	if since < p.next {
		return
	}
	if p.terminal {
		fmt.Fprintf(p.w, "\revaluation %d of %d", evaluation, all)
		p.next = since + 250*time.Millisecond
		return
	}
	fmt.Fprintf(p.w, "evaluation %d of %d after %s\n", evaluation, all, brief(since))
	p.next = since + 30*time.Second
}

// end clears the line.
func (p *passage) end() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
