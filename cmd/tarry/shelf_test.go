package main

import (
	"strings"
	"testing"
)

const (
	shelfSpace = "parameters:\n- {name: ph, type: float, low: 0, high: 14}\n- {name: kind, type: categorical, choices: [acid, salt]}\n" +
		"- {name: dose, type: float, low: 1, high: 2, when: {kind: salt}}\n- {name: lamp, type: int, low: 3, high: 3}\n"
	shelf = "smiles,kind,ph,dose\nCO,acid,3,\nCCO,salt,7,1.5\nCCC,salt,9,1\nO,acid,5,1.2\nOO,acid,5,1.3\n"
)

// With --points only the points of the file are queried, and the study ends when all were.
func TestOnlyListedPointsAreQueried(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	texts(t, dir, map[string]string{"space.yaml": shelfSpace, "shelf.csv": shelf})
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--points", "shelf.csv", "--budget", "20", "--study", "s.db", "--", "./train.sh", "{kind}", "{ph}")
	if got.code != exitOK || !strings.Contains(got.log, "--points shelf.csv: 4 points, and 1 line again; what is no parameter to choose is left out: smiles") ||
		!strings.Contains(got.out, "every point of the space was queried") || !strings.Contains(got.out, "best #") || !strings.Contains(got.out, "ph=9 kind=salt dose=1 lamp=3: 9") {
		t.Errorf("%+v", got)
	}
	_, rows := sheet(t, dir+"/s.db")
	for _, row := range rows {
		if p := row["ph"] + row["kind"] + row["dose"]; p != "3acid" && p != "7salt1.5" && p != "9salt1" && p != "5acid" {
			t.Errorf("%v", row)
		}
	}
}

