package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
)

// sheet is what a program reads from --csv.
func sheet(t *testing.T, path string) (header []string, rows []map[string]string) {
	t.Helper()
	got := call(t, "", "inspect", path, "--csv")
	if got.code != exitOK || got.log != "" {
		t.Fatalf("code %d: %s", got.code, got.log)
	}
	all, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(got.out, "\n"); lines != len(all) {
		t.Errorf("%d lines for %d rows", lines, len(all))
	}
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = cells[i]
		}
		rows = append(rows, row)
	}
	return all[0], rows
}

func TestCSVHasEveryEvaluationToTheBit(t *testing.T) {
	header, rows := sheet(t, sampler(t))
	want := "id,attempt,status,value,cost,constraints,lr,kind,x.value,chosen_s,dispatched_s,ended_s,delay_s,foreign,forecast,forecast_sd,central,held,reason,sense"
	if got := strings.Join(header, ","); got != want {
		t.Errorf("columns %s, want %s", got, want)
	}
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, c := range []struct {
		id           int
		column, want string
	}{
		{1, "value", "0.3333333333333333"}, {1, "cost", "2.5"}, {1, "constraints", "-1;-0.25"}, {1, "status", "observed"},
		{1, "x.value", "1"}, {1, "kind", "sgd"}, {1, "chosen_s", "0"}, {1, "ended_s", "1.5"}, {1, "delay_s", "1.5"}, {1, "foreign", "false"},
		{2, "value", "1e+300"}, {2, "cost", "0"}, {2, "delay_s", "61.5"}, {2, "reason", ""},
		{3, "value", ""}, {3, "cost", ""}, {3, "attempt", "2"}, {3, "reason", `out of memory,  [31mwhich is a "pity"`},
		{4, "status", "infeasible"}, {4, "value", "2e+300"}, {4, "constraints", "0.5"},
		{5, "foreign", "true"}, {5, "dispatched_s", ""}, {5, "delay_s", ""}, {5, "ended_s", "61.5"}, {5, "lr", "0.1"}, {5, "x.value", "23.5"},
		{6, "status", "pending"}, {6, "ended_s", ""}, {6, "delay_s", ""}, {6, "dispatched_s", "61.5"},
		{7, "status", "cancelled"}, {8, "status", "pending"},
	} {
		if got := rows[c.id-1][c.column]; got != c.want {
			t.Errorf("#%d %s = %q, want %q", c.id, c.column, got, c.want)
		}
	}
}

func TestColumnsHaveDistinctNames(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("id", 0, 1), tarry.Float("x.id", 0, 1), tarry.Float("x.x.id", 0, 1), tarry.Float("reason", 0, 1), tarry.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	got := columns(s)[len(namesBefore):]
	if want := []string{"x.x.x.id", "x.id", "x.x.id", "x.reason", "x"}; !slices.Equal(got[:5], want) {
		t.Errorf("columns %q, want %q", got[:5], want)
	}
}

// No two columns of the table have one name, whatever constraints and parameters are called.
func TestColumnsOfTheTableHaveDistinctNames(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("delay", 0, 1), tarry.Float("loss", 0, 1), tarry.Float("cost", 0, 1), tarry.Float("x.loss", 0, 1), tarry.Float("id", 0, 1))
	must(t, err)
	path := madeUp(t, s, tarry.Options{Budget: 2, Constraints: []tarry.Constraint{tarry.AtMost("loss", 1), tarry.AtMost("value", 1)}}, func(study *tarry.Study) {
		q, err := study.Ask()
		must(t, err, study.TellOutcome(q.ID, tarry.Outcome{Value: 1, Constraints: []float64{0.5, 0.25}}))
	})
	got := call(t, "", "inspect", path)
	_, table, _ := strings.Cut(got.out, "\n#  ")
	head, _, _ := strings.Cut(table, "\n")
	if want := "attempt status value loss constraints.value x.delay x.x.loss x.cost x.loss id chosen at delay"; strings.Join(strings.Fields(head), " ") != want {
		t.Errorf("%q, want %q", head, want)
	}
}

// The help of inspect names what stands in its JSON.
func TestTheHelpNamesEveryMember(t *testing.T) {
	_, of, _ := strings.Cut(inspectHelp, "\n--json ")
	of, _, _ = strings.Cut(of, "\n\n")
	for _, f := range reflect.VisibleFields(reflect.TypeFor[document]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(of) {
			t.Errorf("%s is not named in %q", name, of)
		}
	}
}

