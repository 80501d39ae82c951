package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const hillScript = `awk "BEGIN { l = log($1)/log(10); print 1 - (l+2)^2/4 - ($2-0.7)^2 }"`

const hillSpace = `parameters:
- {name: rate, type: float, low: 0.0001, high: 1, log: true}
- {name: share, type: float, low: 0, high: 1}
`

// learner is the command line of a study in a folder that has space.yaml and train.sh.
func learner(study, budget string, more ...string) []string {
	line := append([]string{"tune", "--space", "space.yaml", "--budget", budget, "--study", study, "--seed", "3"}, more...)
	return append(line, "--", "./train.sh", "{rate}", "{share}")
}

// What earlier studies found is in the new study's own file: theirs may go, and it can be resumed, verified and explained.
func TestAStudyLearnsFromEarlierOnes(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	for _, study := range []string{"one.db", "two.db"} {
		if got := callIn(t, dir, "", learner(study, "12")...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		spaceOf(t, dir, strings.Replace(hillSpace, "0.0001", "0.00011", 1)) // the second has another range
	}
	spaceOf(t, dir, hillSpace)
	got := callIn(t, dir, "", learner("new.db", "6", "--learn-from", "one.db,two.db")...)
	if got.code != exitOK || !strings.Contains(got.log, "2 earlier studies with") || !strings.Contains(got.out, "by auto:earlier=2") {
		t.Fatalf("%+v", got)
	}
	must(t, os.Remove(filepath.Join(dir, "one.db")))
	must(t, os.Remove(filepath.Join(dir, "two.db")))
	for _, line := range [][]string{{"verify", "new.db"}, {"resume", "new.db", "--budget", "8"}, {"inspect", "new.db", "--explain", "6"}, {"replay", "new.db", "--policy", "gp-bucb"}} {
		if got := callIn(t, dir, "", line...); got.code != exitOK {
			t.Errorf("%v: %+v", line, got)
		}
	}
	if got := callIn(t, dir, "", "inspect", "new.db"); !strings.Contains(got.out, "began with 2 earlier studies with 24 values; now this study counts for ") {
		t.Errorf("%s", got.out)
	}
	if got := callIn(t, dir, "", "inspect", "new.db", "--explain", "5"); !strings.Contains(got.out, "weight of one.db") {
		t.Errorf("%s", got.out)
	}
}

func TestMistakesAboutEarlierStudiesAreNamed(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	if got := callIn(t, dir, "", learner("one.db", "12")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	texts(t, dir, map[string]string{"broken.db": "no study", "other.yaml": "parameters: [{name: z, type: float, low: 0, high: 1}]\n"})
	for want, line := range map[string][]string{
		"--learn-from: stat none.db":                     learner("new.db", "5", "--learn-from", "none.db"),
		"--learn-from: the name of file 2 of 2 is empty": learner("new.db", "5", "--learn-from", "one.db,"),
		"broken.db":                                    learner("new.db", "5", "--learn-from", "broken.db"),
		"one.db: the same values as one.db":            learner("new.db", "5", "--learn-from", "one.db,one.db"),
		"one.db is the very study that learns from it": learner("one.db", "5", "--learn-from", "one.db"),
		"nothing with policy gp-bucb: it looks at no earlier studies, as auto:earlier=2 and rgpe do": learner("new.db", "5", "--learn-from", "one.db", "--policy", "gp-bucb"),
		"--learn-from: tarry: one.db: no parameter in common: it has r":                              {"asktell", "--space", "other.yaml", "--learn-from", "one.db"},
	} {
		if got := callIn(t, dir, "", line...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%v: %+v, want %q", line, got, want)
		}
	}
}

// A study that is there is asked and told on with the files that it began with, or with none.
func TestAStudyKeepsToTheEarlierOnesThatItBeganWith(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	for i, study := range []string{"one.db", "two.db"} {
		line := learner(study, "8")
		line[8] = string(rune('1' + i)) // another seed
		if got := callIn(t, dir, "", line...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	session := func(more ...string) called {
		return callIn(t, dir, `{"op":"state"}`+"\n", append([]string{"asktell", "--study", "new.db"}, more...)...)
	}
	for _, more := range [][]string{{"--space", "space.yaml", "--learn-from", "one.db"}, nil, {"--learn-from", "one.db"}} {
		if got := session(more...); got.code != exitOK {
			t.Errorf("%v: %+v", more, got)
		}
	}
	for files, want := range map[string]string{
		"none.db":       "--learn-from: stat none.db",
		"two.db":        "study new.db began with an earlier study with 8 values",
		"one.db,two.db": "not with what one.db,two.db has now",
	} {
		if got := session("--learn-from", files); got.code != exitUsage || !strings.Contains(got.log, want) || got.out != "" {
			t.Errorf("%s: %+v, want %q", files, got, want)
		}
	}
}
