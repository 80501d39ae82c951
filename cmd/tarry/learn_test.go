package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A prior of many studies is a file that a person can read about; a study that began with it needs the file no more.
func TestAStudyBeginsWithAPriorOfOthers(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	files := []string{"a.db", "b.db", "c.db"}
	for i, study := range files {
		line := learner(study, "20", "--policy", "random") // a prior that does not depend on the default
		line[8] = string(rune('1' + i))                    // another seed
		if got := callIn(t, dir, "", line...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	table := callIn(t, dir, "", "inspect", "c.db", "--csv")
	texts(t, dir, map[string]string{"c.csv": table.out})
	for _, of := range [][]string{{"a.db", "b.db", "c.db"}, {"a.db", "b.db", "c.csv"}} {
		got := callIn(t, dir, "", append([]string{"learn", "-o", "prior.json", "--steps", "100"}, of...)...)
		if got.code != exitOK || !strings.Contains(got.out, "a prior learned from 3 studies; studies left out: error") || !strings.Contains(got.log, "learn: 100 %") {
			t.Fatalf("%+v", got)
		}
	}
	got := callIn(t, dir, "", "learn", "-o", "mixed.json", "--steps", "20", "a.db", "b.db", "--source", "c.db", "--alpha", "0.4")
	if text := callIn(t, dir, "", "inspect", "mixed.json"); got.code != exitOK || !strings.Contains(text.out, "c.db, from elsewhere") || strings.Contains(text.out, "a.db, from") {
		t.Errorf("%+v\n%s", got, text.out)
	}
	got = callIn(t, dir, "", "inspect", "prior.json")
	for _, want := range []string{"a prior learned from 3 studies", "of a model that knows of no other study", "expected to be best at rate=0.0", "EXPECTED EFFECT", "c.csv", `"name":"share"`} {
		if !strings.Contains(got.out, want) {
			t.Errorf("no %q in\n%s", want, got.out)
		}
	}
	if got := callIn(t, dir, "", learner("new.db", "6", "--prior", "prior.json")...); got.code != exitOK || !strings.Contains(got.out, "by auto") {
		t.Fatalf("%+v", got)
	}
	must(t, os.Remove(filepath.Join(dir, "prior.json")))
	for _, line := range [][]string{{"verify", "new.db"}, {"resume", "new.db", "--budget", "8"}, {"inspect", "new.db", "--explain", "1"}, {"replay", "new.db", "--policy", "log-ei"}} {
		if got := callIn(t, dir, "", line...); got.code != exitOK {
			t.Errorf("%v: %+v", line, got)
		}
	}
	if got := callIn(t, dir, "", "inspect", "new.db"); !strings.Contains(got.out, "began with a prior learned from 3 studies, ") {
		t.Errorf("%s", got.out)
	}
}

// A table may have several studies, which its column study names.
func TestATableOfSeveralStudiesIsLearnedFrom(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	table := "study,rate,share,value\n"
	for _, site := range []string{"north", "south"} {
		for i, share := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
			table += site + ",0.01," + share + "," + strings.Repeat("1", i+1) + "\n"
		}
		table = strings.ReplaceAll(table, "111,", "112,")
	}
	table = strings.Replace(table, "south,0.01,0.1,1\n", "south,0.01,0.1,7\n", 1)
	texts(t, dir, map[string]string{"old.csv": table})
	got := callIn(t, dir, "", "learn", "old.csv", "--space", "space.yaml", "-o", "prior.json", "--steps", "20", "--minimize", "-q")
	if got.code != exitOK || !strings.Contains(got.out, "2 studies") || got.log != "" {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "inspect", "prior.json"); !strings.Contains(got.out, "old.csv: south") {
		t.Errorf("%s", got.out)
	}
	line := learner("new.db", "5", "--learn-from", "old.csv", "--minimize")
	if got := callIn(t, dir, "", line...); got.code != exitOK || !strings.Contains(got.log, "2 earlier studies with 10 values") || !strings.Contains(got.log, "old.csv: it has no column sense: its values are taken as those of a study to minimize, as this one") {
		t.Errorf("%+v", got)
	}
}

func TestMistakesAboutPriorsAreNamed(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	if got := callIn(t, dir, "", learner("one.db", "12")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, dir, "", "learn", "one.db", "-o", "prior.json", "--steps", "5", "-q"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "prior.json"))
	must(t, err)
	study, err := os.ReadFile(filepath.Join(dir, "one.db"))
	must(t, err)
	texts(t, dir, map[string]string{
		"other.db": string(study), "broken.db": "no study", "half.json": string(whole[:len(whole)/2]), "other.yaml": "parameters: [{name: z, type: float, low: 0, high: 1}]\n",
		"short.json": strings.Replace(string(whole), `"mean":[32,32]`, `"mean":[32]`, 1), "empty.csv": "", "none.csv": "rate,share,value\n", "bad.csv": "rate,share,value\n9,0.5,x\n",
		"huge.csv": "rate,share,value\n9,0.5,1e308\n8,0.5,-1e308\n7,0.5,3\n", "great.json": heavy(t, whole),
	})
	for want, line := range map[string][]string{
		"--output":                              {"learn", "one.db"},
		"--particles = 0":                       {"learn", "one.db", "-o", "p.json", "--particles", "0"},
		"--alpha = 1":                           {"learn", "one.db", "-o", "p.json", "--alpha", "1"},
		"./one.db: given twice":                 {"learn", "one.db", "--source", "./one.db", "-o", "p.json"},
		"--steps = -1":                          {"learn", "one.db", "-o", "p.json", "--steps", "-1"},
		"nowhere":                               {"learn", "one.db", "-o", "nowhere/p.json"},
		"other.db is a database":                {"learn", "one.db", "-o", "other.db"},
		"none.csv is learned from":              {"learn", "one.db", "none.csv", "-o", "./none.csv"},
		"given twice":                           {"learn", "one.db", "./one.db", "-o", "p.json"},
		"broken.db":                             {"learn", "broken.db", "-o", "p.json"},
		"none.db":                               {"learn", "none.db", "-o", "p.json"},
		"want --space":                          {"learn", "none.csv", "-o", "p.json"},
		"no line with a value":                  {"learn", "none.csv", "--space", "space.yaml", "-o", "p.json"},
		"empty.csv":                             {"learn", "empty.csv", "--space", "space.yaml", "-o", "p.json"},
		"want a finite number":                  {"learn", "bad.csv", "--space", "space.yaml", "-o", "p.json"},
		"no parameter in common":                {"learn", "one.db", "--space", "other.yaml", "-o", "p.json"},
		"half.json is no prior of tarry learn":  learner("new.db", "5", "--prior", "half.json"),
		"huge.csv: value 1 is 1e+308":           {"learn", "one.db", "huge.csv", "-o", "p.json"},
		"great.json is no prior of tarry learn": learner("new.db", "5", "--prior", "great.json"),
		"short.json is no prior of tarry learn": learner("new.db", "5", "--prior", "short.json"),
		"--prior: open no.json":                 learner("new.db", "5", "--prior", "no.json"),
		"same sense":                            learner("new.db", "5", "--prior", "prior.json", "--minimize"),
		"it censors":                            learner("new.db", "5", "--prior", "prior.json", "--policy", "ucb-sdf"),
		"looks at no model":                     learner("new.db", "5", "--prior", "prior.json", "--policy", "random"),
		"found another parameter":               {"asktell", "--space", "two.yaml", "--prior", "prior.json"},
	} {
		if strings.Contains(want, "found") {
			texts(t, dir, map[string]string{"two.yaml": strings.Replace(hillSpace, "high: 1}", "high: 2}", 1)})
		}
		if got := callIn(t, dir, "", line...); got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%v: %+v, want %q", line, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "p.json")); err == nil {
		t.Error("a prior was written")
	}
}

