package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const branchesYAML = `parameters:
- {name: kind, type: categorical, choices: [adam, sgd]}
- {name: beta, type: float, low: 0.8, high: 1, step: 0.05, when: {kind: adam}}
- {name: momentum, type: float, low: 0, high: 1, step: 0.25, when: {kind: sgd}}
- {name: nesterov, type: bool, when: {kind: sgd}}
- {name: layers, type: int, low: 1, high: 2}
- {name: width2, type: ordered, values: [16, 32], when: {layers: {at_least: 2}}}
`

// branchesScript fails where something inactive is there, or something active is not.
const branchesScript = `
case $TARRY_KIND in
adam) [ "$TARRY_BETA" ] && [ -z "$TARRY_MOMENTUM$TARRY_NESTEROV" ] && score=$TARRY_BETA || exit 1
  grep -q '"beta":' "$TARRY_PARAMETERS" && ! grep -q 'momentum\|nesterov' "$TARRY_PARAMETERS" || exit 2 ;;
sgd) [ "$TARRY_MOMENTUM" ] && [ "$TARRY_NESTEROV" ] && [ -z "$TARRY_BETA" ] && score=$TARRY_MOMENTUM || exit 3 ;;
esac
want="--kind $TARRY_KIND${TARRY_BETA:+ --beta=$TARRY_BETA}${TARRY_MOMENTUM:+ --momentum $TARRY_MOMENTUM} --layers $TARRY_LAYERS${TARRY_WIDTH2:+ $TARRY_WIDTH2}"
[ "$*" = "$want" ] || exit 4
echo "$score"
`

// A command of a space with conditions gets what is active and nothing else, no configuration comes twice, and what inspect writes
// of the study is read again.
func TestACommandIsTunedOverBranches(t *testing.T) {
	t.Setenv("TARRY_BETA", "from elsewhere")
	dir := folder(t, branchesScript)
	texts(t, dir, map[string]string{"space.yaml": branchesYAML, "first.csv": "kind,beta,momentum,layers\nsgd,,0.5,1\n,0.85,,\n"})
	tune := func(study string, flags ...string) called {
		args := append([]string{"tune", "--space", "space.yaml", "--study", study, "--seed", "3", "-q"}, flags...)
		return callIn(t, dir, "", append(args, "--", "./train.sh", "--kind", "{kind}", "--beta={beta}", "--momentum", "{momentum}", "--layers", "{layers}", "{width2}")...)
	}
	// 5 values of beta, and 5 of momentum times 2, each with layers 1, or 2 and 2 widths: 45 configurations. A few come
	// again, to be sure that there is no noise: many values are the same, in two digits.
	got := tune("s.db", "--budget", "60", "--enqueue", "first.csv")
	if got.code != exitOK || !strings.Contains(got.out, "kind=adam beta=1 layers=") || strings.Contains(got.out, "NaN") {
		t.Fatalf("%+v", got)
	}
	_, rows := sheet(t, filepath.Join(dir, "s.db"))
	seen := map[string]bool{}
	for i, row := range rows {
		at := strings.Join([]string{row["kind"], row["beta"], row["momentum"], row["nesterov"], row["layers"], row["width2"]}, ",")
		if row["status"] != "observed" || seen[at] && i < 45 || (row["kind"] == "adam") != (row["momentum"] == "") || (row["layers"] == "1") != (row["width2"] == "") {
			t.Errorf("evaluation %d is %v", i+1, row)
		}
		seen[at] = true
	}
	if len(rows) < 45 || len(rows) > 50 || len(seen) != 45 || rows[0]["momentum"] != "0.5" || rows[1]["kind"] != "adam" || rows[1]["beta"] != "0.85" {
		t.Errorf("%d evaluations of %d configurations: %v, %v", len(rows), len(seen), rows[0], rows[1])
	}
	var found struct {
		Evaluations []struct{ X map[string]any }
	}
	text := callIn(t, dir, "", "inspect", "s.db", "--json").out
	if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Evaluations) != len(rows) {
		t.Fatalf("%v: %s", err, text)
	}
	for _, e := range found.Evaluations {
		_, beta := e.X["beta"]
		if _, momentum := e.X["momentum"]; beta == momentum || beta != (e.X["kind"] == "adam") {
			t.Errorf("%v", e.X)
		}
	}
	for _, args := range [][]string{{"inspect", "s.db"}, {"inspect", "s.db", "--plot", "plots"}, {"verify", "s.db"}} {
		if got := callIn(t, dir, "", args...); got.code != exitOK || strings.Contains(got.out, "NaN") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	texts(t, dir, map[string]string{"known.csv": callIn(t, dir, "", "inspect", "s.db", "--csv").out})
	if got = tune("t.db", "--budget", "3", "--observe", "known.csv"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	if verified := callIn(t, dir, "", "verify", "t.db"); verified.code != exitOK {
		t.Errorf("%+v", verified)
	}
	_, again := sheet(t, filepath.Join(dir, "t.db"))
	for i, row := range rows {
		if len(again) < len(rows) || again[i]["beta"] != row["beta"] || again[i]["momentum"] != row["momentum"] || again[i]["value"] != row["value"] {
			t.Fatalf("%v became %v", row, again)
		}
	}
}

func TestWhatIsWrongWithPointsInBranchesIsNamed(t *testing.T) {
	dir := folder(t, "echo 1")
	texts(t, dir, map[string]string{
		"space.yaml": branchesYAML,
		"known.csv":  "kind,beta,momentum,nesterov,layers,value\nadam,,0.5,true,1,3\nsgd,0.9,0.5,true,1,3\nadam,0.9,,,2,3\n,,,,1,3\n",
		"first.csv":  "beta,momentum\n0.9,0.5\n",
	})
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", "s.db", "--observe", "known.csv", "--", "./train.sh")
	for _, want := range []string{"known.csv:2:6: beta: missing", "known.csv:4:1: width2: missing", "known.csv:5:1: kind: missing"} {
		if !strings.Contains(got.log, want) {
			t.Errorf("%q is missing in\n%s", want, got.log)
		}
	}
	if got.code != exitUsage || strings.Count(got.log, "missing") != 3 {
		t.Errorf("%+v", got)
	}
	if got = callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", "s.db", "--enqueue", "first.csv", "--", "./train.sh"); got.code != exitUsage ||
		!strings.Contains(got.log, "no value of kind allows all of them") {
		t.Errorf("%+v", got)
	}
	if got = callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", "s.db", "--", "sh", "-c", "train {beta}"); got.code != exitUsage ||
		!strings.Contains(got.log, "no {beta} in a script") {
		t.Errorf("%+v", got)
	}
}

func TestASessionOverBranches(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{"space.yaml": branchesYAML})
	got := callIn(t, dir, `{"op":"enqueue","x":{"momentum":0.75,"layers":1}}
{"op":"observe","x":{"kind":"adam","beta":0.9,"momentum":0.5,"layers":1},"value":0.25}
{"op":"observe","x":{"kind":"adam","layers":2},"value":0.25}
{"op":"ask"}
{"op":"tell","id":2,"value":0.5}
{"op":"best"}
{"op":"help"}
`, "asktell", "--space", "space.yaml", "--seed", "7", "--study", "s.db")
	lines := strings.Split(got.out, "\n")
	for i, want := range map[int]string{
		0: `{"ok":true}`, 1: `{"ok":true`, 2: `x.beta: missing: want one of 0.8, 0.85 … 1 (steps of 0.05); x.width2: missing`,
		3: `"x":{"kind":"sgd","momentum":0.75,"nesterov":`, 5: `"x":{"kind":"sgd","momentum":0.75,"nesterov":`,
		6: `"beta: one of 0.8, 0.85 … 1 (steps of 0.05), where kind = adam"`,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s, want %s", i+1, lines[i], want)
		}
	}
	if strings.Contains(lines[3], "beta") || strings.Contains(lines[3], "width2") {
		t.Errorf("%s", lines[3])
	}
}

