package main

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/loop"
)

// studiesOf is what a study over the space begins with, and what was said of it; the names of studies are those of their files without the end.
func studiesOf(t *testing.T, dir, text, file string, minimize bool) (studies []loop.EarlierStudy, said string, err error) {
	t.Helper()
	d, wrong := spacefile.Parse("s", []byte(text))
	must(t, wrong)
	var log strings.Builder
	e, err := learnFrom(&log, []string{filepath.Join(dir, file)}, "", d.Space, minimize)
	if err == nil {
		studies = e.Studies
		for i := range studies {
			studies[i].Name = strings.TrimSuffix(studies[i].Name, filepath.Ext(file))
		}
	}
	return studies, strings.ReplaceAll(strings.ReplaceAll(log.String(), "north.csv", "north"), "north.db", "north"), err
}

// A table is learned from by the rules of any study: what a study says of another space its table says too, with the same words.
func TestATableIsMatchedAsItsStudyIs(t *testing.T) {
	const north = `parameters:
- {name: rate, type: float, low: 0.0001, high: 1, log: true}
- {name: kind, type: categorical, choices: [sgd, adam, rms]}
- {name: beta, type: float, low: 0, high: 1, when: {kind: adam}}
- {name: layers, type: int, low: 1, high: 4}
`
	dir := folder(t, `awk "BEGIN { l = log($1)/log(10); print 1 - (l+2)^2/4 - $2/10 }"`)
	spaceOf(t, dir, north)
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget", "30", "--study", "north.db", "--policy", "random", "-q", "--", "./train.sh", "{rate}", "{layers}")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	texts(t, dir, map[string]string{"north.csv": callIn(t, dir, "", "inspect", "north.db", "--csv").out})
	const rate = "parameters:\n- {name: rate, type: float, low: 0.001, high: 0.1, log: true}\n"
	for name, c := range map[string]struct{ space, said string }{
		"the same":                   {north, "an earlier study with 30 values"},
		"narrower":                   {rate + north[strings.Index(north, "- {name: kind"):], "30 values are left out, at points outside of this space"},
		"without some":               {rate, "its parameter layers is none of this study, and is not looked at"},
		"with another":               {rate + "- {name: width, type: int, low: 1, high: 9}\n", "has no parameter width: its values say nothing of it"},
		"other words":                {rate + "- {name: kind, type: categorical, choices: [adam, lion]}\n", "values are left out"},
		"inactive there":             {rate + "- {name: beta, type: float, low: 0, high: 1}\n", ""},
		"words here, numbers there":  {rate + "- {name: layers, type: categorical, choices: [few, many]}\n", "layers is "},
		"numbers here, words there":  {rate + "- {name: kind, type: float, low: 0, high: 1}\n", "kind is categorical there and float here"},
		"numbers that are not whole": {rate + "- {name: layers, type: float, low: 0.5, high: 2.5}\n", "values are left out"},
	} {
		study, said, err := studiesOf(t, dir, c.space, "north.db", false)
		table, told, wrong := studiesOf(t, dir, c.space, "north.csv", false)
		if err != nil || wrong != nil || !reflect.DeepEqual(study, table) {
			t.Errorf("%s: %+v, %v\n%+v, %v", name, study, err, table, wrong)
		}
		if !strings.Contains(said, c.said) || !strings.Contains(told, c.said) {
			t.Errorf("%s: %s\n%s, want %s", name, said, told, c.said)
		}
	}
}

