package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const pointKinds = `parameters:
- {name: lr, type: float, low: 1e-5, high: 1, log: true}
- {name: value, type: int, low: 1, high: 8}
- {name: kind, type: categorical, choices: [adam, "s,gd"]}
- {name: bias, type: bool}
- {name: momentum, type: float, low: 0.9, high: 0.9}
`

// text writes files into a folder, by name.
func texts(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
}

// Points to try first are tried first, in their order and with what is open drawn; what is known teaches the model and costs
// nothing; and what inspect writes of one study is what another one knows.
func TestAStudyBeginsWithPointsAndResults(t *testing.T) {
	dir := folder(t, `[ $TARRY_EVALUATION = 3 ] && exit 1; echo "$2"`)
	texts(t, dir, map[string]string{
		"space.yaml": pointKinds,
		"first.csv":  "\ufeffkind,x.value,lr\n\"s,gd\", 3 ,0.5\nadam,,\n",
	})
	got := tuneKinds(t, dir, "s.db", "--budget", "5", "--enqueue", "first.csv", "--design", "latin-hypercube")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	names, rows := sheet(t, filepath.Join(dir, "s.db"))
	if rows[0]["lr"] != "0.5" || rows[0]["x.value"] != "3" || rows[0]["kind"] != "s,gd" || rows[1]["kind"] != "adam" || rows[1]["momentum"] != "0.9" {
		t.Errorf("%v\n%v", names, rows)
	}
	exported := callIn(t, dir, "", "inspect", "s.db", "--csv").out
	texts(t, dir, map[string]string{"known.csv": exported, "hand.csv": "lr,x.value,kind,bias,value\n0.2,3,adam,true,\n0.1,2,adam,true,-4\n0.3,,, ,  \n"})
	got = tuneKinds(t, dir, "t.db", "--budget", "2", "--observe", "known.csv")
	if got.code != exitOK || !strings.Contains(got.out, "6 evaluations") || !strings.Contains(got.log, "4 values; 1 line has none that counts, and is left out") || !strings.Contains(got.log, "2/2") {
		t.Errorf("%+v", got)
	}
	if got = tuneKinds(t, dir, "u.db", "--budget", "2", "--observe", "hand.csv", "--minimize"); got.code != exitOK || !strings.Contains(got.out, "best #1 lr=0.1 value=2 kind=adam bias=true momentum=0.9: -4") ||
		!strings.Contains(got.log, "1 value; 2 lines have none that counts, and are left out") {
		t.Errorf("%+v", got)
	}
	_, rows = sheet(t, filepath.Join(dir, "u.db"))
	if rows[0]["foreign"] != "true" || rows[1]["foreign"] != "false" || len(rows) != 3 {
		t.Errorf("%v", rows)
	}
}

