package tournament

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/experiment"
	"github.com/tarry-bo/tarry/internal/stat"
)

// Sections are the tables and pictures of the summary. They show nothing else.
func (s Summary) Sections() []experiment.Section {
	var out []experiment.Section
	for _, p := range s.Parts {
		section := experiment.Section{
			Title:   title(p.Name),
			Text:    []string{fmt.Sprintf("%s of %s.", console.Plural(p.Cells, "cell"), console.Plural(p.Problems, "problem"))},
			Tables:  []experiment.Table{s.standings(p), s.families(p)},
			Figures: s.figures(p),
		}
		if p.Verdicts != nil { // it takes an even and an odd seed
			section.Tables = append(section.Tables, s.verdicts(p))
		}
		out = append(out, section)
	}
	return append(out, experiment.Section{
		Title: "Cell by cell",
		Text: []string{fmt.Sprintf("Mean of log10 regret at the end; a star marks the fixed policy that was best on the even seeds. Only seeds that every policy "+
			"has completed count, %d at most.", s.Seeds)},
		Tables: []experiment.Table{s.cells(), s.seconds()},
	})
}

// title is that of a part.
func title(part string) string {
	switch part {
	case Both:
		return "Both halves of the problems"
	case Reserve:
		return "The problems in reserve"
	case Wide:
		return "The problems with ranges that are too wide"
	}
	return "The half of the problems for " + part
}

// standings has a row for each policy, by average rank.
func (s Summary) standings(p Part) experiment.Table {
	t := experiment.Table{
		Caption: fmt.Sprintf("%s: mean log10 regret over cells and seeds ± standard error over problems, floor %s; differences are paired by seed, with an interval of 95 %%",
			title(p.Name), console.Short(s.Floor)),
		Head: []string{"policy", "half the budget", "all of it", "recommended", "average rank", "minus " + s.Reference, "cells better", "cells worse", "model's 80 % holds, %", "near repeats, %"},
	}
	byRank := func(a, b Standing) int { return cmp.Compare(a.Rank, b.Rank) }
	for _, r := range slices.SortedStableFunc(slices.Values(p.Standings), byRank) {
		row := []string{r.Policy, r.Halfway.text(), r.End.text(), r.Recommended.text(), r.Rank.text(2)}
		if r.Policy == s.Reference {
			row = append(row, "", "", "")
		} else {
			row = append(row, r.Gap.text(), fmt.Sprint(r.Better), fmt.Sprint(r.Worse))
		}
		t.Rows = append(t.Rows, append(row, percent(r.Coverage, 1), percent(r.Repeats, 1)))
	}
	return t
}

// verdicts has a row for each policy, by average rank.
func (s Summary) verdicts(p Part) experiment.Table {
	t := experiment.Table{
		Caption: title(p.Name) + ": against the best fixed policy of each cell, which is chosen on the even seeds; both are compared on the odd ones",
		Head:    []string{"policy", "not worse in, % of cells", "decades behind", "average rank", "best rank", "meets all"},
	}
	byRank := func(a, b Verdict) int { return cmp.Compare(a.Rank, b.Rank) }
	for _, v := range slices.SortedStableFunc(slices.Values(p.Verdicts), byRank) {
		t.Rows = append(t.Rows, []string{
			v.Policy, percent(Number(float64(v.NotWorse)/float64(v.Cells)), 0), v.Gap.text(), v.Rank.text(2), yes(v.First), v.meets(),
		})
	}
	return t
}

// meets is – where too few seeds were played to say.
func (v Verdict) meets() string {
	if v.Meets == nil {
		return "–"
	}
	return yes(*v.Meets)
}

// families has a row for each policy and a column for each family.
func (s Summary) families(p Part) experiment.Table {
	t := experiment.Table{Caption: title(p.Name) + ": mean log10 regret at the end, by family of problems", Head: []string{"policy"}}
	for _, f := range p.Families {
		t.Head = append(t.Head, f.Name)
	}
	for k, name := range s.Policies {
		row := []string{name}
		for _, f := range p.Families {
			row = append(row, f.Curves[k][atEnd].text(2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// cells has a row for each cell and a column for each policy.
func (s Summary) cells() experiment.Table {
	t := experiment.Table{Caption: "Mean log10 regret of each policy in each cell", Head: append([]string{"cell", "seeds"}, s.Policies...)}
	for _, c := range s.Cells {
		row := []string{c.Name, fmt.Sprint(c.Seeds)}
		for k, m := range c.End {
			text := m.Mean.text(2)
			if s.Policies[k] == c.Best {
				text = "* " + text
			}
			row = append(row, text)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// clock says what the milliseconds are.
func (s Summary) clock() string {
	text := "Milliseconds on the clock for a query, fits and the simulation included, on this machine"
	if s.AtOnce > 0 {
		text += fmt.Sprintf(" with up to %s at once", console.Plural(s.AtOnce, "run"))
	}
	return text + "; another run gives others, and more at once or other work make them more"
}

// seconds is the one table that depends on the machine.
func (s Summary) seconds() experiment.Table {
	t := experiment.Table{Caption: s.clock(), Head: []string{"policy", "ms"}}
	if len(s.Parts) == 0 {
		return t
	}
	for _, r := range s.Parts[len(s.Parts)-1].Standings {
		t.Rows = append(t.Rows, []string{r.Policy, (1000 * r.Seconds).text(2)})
	}
	return t
}

// text prints a number with so many decimals.
func (n Number) text(decimals int) string {
	if math.IsNaN(float64(n)) {
		return stat.Unknown
	}
	scale := math.Pow10(decimals)
	return fmt.Sprintf("%.*f", decimals, math.Round(float64(n)*scale)/scale+0) // no negative zero
}

// signed prints a number with its sign and two decimals.
func (n Number) signed() string {
	text := n.text(2)
	if n > 0 {
		return "+" + text
	}
	return text
}

func (m Mean) text() string {
	if math.IsNaN(float64(m.SE)) {
		return m.Mean.text(2)
	}
	return m.Mean.text(2) + " ± " + m.SE.text(2)
}

// text prints a difference with the ends of its interval.
func (g Gap) text() string {
	return fmt.Sprintf("%s (%s to %s)", g.Mean.signed(), g.Low.signed(), g.High.signed())
}

// percent prints a share.
func percent(share Number, decimals int) string { return (100 * share).text(decimals) }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