func TestWhatATableOfEarlierValuesLacksIsSaid(t *testing.T) {
	const s = "parameters:\n- {name: x, type: float, low: 0, high: 1}\n- {name: y, type: float, low: 0, high: 1}\n- {name: size, type: ordered, values: [1, 3, 9], role: fidelity, costs: [1, 3, 9]}\n"
	for text, want := range map[string]string{
		"x,y,value\n0.1,,1\n0.2,0.5,2\n0.3,0.7,4\n":                           "t.csv: 1 of 3 lines have no y, and are taken to be in the middle of it",
		"x,y,size,value\n0.1,1,1,1\n0.2,1,9,2\n0.3,1,,4\n1,1,3,7":             "an earlier study with 2 values", // those of the greatest fidelity
		"x,y,value\n0.1,a,1\n0.2,0.5,2\n":                                     `t.csv:2:5: y = "a": want a number`,
		"x,y,value\n0.1,0.5,1\n0.2,Inf,2\n":                                   `t.csv:3:5: y = "Inf": want a number`,
		"z,value\n0.1,1\n0.2,2\n":                                             "t.csv: no parameter in common: it has z",
		"x,y\n0.1,1\n":                                                        "no column value",
		"x,y,value\n0.1,1,1\n0.2,1,2\n":                                       "t.csv: it has no column sense: its values are taken as those of a study to maximize, as this one",
		"x,value,sense\n0.1,1,minimise\n":                                     `t.csv:2:7: sense = "minimise": want one of maximize, minimize`,
		"x,value,sense\n0.1,1,minimize\n0.2,2,maximize\n":                     `t.csv:3:7: sense = "maximize": want minimize, as in the first line of the study`,
		"x,x,value\n0.1,1,1\n":                                                "given twice",
		"x,y,value\n":                                                         "no line with a value",
		"x,y,value\n0.1,1,\n":                                                 "no line with a value",
		"x,y,value,status\n0.1,1,,observed\n0.2,1,3,observed\n0.3,1,4,late\n": "an earlier study with 2 values",
	} {
		dir := t.TempDir()
		texts(t, dir, map[string]string{"t.csv": text})
		_, said, err := studiesOf(t, dir, s, "t.csv", false)
		if err != nil {
			said += err.Error()
		}
		if !strings.Contains(said, want) {
			t.Errorf("%q: %s\nwant %s", text, said, want)
		}
	}
}

// What a study that minimizes has found is not taken for what is to be maximized, whichever kind of file says it, and in a table several studies
// have senses of their own.
func TestATableSaysInWhichSenseItsValuesAreGood(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	if got := callIn(t, dir, "", learner("north.db", "8", "--minimize")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	table := callIn(t, dir, "", "inspect", "north.db", "--csv").out
	texts(t, dir, map[string]string{"north.csv": table, "two.csv": "study,rate,share,value,sense\na,0.1,0.5,1,minimize\na,0.1,0.6,2,minimize\nb,0.1,0.5,3,maximize\nb,0.1,0.6,5,maximize\n"})
	for _, minimize := range []bool{false, true} {
		study, _, err := studiesOf(t, dir, hillSpace, "north.db", minimize)
		same, said, wrong := studiesOf(t, dir, hillSpace, "north.csv", minimize)
		if err != nil || wrong != nil || !reflect.DeepEqual(study, same) || strings.Contains(said, "the other sign") == minimize || strings.Contains(said, "no column sense") {
			t.Errorf("%v, %v\n%+v\n%+v\n%s", err, wrong, study, same, said)
		}
	}
	two, _, err := studiesOf(t, dir, hillSpace, "two.csv", false)
	if err != nil || two[0].Values[1] != -2 || two[1].Values[1] != 5 {
		t.Errorf("%+v, %v", two, err)
	}
	if got := callIn(t, dir, "", learner("west.db", "2", "--minimize", "--observe", "north.csv")...); got.code != exitOK {
		t.Errorf("it is a file of known values no more: %+v", got)
	}
}

// A parameter may be called sense, and so may its column, as long as no other column is.
func TestAParameterMayBeCalledSense(t *testing.T) {
	const s = "parameters:\n- {name: sense, type: float, low: 0, high: 1}\n"
	dir := t.TempDir()
	texts(t, dir, map[string]string{"old.csv": "sense,value\n0.1,1\n0.5,2\n", "new.csv": "x.sense,value,sense\n0.1,-1,minimize\n0.5,-2,minimize\n"})
	old, said, err := studiesOf(t, dir, s, "old.csv", false)
	now, _, wrong := studiesOf(t, dir, s, "new.csv", false)
	if err != nil || wrong != nil || !reflect.DeepEqual(old[0].Points, now[0].Points) || !reflect.DeepEqual(old[0].Values, now[0].Values) || !strings.Contains(said, "no column sense") {
		t.Errorf("%+v, %v\n%+v, %v\n%s", old, err, now, wrong, said)
	}
}