func TestNumbersAreReadBackToTheBit(t *testing.T) {
	for _, v := range []float64{0, 1, -0.1, 1. / 3, 1e-6, math.Nextafter(1e-6, 0), 1e15, 1e15 - 0.125, 123456789012345678, 1e300, 5e-324, -math.MaxFloat64} {
		text := exact(v)
		if back, err := strconv.ParseFloat(text, 64); err != nil || back != v || len(text) > 24 {
			t.Errorf("%v is written %s and read %v, %v", v, text, back, err)
		}
	}
}

// foundStudy is what a program reads from --json.
type foundStudy struct {
	Study struct {
		Policy   string
		Seed     uint64
		Budget   int
		Minimize bool
		Ended    string
		Begun    string
		Elapsed  float64 `json:"elapsed_s"`
		Cost     float64
	}
	Counts, Counters  map[string]int
	Best, Recommended *foundEvaluation
	Evaluations       []foundEvaluation
	Parameters        json.RawMessage
}

type foundEvaluation struct {
	ID, Attempt int
	Status      string
	Value, Cost *float64
	X           map[string]any
	Delay       *float64 `json:"delay_s"`
	Foreign     bool
	Reason      string
}

func readJSON(t *testing.T, path string) foundStudy {
	t.Helper()
	got := call(t, "", "inspect", path, "--json")
	var d foundStudy
	if err := json.Unmarshal([]byte(got.out), &d); got.code != exitOK || err != nil {
		t.Fatalf("code %d, %v:\n%s", got.code, err, got.out)
	}
	return d
}

func TestJSONHasEverything(t *testing.T) {
	d := readJSON(t, sampler(t))
	if s := d.Study; s.Policy != "random" || s.Seed != 3 || s.Budget != 12 || s.Minimize || s.Ended != "" || s.Begun != "2000-01-01T00:00:00Z" || s.Elapsed != 121.5 || s.Cost != 2.5 {
		t.Errorf("study %+v", s)
	}
	if len(d.Evaluations) != 8 || d.Best.ID != 2 || *d.Best.Value != 1e300 || d.Recommended.ID != 2 {
		t.Fatalf("%d evaluations, best %+v, recommended %+v", len(d.Evaluations), d.Best, d.Recommended)
	}
	if !reflect.DeepEqual(d.Counts, map[string]int{"pending": 2, "observed": 3, "late": 0, "failed": 1, "timed out": 0, "lost": 0, "cancelled": 1, "infeasible": 1, "stopped": 0}) {
		t.Errorf("counts %v", d.Counts)
	}
	if d.Counters["failures"] != 3 || d.Counters["infeasible"] != 1 {
		t.Errorf("counters %v", d.Counters)
	}
	e := d.Evaluations
	if *e[0].Value != 1./3 || e[0].X["kind"] != "sgd" || e[0].X["value"] != 1. || *e[0].Delay != 1.5 {
		t.Errorf("#1 %+v", e[0])
	}
	if e[2].Value != nil || e[2].Reason != "out of memory, \x1b[31mwhich is a \"pity\"\nand more" || e[2].Attempt != 2 {
		t.Errorf("#3 %+v", e[2])
	}
	if !e[4].Foreign || e[4].Delay != nil || e[7].Delay != nil || e[7].Value != nil {
		t.Errorf("#5 %+v, #8 %+v", e[4], e[7])
	}
	var back tarry.Space
	if err := json.Unmarshal([]byte(`{"parameters":`+string(d.Parameters)+`}`), &back); err != nil || !reflect.DeepEqual(back.Parameters(), space3(t).Parameters()) {
		t.Errorf("parameters %v, %v", back.Parameters(), err)
	}
}

func TestWithoutAValueBestIsNull(t *testing.T) {
	path := madeUp(t, space3(t), tarry.Options{Budget: 1}, func(study *tarry.Study) {
		q, err := study.Ask(5)
		if err = errors.Join(err, study.Fail(q.ID, errors.New("no"))); err != nil {
			t.Fatal(err)
		}
	})
	d := readJSON(t, path)
	if d.Best != nil || d.Recommended != nil || d.Study.Ended != "budget spent" {
		t.Errorf("%+v", d)
	}
	if got := call(t, "", "inspect", path); !strings.Contains(got.out, "no value yet\n\n1 more") {
		t.Errorf("text:\n%s", got.out)
	}
}

func TestCostsBeyondAllNumbersHaveNoSum(t *testing.T) {
	path := madeUp(t, space3(t), tarry.Options{Budget: 2}, func(study *tarry.Study) {
		for range 2 {
			q, err := study.Ask(5)
			if err = errors.Join(err, study.TellOutcome(q.ID, tarry.Outcome{Value: 1, Cost: 1.5e308})); err != nil {
				t.Fatal(err)
			}
		}
	})
	if got := call(t, "", "inspect", path, "--json"); got.code != exitOK || !strings.Contains(got.out, `"cost": null`) {
		t.Errorf("code %d, %s", got.code, got.log)
	}
}

