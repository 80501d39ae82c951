package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
)

// What inspect writes of a study that names constraints is known to another one, with its infeasible points, in whichever order that one names them.
func TestWhatWasMeasuredOfConstraintsIsKnown(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	named := []tarry.Constraint{tarry.AtMost("latency", 0.2), tarry.AtLeast("recall", 0.5)}
	turned := []tarry.Constraint{named[1], named[0]}
	file := filepath.Join(t.TempDir(), "known.csv")
	read := func(named []tarry.Constraint) (knowledge, error) {
		k := knowledge{named: named, sense: senses[0]}
		err := readKnown(file, s, &k)
		return k, err
	}
	must(t, os.WriteFile(file, []byte(call(t, "", "inspect", latent(t), "--csv").out), 0o600))
	k, err := read(named)
	if err != nil || k.left != 0 || len(k.known) != 4 || !slices.Equal(k.known[1].Constraints, []float64{0.30000000000000004, 0.75}) {
		t.Errorf("%+v, %v", k, err)
	}
	if k, err = read(turned); err != nil || len(k.known) != 4 || !slices.Equal(k.known[1].Constraints, []float64{0.75, 0.30000000000000004}) {
		t.Errorf("in another order: %+v, %v", k, err)
	}
	if k, err = read(nil); err != nil || k.left != 2 || len(k.known) != 2 || k.known[0].Constraints != nil {
		t.Errorf("without names: %+v, %v", k, err)
	}
	const want = "want 2 finite numbers separated by ;, each with its name, as in latency=0.5, or all without, in the order of the space file"
	for cell, wrong := range map[string]string{
		"0.1; 0.7": "", "recall = 0.7;latency=0.1": "", "0.1": want, "": want, "0.1;0.7;1": want, "0.1;1_0": want, "latency=0.1;0.7": want, "0.1;recall=0.7": want,
		"latency=0.1;latency=0.2": "latency is there twice", "latency=0.1": "constraints.recall = missing", "latency=0.1;recal=0.7": "constraints.recal = 0.7: want one of latency, recall (did you mean recall?)",
		"latency=0.1;recall=0.7;loss=1": "constraints.loss = 1: want one of latency, recall", "latency=0.1;recall=": want, "latency=0.1;recall=inf": want,
	} {
		must(t, os.WriteFile(file, []byte("x,value,constraints\n0.5,1,"+cell+"\n"), 0o600))
		k, err := read(named)
		if wrong == "" && (err != nil || !slices.Equal(k.known[0].Constraints, []float64{0.1, 0.7})) {
			t.Errorf("%q: %+v, %v", cell, k, err)
		}
		if wrong != "" && (err == nil || !strings.Contains(err.Error(), "known.csv:2:7: constraints = ") || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%q: %v", cell, err)
		}
	}
}

// A parameter may have the name of a constraint: the values of both are read back.
func TestAParameterMayHaveTheNameOfAConstraint(t *testing.T) {
	dir := t.TempDir()
	texts(t, dir, map[string]string{
		"s.yaml":  "parameters:\n- {name: a, type: float, low: 0, high: 1}\n- {name: b, type: float, low: 0, high: 1}\nconstraints:\n- {name: b, at_most: 5}\n- {name: a, at_most: 9}\n",
		"own.csv": "a,b,value,constraints\n0.25,0.5,1,a=7;b=3\n",
	})
	for _, file := range []string{"own.csv", "again.csv"} {
		study := file + ".db"
		if got := callIn(t, dir, "", "tune", "--space", "s.yaml", "--budget", "1", "-q", "--observe", file, "--study", study, "--", "sh", "-c", "exit 65"); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		_, rows := sheet(t, filepath.Join(dir, study))
		if r := rows[0]; r["a"] != "0.25" || r["b"] != "0.5" || r["constraints"] != "b=3;a=7" {
			t.Errorf("%s: %v", file, r)
		}
		texts(t, dir, map[string]string{"again.csv": callIn(t, dir, "", "inspect", study, "--csv").out})
	}
}

