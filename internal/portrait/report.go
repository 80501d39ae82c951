package portrait

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/loop"
)

var (
	//go:embed report.html
	reportText string
	//go:embed report.css
	reportStyle string
)

// reportTemplate escapes everything that it shows. It is made when it is wanted: each command of a study begins with the start of this program.
var reportTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("report").Funcs(template.FuncMap{
		"number": number, "lasting": lasting, "plural": plural, "percent": func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) },
		"value": func(v *float64) string {
			if v == nil {
				return ""
			}
			return number(*v)
		},
		"known": func(n hindsight.Number) bool { return n.Finite() && n != 0 },
		"float": func(n hindsight.Number) string { return number(float64(n)) },
		"style": func() template.CSS { return template.CSS(reportStyle) },
		"date":  func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") },
		"words": quoted, "plural64": func(n uint64) string { return plural(int(n), "event") },
	}).Parse(reportText))
})

// sheet is what a report shows besides the portrait.
type sheet struct {
	Portrait
	Progress, Lanes, Errors *panel
	Against, Expected       []*panel
	Keys                    []key // of the panels of the parameters
	Left                    int   // parameters without a panel
	Pending, Troubled       []Evaluation
	Lead                    string
}

// Bounds of the tables of a report.
const (
	mostPanels   = 24
	mostPending  = 40
	mostTroubled = 20
)

// ReportRange is the range of a portrait for a report.
var ReportRange = Range{Most: 3000}

// WriteReport writes a portrait as one HTML file that needs nothing else: no network, no script, no other file. An error is that of the
// writer.
func WriteReport(w io.Writer, p Portrait) error {
	s := sheet{Portrait: p, Progress: p.progress(), Lanes: p.lanes(), Errors: p.errors(), Lead: p.lead(), Left: max(len(p.Parameters)-mostPanels, 0)}
	s.Keys = append(s.Progress.Keys, key{"star", "the best"})
	for i := range min(len(p.Parameters), mostPanels) {
		s.Against = append(s.Against, p.against(i))
	}
	if p.Slices != nil {
		for _, one := range p.Slices.Parameters {
			s.Expected = append(s.Expected, p.expected(one))
		}
	}
	for i := len(p.Evaluations) - 1; i >= 0; i-- {
		switch e := p.Evaluations[i]; {
		case e.Status == "pending" && len(s.Pending) < mostPending:
			s.Pending = append(s.Pending, e)
		case e.Reason != "" && len(s.Troubled) < mostTroubled:
			s.Troubled = append(s.Troubled, e)
		}
	}
	var page bytes.Buffer
	if err := reportTemplate().Execute(&page, s); err != nil {
		return err
	}
	_, err := io.WriteString(w, unturned.Replace(page.String()))
	return err
}

// unturned writes the characters that turn the letters around them as what they are: a text could show by them what it does not say.
var unturned = strings.NewReplacer("\u202a", `\u202a`, "\u202b", `\u202b`, "\u202c", `\u202c`, "\u202d", `\u202d`, "\u202e", `\u202e`,
	"\u2066", `\u2066`, "\u2067", `\u2067`, "\u2068", `\u2068`, "\u2069", `\u2069`)

// Budget is what a study may spend: evaluations, or what they cost together, or both where the number of evaluations says something.
func (p Portrait) Budget() string {
	evaluations, cost := fmt.Sprint(p.Study.Budget), number(p.Study.BudgetCost)+" in cost"
	switch {
	case p.Study.BudgetCost == 0:
		return evaluations
	case p.Study.Budget >= loop.MaxBudget:
		return cost
	}
	return evaluations + ", " + cost
}

// lead is the study in two sentences.
func (p Portrait) lead() string {
	what := "maximized"
	if p.Study.Minimize {
		what = "minimized"
	}
	budget := plural(p.Study.Budget, "evaluation")
	if p.Study.BudgetCost > 0 {
		budget = p.Budget()
	}
	text := fmt.Sprintf("%s, %s by the policy %s with a budget of %s.", plural(len(p.Parameters), "parameter"), what, p.Study.Policy, budget)
	switch s := p.Standing; {
	case s.Ended != "":
		text += fmt.Sprintf(" It ended after %s: %s.", lasting(s.Last), s.Ended)
	case s.Paused:
		text += fmt.Sprintf(" It is paused, after %s.", lasting(s.Last))
	case s.Holder != "":
		text += fmt.Sprintf(" It goes on: %s so far.", lasting(s.Elapsed))
	default:
		text += fmt.Sprintf(" It has not ended; its last event was %s after it began.", lasting(s.Last))
	}
	return text
}

// Tally is the evaluations by status, in words.
func (p Portrait) Tally() string {
	var parts []string
	for _, c := range p.Standing.Counts {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, c.Status))
	}
	return strings.Join(parts, ", ") + Elsewhere(p.Standing.Foreign)
}

// Elsewhere says, after the evaluations by status, how many of them were measured elsewhere; empty where none was.
func Elsewhere(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of them measured elsewhere", n)
}

// String is a constraint in words.
func (b Bounded) String() string {
	if b.AtLeast != nil {
		return fmt.Sprintf("%s ≥ %s", b.Name, number(*b.AtLeast))
	}
	if b.AtMost != nil {
		return fmt.Sprintf("%s ≤ %s", b.Name, number(*b.AtMost))
	}
	return b.Name
}

// quoted are the words of a command as a shell reads them.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		if w == "" || strings.ContainsAny(w, " \t\n\"'\\$`*?[]{}()<>|&;!#~") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
