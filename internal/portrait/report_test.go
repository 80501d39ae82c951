package portrait_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal"
)

const evil = `</title><script>alert("x")</script>'&` + turning

// turning are the characters that turn the letters around them.
const turning = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

func page(t testing.TB, p portrait.Portrait) string {
	t.Helper()
	var out bytes.Buffer
	if err := portrait.WriteReport(&out, p); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

var (
	drawing = regexp.MustCompile(`(?s)<path class="([^"]*)" d="([^"]*)"`)
	number  = regexp.MustCompile(`-?[0-9.]+(e[+-]?[0-9]+)?`)
)

// sound finds what must not be in a report: anything that is loaded or runs, and drawings that are none or lie outside.
func sound(t *testing.T, name, text string) {
	t.Helper()
	for _, bad := range []string{"<script", "javascript:", "src=", "href=", "url(", "@import", "NaN", "Inf", "ZgotmplZ", "%!", " onload"} {
		if strings.Contains(text, bad) {
			t.Errorf("%s: the report has %q", name, bad)
		}
	}
	if strings.ContainsAny(text, turning) {
		t.Errorf("%s: letters of the report are turned around", name)
	}
	for _, m := range drawing.FindAllStringSubmatch(text, -1) {
		for _, n := range number.FindAllString(m[2], -1) {
			if v := 0.; n != "" {
				if _, err := fmt.Sscan(n, &v); err != nil || math.Abs(v) > 1020 {
					t.Fatalf("%s: a drawing of %s has %s", name, m[1], n)
				}
			}
		}
	}
}

func spaceOf(t *testing.T, all ...tarry.Parameter) tarry.Space {
	t.Helper()
	return must.Get(tarry.NewSpace(all...))(t)
}

// Studies of every kind have a report, in which nothing is loaded and nothing runs, whatever somebody has called what.
func TestEveryKindOfStudyHasAReport(t *testing.T) {
	number := tarry.Float("x", 0, 1)
	lease := tarry.Options{Budget: 50, Lease: 20 * time.Second, Timeout: 9 * time.Second}
	minimized, constrained, cheap := lease, lease, lease
	minimized.Minimize = true
	constrained.Constraints = []tarry.Constraint{tarry.AtMost("latency", 0.5)}
	cheap.BudgetCost = 300
	value := func(q tarry.Query) tarry.Outcome { return tarry.Outcome{Value: q.X[0]} }
	huge := func(q tarry.Query) tarry.Outcome { return tarry.Outcome{Value: math.MaxFloat64 * (q.X[0] - 0.5)} }
	hugeAndRough := func(q tarry.Query) tarry.Outcome { return tarry.Outcome{Value: math.MaxFloat64 * math.Cos(40*q.X[0])} }
	constant := func(tarry.Query) tarry.Outcome { return tarry.Outcome{Value: -3} }
	list := must.Get(tarry.NewList([]tarry.Point{{0, 0}, {0.5, 1}, {1, 0.25}, {0.25, 0.25}}, number, tarry.Float("y", 0, 1)))(t)
	for name, c := range map[string]struct {
		space  tarry.Space
		o      tarry.Options
		policy string
		steps  int
		value  func(tarry.Query) tarry.Outcome
		wants  string
	}{
		"nothing":     {spaceOf(t, number), lease, "gp-bucb", 0, value, "No value has come yet"},
		"plain":       {spaceOf(t, number, tarry.LogInt("width", 1, 1024)), lease, "gp-bucb", 120, value, "out of memory on gpu 0"},
		"minimized":   {spaceOf(t, number), minimized, "log-ei", 60, value, "minimized"},
		"huge":        {spaceOf(t, number), lease, "gp-bucb", 60, huge, "e307"},
		"greatest":    {spaceOf(t, number), lease, "gp-bucb", 60, hugeAndRough, "e308"},
		"constant":    {spaceOf(t, number, tarry.Float("fixed", 2, 2)), lease, "random", 60, constant, "fixed"},
		"words":       {spaceOf(t, number, tarry.Categorical(evil, evil, "b"), tarry.Bool("bias"), tarry.Ordered("rank", 1, 8, 64)), lease, "gp-bucb", 90, value, html.EscapeString("<script>")},
		"conditional": {spaceOf(t, number, tarry.Categorical("kind", "a", "b"), tarry.Float("momentum", 0, 1).When("kind", "b")), lease, "gp-bucb", 90, value, "momentum"},
		"constraints": {spaceOf(t, number, tarry.Float("y", 0, 1)), constrained, "gp-bucb", 120, func(q tarry.Query) tarry.Outcome {
			return tarry.Outcome{Value: q.X[0], Constraints: []float64{q.X[0] + q.X[1]/2}}
		}, "latency ≤ 0.5"},
		"context":    {spaceOf(t, number, tarry.Float("hour", 0, 24).AsContext()), lease, "gp-bucb", 90, value, "hour (context)"},
		"fidelity":   {spaceOf(t, number, tarry.Ordered("epochs", 1, 3, 9).AsFidelity(1, 3, 9)), cheap, "mf-mes", 60, value, "Fidelities"},
		"list":       {list, lease, "gp-bucb", 60, value, "differs from the best"},
		"many names": {spaceOf(t, wide(30)...), lease, "random", 60, value, "6 further parameters not drawn"},
	} {
		t.Run(name, func(t *testing.T) {
			p := whole(t, name+evil, played(t, c.space, c.o, c.policy, c.steps, c.value), portrait.ReportRange)
			if _, err := json.Marshal(p); err != nil {
				t.Error(err)
			}
			text := page(t, p)
			sound(t, name, text)
			if !strings.Contains(text, c.wants) || !strings.Contains(text, html.EscapeString(evil)[:20]) {
				t.Errorf("no %q in\n%s", c.wants, text)
			}
		})
	}
}

func wide(n int) (all []tarry.Parameter) {
	for i := range n {
		all = append(all, tarry.Float(fmt.Sprint("p", i), 0, float64(i+1)))
	}
	return all
}

// What a user wrote as a reason is shown as it stands, and no part of the page.
func TestReasonsAreShownAsTheyStand(t *testing.T) {
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(spaceOf(t, tarry.Float("x", 0, 1)), tarry.Options{Budget: 3, Journal: store}))(t)
	defer study.Close()
	q := must.Get(study.Ask())(t)
	if err := study.Fail(q.ID, errors.New(evil)); err != nil {
		t.Fatal(err)
	}
	text := page(t, whole(t, "s", store, portrait.ReportRange))
	sound(t, "reasons", text)
	for _, want := range []string{"&lt;script&gt;alert(", `\u202e\u2066`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A report of ten thousand evaluations says what it leaves out, and can be sent.
func TestAReportOfManyEvaluationsIsSmall(t *testing.T) {
	s := spaceOf(t, wide(8)...)
	p := whole(t, "s", many(t, s, 10000), portrait.ReportRange)
	text := page(t, p)
	sound(t, "many", text)
	if len(text) > 2<<20 || !strings.Contains(text, "of 10000 evaluations: one of 4") {
		t.Errorf("%d bytes, %+v", len(text), p.Drawn)
	}
}

// The command line and the options are told so that the study can be made again.
func TestAReportTellsHowToDoItAgain(t *testing.T) {
	p := whole(t, "s", played(t, spaceOf(t, tarry.Float("x", 0, 1)), tarry.Options{Budget: 9, Retries: 2}, "gp-bucb:beta=3", 20, sine), portrait.ReportRange)
	p.Study.Command = []string{"./train.sh", "--name", "it's", "{x}"}
	text := html.UnescapeString(page(t, p))
	for _, want := range []string{`./train.sh --name 'it'\''s' '{x}'`, "gp-bucb:beta=3", "<dt>retries</dt><dd>2</dd>", p.Standing.Digest, p.Study.Go} {
		if !strings.Contains(text, want) || want == "" {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A budget that is given in cost alone is not told with the most evaluations that there may be.
func TestABudgetIsToldAsItWasGiven(t *testing.T) {
	for want, study := range map[string]portrait.About{
		"30": {Budget: 30}, "30, 12.5 in cost": {Budget: 30, BudgetCost: 12.5}, "12.5 in cost": {Budget: tarry.MaxBudget, BudgetCost: 12.5}, "100000": {Budget: tarry.MaxBudget},
	} {
		if got := (portrait.Portrait{Study: study}).Budget(); got != want {
			t.Errorf("%+v: %q, want %q", study, got, want)
		}
	}
}

// The evaluations that the study did not ask for are told apart, also where a portrait is made again of a study that goes on.
func TestAReportSaysHowManyWereMeasuredElsewhere(t *testing.T) {
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(spaceOf(t, tarry.Float("x", 0, 1)), tarry.Options{Budget: 3, Journal: store}))(t)
	defer study.Close()
	q := must.Get(study.Ask())(t)
	k := portrait.NewSketch()
	for observed, want := range []string{"1 pending.", "1 pending, 1 observed; 1 of them measured elsewhere.", "1 pending, 2 observed; 2 of them measured elsewhere."} {
		if observed > 0 {
			if err := study.Observe(q.X, 2); err != nil {
				t.Fatal(err)
			}
		}
		l, _, err := journal.Replay(store)
		if err != nil {
			t.Fatal(err)
		}
		k.Touch(1)
		k.Follow(l)
		p := k.Portrait(of("s", l, time.Minute), portrait.ReportRange)
		if text := page(t, p); p.Standing.Foreign != observed || !strings.Contains(text, ": "+want) {
			t.Errorf("%d, and no %q in\n%s", p.Standing.Foreign, want, text)
		}
	}
}

// Of many long names on an axis some are left out, and each has the way to the next one; short ones are all there.
func TestNamesOnAnAxisHaveRoom(t *testing.T) {
	one := func(kind string, labels ...string) string {
		q := portrait.Parameter{Name: "k", Kind: kind}
		for i, l := range labels {
			q.Ticks = append(q.Ticks, portrait.Tick{At: (float64(i) + 0.5) / float64(len(labels)), Label: l})
		}
		_, text, _ := strings.Cut(page(t, portrait.Portrait{Parameters: []portrait.Parameter{q}}), "Values over each parameter")
		return strings.Join(regexp.MustCompile(`<span class="x" style="[^"]*">[^<]*`).FindAllString(text, -1), "\n")
	}
	many := make([]string, 12)
	for i := range many {
		many[i] = fmt.Sprint("choice ", i)
	}
	for _, c := range []struct {
		kind   string
		labels []string
		n      int
		want   string
	}{
		{"categorical", []string{"alpha", "beta"}, 2, "left:25.00%;max-width:min(110px,calc(50.00% - 6px))\">alpha"},
		{"categorical", many, 6, "left:20.83%;max-width:min(110px,calc(16.67% - 6px))\">choice 2"},
		{"categorical", strings.Split("abcdefghijkl", ""), 12, "left:4.17%;max-width:min(110px,calc(8.33% - 6px))\">a"},
		{"ordered", []string{"1", "1000000"}, 2, "max-width:min(110px,calc(50.00% - 6px))\">1000000"},
		{"categorical", []string{"alone"}, 1, "left:50.00%\">alone"},
		{"float", []string{"0", "0.5"}, 2, "left:25.00%\">0"},
	} {
		if got := one(c.kind, c.labels...); strings.Count(got, "<span") != c.n || !strings.Contains(got, c.want) {
			t.Errorf("%s of %d names: want %d, with %s:\n%s", c.kind, len(c.labels), c.n, c.want, got)
		}
	}
}