// Values of a study of the other sense are refused, with the column that says it; so is what is no sense. A file without that column is taken as it is.
func TestKnownValuesOfTheOtherSenseAreRefused(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	must(t, os.WriteFile(filepath.Join(dir, "hand.csv"), []byte("lr,layers,value\n0.1,2,1\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "odd.csv"), []byte("lr,layers,value,sense\n0.1,2,,\n0.1,2,1,smaller\n"), 0o600))
	for _, sense := range []struct {
		flags  []string
		file   string
		refuse string
	}{
		{[]string{"--minimize"}, "low.csv", `sense = "minimize": want maximize, as this study does: give --minimize, or`},
		{nil, "high.csv", `sense = "maximize": want minimize, as this study does: leave out --minimize, or`},
	} {
		if got := tune(t, dir, append([]string{"--budget", "2", "-q", "--study", sense.file + ".db"}, sense.flags...)...); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		texts(t, dir, map[string]string{sense.file: callIn(t, dir, "", "inspect", sense.file+".db", "--csv").out})
		for _, other := range [][]string{nil, {"--minimize"}} {
			got := tune(t, dir, append([]string{"--budget", "1", "-q", "--study", filepath.Join(t.TempDir(), "t.db"), "--observe", sense.file}, other...)...)
			if same := len(other) == len(sense.flags); same != (got.code == exitOK) || !same && (!strings.Contains(got.log, sense.file+":2:") || strings.Count(got.log, sense.refuse) != 1) {
				t.Errorf("%v, %v: %+v", sense, other, got)
			}
		}
	}
	for file, want := range map[string]string{"hand.csv": "", "odd.csv": `odd.csv:3:9: sense = "smaller": want one of maximize, minimize`} {
		got := tune(t, dir, "--budget", "1", "-q", "--study", filepath.Join(t.TempDir(), "t.db"), "--observe", file, "--minimize")
		if (got.code == exitOK) != (want == "") || !strings.Contains(got.log, want) {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// A column status with words of its own leaves lines out: it is named, with the first of them.
func TestAColumnStatusOfOthersIsNamed(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	texts(t, dir, map[string]string{
		"own.csv": "lr,layers,value,status\n0.1,2,1,done\n0.2,2,1,ok\n0.2,3,4, observed\n0.4,3,5,late\n0.2,3,,failed\n0.2,3,1,failed\n", "all.csv": "lr,layers,value,status\n0.1,2,1,done\n",
	})
	const named = `the column status has a word that is none of an evaluation, as "done" is: want observed or late where the value counts, or no such column`
	got := tune(t, dir, "--budget", "1", "-q", "--study", "s.db", "--observe", "own.csv")
	if got.code != exitOK || !strings.Contains(got.log, "2 values; 4 lines have none that counts, and are left out: of 2 "+named) {
		t.Errorf("%+v", got)
	}
	if got = tune(t, dir, "--budget", "1", "-q", "--study", "t.db", "--learn-from", "own.csv"); got.code != exitOK || !strings.Contains(got.log, "own.csv: lines are left out: of 2 "+named) {
		t.Errorf("%+v", got)
	}
	if got = tune(t, dir, "--budget", "1", "-q", "--study", "u.db", "--learn-from", "all.csv"); got.code != exitUsage || !strings.Contains(got.log, "all.csv: no line with a value that counts: of 1 "+named) {
		t.Errorf("%+v", got)
	}
}

// A value is a decimal number, as those of parameters and of commands are.
func TestAKnownValueIsDecimal(t *testing.T) {
	dir := folder(t, `echo "$2"`)
	for _, value := range []string{"1_000", "0x10", "1,5", "nan"} {
		texts(t, dir, map[string]string{"k.csv": "lr,layers,value\n0.1,2,\"" + value + "\"\n"})
		if got := tune(t, dir, "--budget", "1", "-q", "--observe", "k.csv"); got.code != exitUsage || !strings.Contains(got.log, "k.csv:2:7: value = \""+value+"\": want a finite number") {
			t.Errorf("%s: %+v", value, got)
		}
	}
}
