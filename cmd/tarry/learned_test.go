package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sequel is the command line of the study of a task in a folder that has space.yaml and train.sh.
func sequel(study string, more ...string) []string {
	line := append([]string{"tune", "--space", "space.yaml", "--budget-cost", "30", "--policy", "mft-mes:particles=3", "--study", study}, more...)
	return append(line, "--", "./train.sh", "{lr}", "{epochs}")
}

const sequelScript = `awk "BEGIN { print 1 - (log($1)/log(10)+2)^2/4 - 1/(1+$2) }"`

// A sequence is a study for each task, and a file of what was learned: made by the first, shown by inspect, and removed by who wants to
// begin anew.
func TestStudiesOfASequenceShareAFile(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	for _, study := range []string{"one.db", "two.db"} {
		got := callIn(t, dir, "", sequel(study, "--sequence", "tasks.json")...)
		if got.code != exitOK || !strings.Contains(got.log, "what was learned is in tasks.json") {
			t.Fatalf("%+v", got)
		}
	}
	seen := callIn(t, dir, "", "inspect", "tasks.json")
	for _, want := range []string{"2 tasks: 3 particles of the hyperparameters of kernel matern52", "one.db", "two.db", "cost 30", "  lr ", "epochs, from one to the next", "noise is", `"role":"fidelity"`} {
		if !strings.Contains(seen.out, want) {
			t.Errorf("%q is missing in:\n%s", want, seen.out)
		}
	}
	for _, line := range [][]string{{"verify", "two.db"}, {"replay", "two.db", "--policy", "mf-mes"}, {"inspect", "two.db", "--explain", "8"}} {
		if got := callIn(t, dir, "", line...); got.code != exitOK {
			t.Errorf("%v: %+v", line, got)
		}
	}
	if one, two := callIn(t, dir, "", "inspect", "one.db"), callIn(t, dir, "", "inspect", "two.db"); strings.Contains(one.out, "began with") || !strings.Contains(two.out, "began with what 1 task taught, as 3 particles, ") {
		t.Errorf("%s%s", one.out, two.out)
	}
	must(t, os.Remove(filepath.Join(dir, "tasks.json")))
	if got := callIn(t, dir, "", sequel("three.db", "--sequence", "tasks.json")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if seen := callIn(t, dir, "", "inspect", "tasks.json"); !strings.Contains(seen.out, "1 task:") {
		t.Errorf("begun anew: %s", seen.out)
	}
}

// Another study has written to the file meanwhile: what it learned stays, and what this one learned goes elsewhere when it is resumed.
func TestWhatAnotherStudyHasLearnedIsNotOverwritten(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	for _, study := range []string{"one.db", "two.db"} {
		if got := callIn(t, dir, "", sequel(study, "--sequence", study+".json")...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
	}
	got := callIn(t, dir, "", "resume", "one.db", "--sequence", "two.db.json")
	if got.code != exitUsage || got.out != "" || !strings.Contains(got.log, "has the tasks [two.db] now, and the study began with none: it is left as it is") {
		t.Errorf("%+v", got)
	}
	if got := callIn(t, dir, "", "resume", "one.db", "--sequence", "other.json"); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	for _, file := range []string{"other.json", "one.db.json"} {
		if seen := callIn(t, dir, "", "inspect", file); !strings.Contains(seen.out, "one.db") {
			t.Errorf("%s: %+v", file, seen)
		}
	}
	more := callIn(t, dir, "", "resume", "one.db", "--budget-cost", "40")
	if seen := callIn(t, dir, "", "inspect", "other.json"); more.code != exitOK || !strings.Contains(seen.out, "1 task:") || !strings.Contains(seen.out, "cost 40") {
		t.Errorf("a study that went on: %+v, %s", more, seen.out)
	}
}

// What was told by lines is learned when the session ends, and again when it is continued.
func TestASessionTeachesTheNextTask(t *testing.T) {
	dir := folder(t, "")
	spaceOf(t, dir, threeFidelities)
	session := func(in string) called {
		return callIn(t, dir, in, "asktell", "--space", "space.yaml", "--policy", "mft-mes:particles=3", "--study", "s.db", "--sequence", "tasks.json")
	}
	tells := `{"op":"ask","n":2}` + "\n" + `{"op":"tell","id":1,"value":0.5}` + "\n"
	if got := session(tells); got.code != exitOK || strings.Contains(got.out, "error") {
		t.Fatalf("%+v", got)
	}
	if seen := callIn(t, dir, "", "inspect", "tasks.json"); !strings.Contains(seen.out, "s.db  1 values") {
		t.Errorf("%+v", seen)
	}
	if got := session(`{"op":"tell","id":2,"value":0.7}` + "\n"); got.code != exitOK || strings.Contains(got.out, "error") {
		t.Fatalf("%+v", got)
	}
	if seen := callIn(t, dir, "", "inspect", "tasks.json"); !strings.Contains(seen.out, "s.db  2 values") || !strings.Contains(seen.out, "1 task:") {
		t.Errorf("%+v", seen)
	}
}

// An empty name in place of the file forgets it, for good.
func TestAStudyForgetsItsSequence(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	runs := func(in string, line ...string) {
		t.Helper()
		if got := callIn(t, dir, in, line...); got.code != exitOK || strings.Contains(got.out, "error") {
			t.Fatalf("%+v", got)
		}
	}
	written := func() bool {
		_, err := os.Stat(filepath.Join(dir, "tasks.json"))
		os.Remove(filepath.Join(dir, "tasks.json"))
		return err == nil
	}
	tell, session := `{"op":"ask"}`+"\n"+`{"op":"tell","id":1,"value":0.5}`, []string{"asktell", "--study", "s.db"}
	runs(tell, append(session, "--space", "space.yaml", "--policy", "mft-mes:particles=3", "--sequence", "tasks.json")...)
	if runs("", session...); !written() {
		t.Error("the study did not remember")
	}
	runs("", append(session, "--sequence", "")...)
	if runs("", session...); written() {
		t.Error("a session was not to write")
	}
	runs("", sequel("t.db", "--sequence", "tasks.json")...)
	written()
	runs("", "resume", "t.db", "--sequence", "")
	if runs("", "resume", "t.db", "--budget-cost", "40"); written() {
		t.Error("a study was not to write")
	}
}

func TestMistakesAboutSequencesAreNamed(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	if got := callIn(t, dir, "", sequel("one.db", "--sequence", "tasks.json")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	texts(t, dir, map[string]string{"broken.json": "{", "other.json": `{"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]},"kernel":"matern52","tasks":[],"particles":[]}`})
	for want, line := range map[string][]string{
		"broken.json is no file of what was learned":                  sequel("two.db", "--sequence", "broken.json"),
		"other.json is no file of what was learned: want a space":     sequel("two.db", "--sequence", "other.json"),
		"--sequence: stat " + filepath.Join(dir, "none"):              sequel("two.db", "--sequence", "none/tasks.json"),
		"broken.json is no file of what was learned: ":                {"inspect", "broken.json"},
		"other.json is no file of what was learned: ":                 {"inspect", "other.json"},
		"want no --csv, --json, --plot, --top and --explain":          {"inspect", "tasks.json", "--csv"},
		"nothing with policy mf-mes: it does not learn over tasks":    sequel("two.db", "--sequence", "tasks.json", "--policy", "mf-mes"),
		`found another parameter 1: {"name":"lr",`:                    {"asktell", "--space", "rate.yaml", "--policy", "mft-mes:particles=3", "--sequence", "tasks.json"},
		"resume takes --budget, --budget-cost, --target, --max-time,": {"resume", "one.db", "--initial", "3"},
	} {
		texts(t, dir, map[string]string{"rate.yaml": strings.Replace(threeFidelities, "lr", "rate", 1)})
		if got := callIn(t, dir, "", line...); got.code == exitOK || !strings.Contains(got.log, want) {
			t.Errorf("%v: %+v, want %q", line, got, want)
		}
	}
}

// Two studies of one name in different folders are two studies: what the other one learned meanwhile stays.
func TestStudiesOfOneNameDoNotTakeEachOthersPlace(t *testing.T) {
	a, b := folder(t, sequelScript), folder(t, sequelScript)
	shared := filepath.Join(t.TempDir(), "tasks.json")
	for _, dir := range []string{a, b} {
		spaceOf(t, dir, threeFidelities)
	}
	if got := callIn(t, a, "", sequel("study.db", "--sequence", filepath.Join(a, "own.json"))...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if got := callIn(t, b, "", sequel("study.db", "--seed", "7", "--sequence", shared)...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	before, err := os.ReadFile(shared)
	must(t, err)
	got := callIn(t, a, "", "resume", "study.db", "--sequence", shared, "--budget-cost", "40")
	after, err := os.ReadFile(shared)
	must(t, err)
	if got.code != exitUsage || !strings.Contains(got.log, "it is left as it is") || string(before) != string(after) {
		t.Errorf("%+v", got)
	}
}

// What cannot be learned, or not be written, is said before anything is spent.
func TestASequenceThatCannotBeWrittenIsRefusedAtTheStart(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	plain := []string{"tune", "--space", "space.yaml", "--budget-cost", "30", "--study", "p.db", "--seed", "1"}
	refused := func(got called, want string) {
		t.Helper()
		if got.code != exitUsage || !strings.Contains(got.log, want) {
			t.Errorf("%+v, want %q", got, want)
		}
	}
	refused(callIn(t, dir, "", append(append(plain, "--sequence", "none.json"), "--", "./train.sh", "{lr}", "{epochs}")...), "--sequence: policy auto learns nothing over tasks")
	refused(callIn(t, dir, "", "asktell", "--space", "space.yaml", "--sequence", "none.json"), "--sequence: policy auto learns nothing over tasks")
	must(t, os.WriteFile(filepath.Join(dir, "fixed.json"), []byte("{}"), 0o644))
	refused(callIn(t, dir, "", sequel("q.db", "--sequence", "fixed.json")...), "is no file of what was learned")
	if got := callIn(t, dir, "", append(plain, "--", "./train.sh", "{lr}", "{epochs}")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	refused(callIn(t, dir, "", "resume", "p.db", "--sequence", "none.json"), "--sequence: policy auto learns nothing over tasks")
	if got := callIn(t, dir, "", "resume", "p.db"); got.code != exitOK {
		t.Errorf("what was refused is kept: %+v", got)
	}
}

// A file that is written anew stays readable for whom it was, and a link stays one.
func TestAFileOfASequenceStaysWhatItIs(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	if got := callIn(t, dir, "", sequel("one.db", "--sequence", "real.json")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	must(t, os.Chmod(filepath.Join(dir, "real.json"), 0o664))
	must(t, os.Symlink("real.json", filepath.Join(dir, "link.json")))
	if got := callIn(t, dir, "", sequel("two.db", "--sequence", "link.json")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	info, err := os.Lstat(filepath.Join(dir, "real.json"))
	must(t, err)
	link, err := os.Lstat(filepath.Join(dir, "link.json"))
	must(t, err)
	seen := callIn(t, dir, "", "inspect", "real.json")
	if info.Mode().Perm() != 0o664 || link.Mode()&os.ModeSymlink == 0 || !strings.Contains(seen.out, "2 tasks") {
		t.Errorf("%v, %v: %s", info.Mode(), link.Mode(), seen.out)
	}
	must(t, os.Chmod(filepath.Join(dir, "real.json"), 0o444))
	if got := callIn(t, dir, "", sequel("three.db", "--sequence", "real.json")...); got.code != exitUsage || !strings.Contains(got.log, "permission denied") {
		t.Errorf("%+v", got)
	}
}

// Before the first fit nothing was compared with what earlier tasks taught.
func TestWhatWasNotComparedIsNotSaidToBeTheBest(t *testing.T) {
	dir := folder(t, sequelScript)
	spaceOf(t, dir, threeFidelities)
	if got := callIn(t, dir, "", sequel("one.db", "--sequence", "tasks.json")...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	policy := callIn(t, dir, "", "inspect", "one.db").out
	policy = policy[strings.Index(policy, "policy ")+len("policy "):]
	policy = policy[:strings.Index(policy, ", seed")]
	callIn(t, dir, `{"op":"ask"}`, "asktell", "--space", "space.yaml", "--policy", policy, "--sequence", "tasks.json", "--study", "two.db")
	if got := callIn(t, dir, "", "inspect", "two.db"); !strings.Contains(got.out, "began with what 1 task taught, as 3 particles\n") {
		t.Errorf("%+v", got)
	}
}