func TestCostsOfAFidelityBeyondAllNumbersHaveNoSum(t *testing.T) {
	where, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("epochs", 1, 2).AsFidelity(1, 2))
	if err != nil {
		t.Fatal(err)
	}
	path := madeUp(t, where, tarry.Options{Budget: 2}, func(study *tarry.Study) {
		for range 2 {
			q, err := study.Ask()
			if err = errors.Join(err, study.TellOutcome(q.ID, tarry.Outcome{Value: 1, Cost: 1.5e308})); err != nil {
				t.Fatal(err)
			}
		}
	})
	if got := call(t, "", "inspect", path, "--json"); got.code != exitOK {
		t.Errorf("code %d, %s", got.code, got.log)
	}
}

func TestEveryCounterIsTold(t *testing.T) {
	l, err := loop.New(loop.Config{Space: space3(t), Budget: 1})
	if err != nil {
		t.Fatal(err)
	}
	told := portrait.CountersOf(l)
	if fields := reflect.TypeFor[loop.Counters]().NumField(); len(told) != fields {
		t.Errorf("%d counters are told, there are %d", len(told), fields)
	}
	seen := map[string]bool{}
	for _, c := range told {
		seen[strings.ReplaceAll(c.Name, "_", "")] = true
	}
	for field := range reflect.TypeFor[loop.Counters]().Fields() {
		if !seen[strings.ToLower(field.Name)] {
			t.Errorf("%s is not told", field.Name)
		}
	}
}

func TestPicturesOfAStudyAreWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "pictures")
	got := call(t, "", "inspect", sampler(t), "--plot", folder)
	if got.code != exitOK || !strings.Contains(got.log, "incumbent, parameters, delays") {
		t.Fatalf("code %d: %s", got.code, got.log)
	}
	for _, name := range []string{"incumbent", "parameters", "delays"} {
		text, err := os.ReadFile(filepath.Join(folder, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := png.DecodeConfig(bytes.NewReader(text)); err != nil || c.Width != 1200 || c.Height < 400 {
			t.Errorf("%s: %d x %d, %v", name, c.Width, c.Height, err)
		}
		if text, err = os.ReadFile(filepath.Join(folder, name+".svg")); err != nil || !bytes.HasSuffix(text, []byte("</svg>\n")) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
}

func TestThatParametersAreLeftOutIsSaid(t *testing.T) {
	var many []tarry.Parameter
	for i := range 30 {
		many = append(many, tarry.Float("p"+strconv.Itoa(i), 0, 1))
	}
	s, err := tarry.NewSpace(many...)
	if err != nil {
		t.Fatal(err)
	}
	path := madeUp(t, s, tarry.Options{Budget: 1}, func(*tarry.Study) {})
	if got := call(t, "", "inspect", path, "--plot", t.TempDir()); !strings.Contains(got.log, "the first 24 of 30 parameters") {
		t.Errorf("log %q", got.log)
	}
}

// A reason is no formula in a spreadsheet, whoever wrote it; numbers, and what is read back, stand as they are.
func TestAReasonIsNoFormula(t *testing.T) {
	where, err := tarry.NewSpace(tarry.Float("-x", -2, -1), tarry.Categorical("kind", "=1+1", "@b"))
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{
		"=1+1": "'=1+1", "+1+1": "'+1+1", "- out": "'- out", "@SUM(1)": "'@SUM(1)", "\t=1": "'=1", "\r=1": "'=1", "\u202e=1": "'=1",
		"-1": "-1", "+1e3": "+1e3", "'=1": "'=1", "1=1": "1=1", "out of memory": "out of memory",
	}
	var reasons []string
	path := madeUp(t, where, tarry.Options{Budget: 50}, func(study *tarry.Study) {
		for reason := range wants {
			q, err := study.Ask()
			if err = errors.Join(err, study.Fail(q.ID, errors.New(reason))); err != nil {
				t.Fatal(err)
			}
			reasons = append(reasons, reason)
		}
	})
	_, rows := sheet(t, path)
	for i, reason := range reasons {
		if got := rows[i]; got["reason"] != wants[reason] || got["-x"][0] != '-' || got["kind"] != "=1+1" && got["kind"] != "@b" {
			t.Errorf("%q: %v", reason, got)
		}
	}
}