// A column of a file of points to try first is that of the parameter of its name, also where inspect --csv has another one of that name; what inspect writes
// is read as it is meant.
func TestPointsToTryFirstNameAnyParameter(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	texts(t, dir, map[string]string{
		"space.yaml": pointKinds, "own.csv": "value,lr\n6,0.5\n", "both.csv": "value,x.value\n7,4\n", "twice.csv": "value,value\n1,2\n", "wrong.csv": "value\n9\n",
	})
	enqueue := func(study, file string) called { return tuneKinds(t, dir, study, "--budget", "1", "--enqueue", file) }
	first := func(study, file string) map[string]string {
		t.Helper()
		if got := enqueue(study, file); got.code != exitOK {
			t.Fatalf("%s: %+v", file, got)
		}
		_, rows := sheet(t, filepath.Join(dir, study))
		return rows[0]
	}
	if got := first("a.db", "own.csv"); got["x.value"] != "6" || got["lr"] != "0.5" {
		t.Errorf("own.csv: %v", got)
	}
	texts(t, dir, map[string]string{"again.csv": callIn(t, dir, "", "inspect", "a.db", "--csv").out})
	for file, want := range map[string]string{"both.csv": "4", "again.csv": "6"} {
		if got := first(file+".db", file); got["x.value"] != want {
			t.Errorf("%s: %v", file, got)
		}
	}
	for file, want := range map[string]string{"twice.csv": `twice.csv:1:7: column "value": given twice`, "wrong.csv": `wrong.csv:2:1: value = "9": want a whole number in 1 … 8`} {
		if got := enqueue("w.db", file); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// A choice may be empty, or have spaces around it; what inspect writes of it is read again. A study that is there is gone on with by what began it.
func TestChoicesWithSpacesAreReadAgain(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{"space.yaml": "parameters:\n- {name: k, type: categorical, choices: [' lead', '', b]}\n"})
	tune := func(study string, flags ...string) called {
		return callIn(t, dir, "", append(append([]string{"tune", "--space", "space.yaml", "--study", study, "--budget", "3"}, flags...), "--", "sh", "-c", "echo 1")...)
	}
	got := tune("s.db")
	exported := callIn(t, dir, "", "inspect", "s.db", "--csv").out
	if texts(t, dir, map[string]string{"l.csv": exported}); got.code != exitOK {
		t.Fatalf("%+v\n%s", got, exported)
	}
	got = tune("t.db", "--observe", "l.csv")
	_, before := sheet(t, filepath.Join(dir, "s.db"))
	_, after := sheet(t, filepath.Join(dir, "t.db"))
	for k, row := range before {
		if got.code != exitOK || len(after) < 3 || after[k]["foreign"] != "true" || after[k]["k"] != row["k"] {
			t.Fatalf("%+v\n%v\n%v", got, before, after)
		}
	}
	if got := callIn(t, dir, "", "asktell", "--space", "space.yaml", "--study", "a.db"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if got := tune("a.db"); got.code != exitUsage || !strings.Contains(got.log, "exists already: go on with it by\ntarry:   tarry asktell --study a.db\n") {
		t.Errorf("%+v", got)
	}
	if got := tune("b.db", "--budget", "-1"); got.code != exitUsage || !strings.Contains(got.log, "--budget = -1") || strings.Contains(got.log, "--enqueue") {
		t.Errorf("%+v", got)
	}
}

func tuneKinds(t *testing.T, dir, study string, flags ...string) called {
	t.Helper()
	args := append([]string{"tune", "--space", "space.yaml", "--study", study}, flags...)
	return callIn(t, dir, "", append(args, "--", "./train.sh", "{lr}", "{value}")...)
}

// What is wrong with a file is named with its line and column, all at once, before anything is written.
func TestWhatIsWrongWithPointsIsNamed(t *testing.T) {
	dir := folder(t, "echo 1")
	texts(t, dir, map[string]string{
		"space.yaml": pointKinds, "empty.csv": "", "column.csv": "lr,kid,lr\n0.1,adam,1\n", "open.csv": "lr,kind\n0.1,adam\n,\n0.2\n", "quote.csv": "lr,kind\n0.1,\"adam\n",
		"values.csv":  "lr,x.value,kind,bias,value\n7,2.5,sgd,yes,much\n0.1,2,adam,,1\n0.1,2,adam,true,inf\n",
		"missing.csv": "lr,x.value,kind,bias\n0.1,2,adam,true\n", "many.csv": "lr,bias\n" + strings.Repeat("2,3\n", 9),
		"three.csv": "lr\n0.1\n0.2\n0.3\n",
	})
	for _, c := range []struct {
		flags []string
		wants []string
	}{
		{[]string{"--enqueue", "empty.csv"}, []string{"empty.csv: empty: want a first line with names of parameters, lr,x.value,kind,bias,momentum"}},
		{[]string{"--enqueue", "column.csv"}, []string{`column.csv:1:4: column "kid": unknown: did you mean kind?`, `column.csv:1:8: column "lr": given twice`}},
		{[]string{"--enqueue", "open.csv"}, []string{"open.csv:3:1: a point without a value", "open.csv:4:1: 1 cells: want 2"}},
		{[]string{"--enqueue", "quote.csv"}, []string{"quote.csv: ", "line 2"}},
		{[]string{"--enqueue", "many.csv"}, []string{`many.csv:6:1: lr = "2"`, "many.csv: and 8 more"}},
		{[]string{"--enqueue", "nowhere.csv"}, []string{"nowhere.csv: no such file"}},
		{[]string{"--enqueue", "three.csv"}, []string{"--enqueue = 3 points: want at most 10000, and no more than the budget of 2"}},
		{[]string{"--observe", "missing.csv"}, []string{"missing.csv:2:1: no column value"}},
		{[]string{"--design", "grid"}, []string{`invalid argument "grid" for "--design" flag: want one of uniform, latin-hypercube, halton`}},
		{[]string{"--initial", "3"}, []string{"--initial = 3: want 0 ≤ initial ≤ --budget = 2"}},
		{[]string{"--observe", "values.csv"}, []string{
			`values.csv:2:1: lr = "7": want a number in [1e-05, 1]`, `values.csv:2:3: x.value = "2.5": want a whole number in 1 … 8`,
			`kind = "sgd": want one of adam, s,gd`, `bias = "yes": want true or false`, `value = "much": want a finite number`,
			"values.csv:3:12: bias: missing: want true or false", `values.csv:4:17: value = "inf"`,
		}},
		{[]string{"--target", "nan", "--max-time", "-1s"}, []string{"--target = NaN: want a finite number", "--max-time = -1s: want a duration ≥ 0"}},
	} {
		got := tuneKinds(t, dir, "s.db", append([]string{"--budget", "2"}, c.flags...)...)
		for _, want := range c.wants {
			if got.code != exitUsage || !strings.Contains(got.log, want) {
				t.Errorf("%v: %q is missing in %+v", c.flags, want, got)
			}
		}
		if strings.Contains(got.log, "[0]") {
			t.Errorf("%v: said twice: %s", c.flags, got.log)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "s.db")); err == nil {
		t.Error("a study was made")
	}
}

// A target ends the study, also one that is resumed, and is kept with it; a better one lets it go on, and so does more budget.
func TestATargetIsKeptWithTheStudy(t *testing.T) {
	dir := folder(t, "echo $TARRY_EVALUATION")
	if got := tune(t, dir, "--budget", "20", "--target", "3"); got.code != exitOK || !strings.Contains(got.out, "3 observed\n") || !strings.Contains(got.out, "ended: target reached") {
		t.Fatalf("%+v", got)
	}
	for _, c := range []struct {
		flags []string
		out   string
		log   string
	}{
		{nil, "3 observed\n", "tarry resume s.db --target VALUE"},
		{[]string{"--target", "5"}, "5 observed\n", ""},
		{[]string{"--target", "2"}, "5 observed\n", "--target VALUE"},
		{[]string{"--budget", "7"}, "7 observed\n", ""},
		{[]string{"--budget", "9", "--target", "8"}, "8 observed\n", ""},
	} {
		got := callIn(t, dir, "", append([]string{"resume", "s.db"}, c.flags...)...)
		if got.code != exitOK || !strings.Contains(got.out, c.out) || !strings.Contains(got.log, c.log) || strings.Contains(got.log, "already") != (c.log != "") {
			t.Errorf("%v: %+v", c.flags, got)
		}
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--target", "7"); got.code != exitOK || !strings.Contains(got.log, "--target VALUE") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "until a value of 8 or better") || !strings.Contains(got.out, "ended: target reached") {
		t.Errorf("%+v", got)
	}
	for flag, want := range map[string]string{"--enqueue": "--enqueue is of the beginning of a study", "--policy": "--policy is of the beginning", "--tarpet": "unknown flag: --tarpet"} {
		if got := callIn(t, dir, "", "resume", "s.db", flag, "x"); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%+v", got)
		}
	}
	if got := callIn(t, dir, "", "resume", "s.db", "--target", "inf"); got.code != exitUsage || !strings.Contains(got.log, "--target = +Inf: want a finite number") {
		t.Errorf("%+v", got)
	}
}

// When the time is over nothing new is started, what runs counts, and the study goes on later; without any value that is said.
func TestTheTimeOfTuneIsOver(t *testing.T) {
	t.Parallel() // it mostly waits
	dir := folder(t, "echo x >> begun; sleep 0.3; echo $2")
	got := tune(t, dir, "--budget", "500", "--workers", "2", "--max-time", "1s")
	if got.code != exitOK || !strings.Contains(got.out, "stopped: the time is over") || !strings.Contains(got.log, "of 500 evaluations; go on by:\ntarry:   tarry resume s.db\n") {
		t.Fatalf("%+v", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "begun"))
	must(t, err)
	_, rows := sheet(t, filepath.Join(dir, "s.db"))
	observed := 0
	for _, row := range rows {
		if row["status"] == "observed" {
			observed++
		}
	}
	if begun := strings.Count(string(text), "x"); begun != observed || begun == 0 {
		t.Errorf("%d commands were begun, and %d values are there", begun, observed)
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "go on by: tarry resume s.db") {
		t.Errorf("%+v", got)
	}
	bad := folder(t, "sleep 0.1; exit 1")
	if got := tune(t, bad, "--budget", "500", "--max-time", "500ms"); got.code != exitNoValue || !strings.Contains(got.log, "the time is over after") || !strings.Contains(got.log, "tarry resume s.db") {
		t.Errorf("%+v", got)
	}
}

// A study that knows everything already is at its end with all of it, whatever the order, and one whose known values differ goes on.
func TestWhatIsKnownMayBeEverything(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{
		"three.yaml": "parameters:\n- {name: i, type: int, low: 1, high: 3}\n",
		"known.csv":  "i,value\n1,0.123456\n1,0.123456\n2,0.53211\n3,0.2345\n2,0.53211\n3,0.2345\n",
		"noisy.csv":  "i,value\n1,0.123456\n1,0.123456\n2,0.53211\n3,0.2345\n2,0.6\n",
	})
	got := callIn(t, dir, "", "tune", "--space", "three.yaml", "--budget", "5", "--study", "s.db", "--observe", "known.csv", "--", "sh", "-c", "echo 1")
	if got.code != exitOK || !strings.Contains(got.out, "6 evaluations") || !strings.Contains(got.out, "ended: every point of the space was queried") {
		t.Fatalf("%+v", got)
	}
	again := callIn(t, dir, "", "inspect", "s.db", "--csv").out
	texts(t, dir, map[string]string{"again.csv": again})
	for study, c := range map[string][2]string{"t.db": {"again.csv", "6 evaluations"}, "u.db": {"noisy.csv", "10 evaluations"}} {
		got := callIn(t, dir, "", "tune", "--space", "three.yaml", "--budget", "5", "--study", study, "--observe", c[0], "--", "sh", "-c", "echo $TARRY_EVALUATION")
		if got.code != exitOK || !strings.Contains(got.out, c[1]) {
			t.Errorf("%s: %+v", c[0], got)
		}
	}
	for said, flags := range map[string][]string{"already, and with more budget it would end again": nil, "": {"--budget", "9"}} {
		got := callIn(t, dir, "", append([]string{"resume", "s.db"}, flags...)...)
		if got.code != exitOK || !strings.Contains(got.out, "6 evaluations") || !strings.Contains(got.log, said) || strings.Contains(got.log, "it goes on") {
			t.Errorf("resumed: %+v", got)
		}
	}
}