// heavy is a prior whose first particle has weights so great that what it predicts is no number.
func heavy(t *testing.T, prior []byte) string {
	t.Helper()
	var p map[string]any
	must(t, json.Unmarshal(prior, &p))
	weights := p["particles"].([]any)[0].([]any)
	for i := range weights[:len(weights)-3] {
		weights[i] = 1e308
	}
	text, err := json.Marshal(p)
	must(t, err)
	return string(text)
}

// A study that is there is asked and told on with the prior that it began with, or with none.
func TestAStudyKeepsToThePriorThatItBeganWith(t *testing.T) {
	dir := folder(t, hillScript)
	spaceOf(t, dir, hillSpace)
	table := "study,rate,share,value\n"
	for i, share := range []string{"0.1", "0.3", "0.5", "0.7", "0.9"} {
		table += "north,0.01," + share + "," + strings.Repeat("1", i+1) + "\nsouth,0.1," + share + "," + strings.Repeat("2", i+1) + "\n"
	}
	texts(t, dir, map[string]string{"old.csv": table, "broken.json": "{"})
	for prior, steps := range map[string]string{"one.json": "20", "two.json": "30"} {
		if got := callIn(t, dir, "", "learn", "old.csv", "--space", "space.yaml", "-o", prior, "--steps", steps, "--minimize", "-q"); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	session := func(more ...string) called {
		return callIn(t, dir, `{"op":"state"}`+"\n", append([]string{"asktell", "--study", "new.db"}, more...)...)
	}
	for _, more := range [][]string{{"--space", "space.yaml", "--minimize", "--prior", "one.json"}, nil, {"--prior", "one.json"}} {
		if got := session(more...); got.code != exitOK {
			t.Errorf("%v: %+v", more, got)
		}
	}
	for prior, want := range map[string]string{
		"none.json":   "--prior: open none.json",
		"broken.json": "broken.json is no prior of tarry learn",
		"two.json":    "study new.db began with another one than what two.json has now, a prior learned from 2 studies",
	} {
		if got := session("--prior", prior); got.code != exitUsage || !strings.Contains(got.log, want) || got.out != "" {
			t.Errorf("%s: %+v, want %q", prior, got, want)
		}
	}
}
