package claims

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Options says what is measured.
type Options struct {
	Root     string         // of the module
	Only     *regexp.Regexp // found in file:line or in the command; nil: all
	Slow     bool           // also what takes longer than Slow
	Data     string         // folder with the data of experiments; empty: what reads some is skipped
	Progress io.Writer      // what commands say meanwhile; nil: nothing
}

// Slow is the longest time of a claim that is measured without being asked for.
const Slow = 10 * time.Minute

// Finding is one figure as it stands and as it was measured.
type Finding struct {
	Line             int
	What             string
	Stands, Measured string
	Speed            float64 // factor that is allowed; 0: none
	Agrees           bool
	Err              error // nothing was found in its place

	column int // of the table, from 0; 0: it stands among words
}

// Result is a claim that was measured, or why it was not.
type Result struct {
	Claim    Claim
	Skipped  string // why; empty: it was not
	Err      error  // of its command
	Took     time.Duration
	Findings []Finding
}

// Where names the claim by file and line.
func (c Claim) Where() string { return fmt.Sprintf("%s:%d", c.File, c.First) }

// Conclusions are the lines with further figures in the words of the claim: somebody drew them from its tables.
func (c Claim) Conclusions() []int { return c.numbered }

// Wanted reports whether a claim is one of those that were asked for.
func (o Options) Wanted(c Claim) bool {
	return o.Only == nil || o.Only.MatchString(c.Where()) || o.Only.MatchString(c.Run)
}

// NotAsked is the reason why a claim is skipped that was not wanted.
const NotAsked = "not asked for"

// Reason says why a claim is skipped; empty: it is not.
func (o Options) Reason(c Claim) string {
	switch {
	case !o.Wanted(c):
		return NotAsked
	case c.Takes > Slow && !o.Slow:
		return fmt.Sprintf("takes %v", short(c.Takes))
	case c.Data != "" && o.Data == "":
		return "needs " + c.Data
	}
	return ""
}

// short is a duration without zeros at its end.
func short(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len(zero)+1]
		}
	}
	return text
}

// Measure measures claims and tells each result as soon as it is there. It ends early with the error of the context.
func Measure(ctx context.Context, all []Claim, o Options, tell func(Result)) error {
	b := &bench{root: o.Root, data: o.Data, progress: o.Progress, printed: map[string]string{}}
	defer b.close()
	return b.measure(ctx, all, o, tell)
}

func (b *bench) measure(ctx context.Context, all []Claim, o Options, tell func(Result)) error {
	for _, c := range all {
		r := Result{Claim: c, Skipped: o.Reason(c)}
		if r.Skipped == "" {
			var printed output
			printed, r.Took, r.Err = b.run(ctx, c)
			if err := ctx.Err(); err != nil {
				return err
			}
			if r.Err == nil {
				r.Findings = c.compare(printed)
			}
		}
		tell(r)
	}
	return ctx.Err()
}

// Differs reports whether a figure that depends on nothing but a seed is another one, or could not be measured.
func (r Result) Differs() bool {
	for _, f := range r.Findings {
		if f.Err != nil || !f.Agrees && f.Speed == 0 {
			return true
		}
	}
	return r.Err != nil
}

// compare finds all figures of a claim in what its command printed.
func (c Claim) compare(o output) (all []Finding) {
	for i, t := range c.tables {
		var places []string
		if i < len(c.Tables) {
			places = c.Tables[i]
		}
		for k, row := range t.Rows {
			for j, cell := range row {
				if _, err := parseFigure(cell); j == 0 || err != nil || j >= len(t.Head) {
					continue
				}
				place := t.Head[j]
				switch {
				case len(places) == 1:
					place = places[0]
				case len(places) > 1:
					place = places[j-1]
				}
				place = strings.ReplaceAll(place, "{head}", t.Head[j])
				if place == none {
					continue
				}
				f := Finding{Line: t.line + 2 + k, What: strings.Trim(row[0]+", "+t.Head[j], ", "), Stands: cell, Speed: c.Speed, column: j}
				place, exact := strings.CutPrefix(place, "= ")
				if exact {
					f.Speed = 0
				}
				all = append(all, f.found(o.at(o.whole(place, t.Caption), row)))
			}
		}
	}
	for _, s := range c.Figures {
		stands, _ := c.standing(s.Words) // that it stands there was looked after when the claim was read
		place, exact := strings.CutPrefix(s.Place, "= ")
		f := Finding{Line: c.First, What: s.Words, Stands: stands, Speed: c.Speed}
		if exact {
			f.Speed = 0
		}
		all = append(all, f.found(o.at(place, nil)))
	}
	return all
}

// found completes a finding.
func (f Finding) found(measured string, err error) Finding {
	f.Measured, f.Err = measured, err
	f.Agrees = err == nil && agrees(f.Stands, measured, f.Speed)
	return f
}

// none is the place of a column that is not measured: it follows from others.
const none = "-"

// whole completes the place of a column: without a row it is the one of the same name, and without a table the one with the same
// words before it, or any.
func (o output) whole(place, caption string) string {
	parts := strings.Split(place, " > ")
	switch {
	case strings.HasPrefix(place, "/") || len(parts) > 2:
		return place
	case len(parts) == 2:
		return parts[0] + " > {1} > " + parts[1]
	}
	for _, t := range o.tables {
		if caption != "" && strings.HasPrefix(t.Caption, caption) && slices.Contains(t.Head, place) {
			return caption + " > {1} > " + place
		}
	}
	return "* > {1} > " + place
}