// A choice without a letter of a parameter with conditions is read again: an empty cell is that choice where the parameter is active.
func TestAnEmptyChoiceOfABranchIsReadAgain(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{"space.yaml": "parameters:\n- {name: deep, type: categorical, choices: [p, q], when: {w: ''}}\n- {name: w, type: categorical, choices: ['', b], when: {k: x}}\n- {name: k, type: categorical, choices: [x, y]}\n"})
	tune := func(study string, flags ...string) called {
		return callIn(t, dir, "", append(append([]string{"tune", "--space", "space.yaml", "--study", study, "--budget", "4", "-q"}, flags...), "--", "sh", "-c", "echo 1")...)
	}
	got := tune("s.db")
	texts(t, dir, map[string]string{"told.csv": callIn(t, dir, "", "inspect", "s.db", "--csv").out, "first.csv": "k,w\nx,\n,b\n"})
	_, before := sheet(t, filepath.Join(dir, "s.db"))
	if got.code != exitOK || !slices.ContainsFunc(before, func(r map[string]string) bool { return r["k"] == "x" && r["w"] == "" && r["deep"] != "" }) {
		t.Fatalf("%+v\n%v", got, before)
	}
	if got = tune("t.db", "--observe", "told.csv"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	_, after := sheet(t, filepath.Join(dir, "t.db"))
	for i, row := range before {
		if a := after[i]; a["k"] != row["k"] || a["w"] != row["w"] || a["deep"] != row["deep"] {
			t.Errorf("%v became %v", row, a)
		}
	}
	if got = tune("u.db", "--enqueue", "first.csv"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if _, rows := sheet(t, filepath.Join(dir, "u.db")); rows[0]["k"] != "x" || rows[0]["w"] != "" || rows[0]["deep"] == "" || rows[1]["w"] != "b" {
		t.Errorf("%v", rows)
	}
}