// A session on a list goes on with the same list, from the file of points or in the file of the space.
func TestAListIsThatOfTheStudy(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{
		"space.yaml": shelfSpace, "shelf.csv": shelf, "half.csv": "kind,ph,dose\nacid,3,\nacid,5,\n",
		"other.csv": strings.Replace(shelf, "7", "7.5", 1), "other.yaml": strings.Replace(shelfSpace, "14", "13", 1), "otherwise.csv": shelf,
		"list.yaml": shelfSpace + "points: [{kind: acid, ph: 3, lamp: 3}, {kind: salt, ph: 7, dose: 1.5, lamp: 3}, {kind: salt, ph: 9, dose: 1, lamp: 3}, {kind: acid, ph: 5, lamp: 3}]\n",
	})
	call := func(flags ...string) called {
		return callIn(t, dir, `{"op":"ask"}`+"\n", append([]string{"asktell", "--study", "s.db"}, flags...)...)
	}
	if got := call("--space", "space.yaml", "--points", "shelf.csv"); got.code != exitOK || !strings.Contains(got.out, `"id":1`) {
		t.Fatalf("%+v", got)
	}
	if got := call("--space", "list.yaml"); got.code != exitOK || !strings.Contains(got.out, `"id":2`) {
		t.Errorf("%+v", got)
	}
	for flags, want := range map[string]string{
		"--space space.yaml":                        "--space space.yaml: study s.db has other points: 4, not all of the space",
		"--space space.yaml --points half.csv":      "--space space.yaml --points half.csv: study s.db has other points: 4, not 2",
		"--space space.yaml --points other.csv":     "other points: the one with number 2 is the first that is another one",
		"--space other.yaml --points otherwise.csv": "--space other.yaml --points otherwise.csv: study s.db has another one: parameter 1 is {\"name\":\"ph\",\"type\":\"float\",\"low\":0,\"high\":14}, not {",
	} {
		if got := call(strings.Fields(flags)...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%v: %+v", flags, got)
		}
	}
	if got := callIn(t, dir, "", "inspect", "s.db"); !strings.Contains(got.out, "(1 initial), a list of 4 points") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "inspect", "s.db", "--json"); !strings.Contains(got.out, `"points": 4`) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsWrongWithAListIsNamed(t *testing.T) {
	dir := folder(t, "echo 1")
	texts(t, dir, map[string]string{
		"space.yaml": shelfSpace, "list.yaml": shelfSpace + "points: [{kind: acid, ph: 3, lamp: 3}]\n", "shelf.csv": shelf, "none.csv": "kind,ph,dose\n",
		"wrong.csv": "kind,ph,dose\nacid,15,\noil,3,\nsalt,3,\n,3,\nacid,1_0,\n", "column.csv": "knd,ph,dose\nacid,3,\n", "semicolons.csv": "kind;ph;dose\nacid;1,5;\n",
		"case.csv": "Kind,pH,dose\nacid,3,\n", "none at all.csv": "a,b\n1,2\n", "twice.csv": "ph,kind,dose,ph\n1,acid,,1\n", "fixed.csv": "ph\n1\n",
		"fixed.yaml": "parameters:\n- {name: ph, type: float, low: 0, high: 14}\n- {name: kind, type: categorical, choices: [salt]}\n- {name: dose, type: float, low: 1, high: 2, when: {kind: salt}}\n",
	})
	for _, c := range []struct {
		space, points string
		wants         []string
	}{
		{"space.yaml", "wrong.csv", []string{`wrong.csv:2:6: ph = "15": want a number in [0, 14]`, `wrong.csv:3:1: kind = "oil": want one of acid, salt`, "wrong.csv:4:8: dose: missing", "wrong.csv:5:1: kind: missing", `wrong.csv:6:6: ph = "1_0": want a number`}},
		{"space.yaml", "column.csv", []string{"column.csv:1:1: no column kind: want it in place of knd"}},
		{"space.yaml", "case.csv", []string{"case.csv:1:1: no column ph: want it in place of pH", "no column kind: want it in place of Kind"}},
		{"space.yaml", "semicolons.csv", []string{"semicolons.csv:1:1: no column ph: want cells separated by commas"}},
		{"space.yaml", "none at all.csv", []string{"no column ph (there are a, b)"}},
		{"space.yaml", "twice.csv", []string{`twice.csv:1:14: column "ph": given twice`}},
		{"fixed.yaml", "fixed.csv", []string{"fixed.csv:1:1: no column dose (there are ph)"}},
		{"space.yaml", "none.csv", []string{"none.csv: no line with a point"}},
		{"space.yaml", "nowhere.csv", []string{"--points: open nowhere.csv"}},
		{"list.yaml", "shelf.csv", []string{"list.yaml has points itself: want one of both"}},
	} {
		got := callIn(t, dir, "", "tune", "--space", c.space, "--points", c.points, "--budget", "3", "--study", "s.db", "--", "./train.sh")
		for _, want := range c.wants {
			if got.code != exitUsage || !strings.Contains(got.log, want) {
				t.Errorf("%s: %+v, want %s", c.points, got, want)
			}
		}
	}
	if got := callIn(t, dir, "", "asktell", "--points", "shelf.csv"); got.code != exitUsage || !strings.Contains(got.log, "--space is missing") {
		t.Errorf("%+v", got)
	}
}

// Columns are taken by the names of the parameters, also where inspect --csv writes another column of that name, and what nobody needs may be
// there in any form.
func TestColumnsOfAShelfAreTakenAsTheyAre(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	texts(t, dir, map[string]string{
		"space.yaml": "parameters:\n- {name: cost, type: int, low: 0, high: 12}\n- {name: value, type: float, low: 0, high: 9}\n",
		"shelf.csv":  "\ufeffnote,x.value,cost,note,,\r\na,1,2,b,,\r\nc,3,4,d,,\r\ne,3,4,f,,\r\n",
	})
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--points", "shelf.csv", "--budget", "9", "--study", "s.db", "--", "./train.sh", "x", "{value}")
	if got.code != exitOK || !strings.Contains(got.log, "2 points, and 1 line again; what is no parameter to choose is left out: note\n") || !strings.Contains(got.out, "cost=4 value=3: 3") {
		t.Errorf("%+v", got)
	}
}
