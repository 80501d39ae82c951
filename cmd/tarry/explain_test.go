package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/hindsight"
)

const bowlInAWK = `BEGIN {{ print 1 - (log({lr})/log(10)+2)^2/4 - ({layers}-5)^2/20 }`

// tuned is the folder of a study of the command of the README.
func tuned(t *testing.T, further ...string) string {
	t.Helper()
	dir := folder(t, "")
	args := append([]string{"tune", "--space", "space.yaml", "--budget", "16", "--workers", "1", "--study", "s.db", "--seed", "1"}, further...)
	if got := callIn(t, dir, "", append(args, "--", "awk", bowlInAWK)...); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	return filepath.Join(dir, "s.db")
}

// explanationOf is the JSON of an explanation.
type explanationOf struct {
	Evaluation struct {
		ID    int
		Value *float64
		X     map[string]float64
	}
	How         string
	Recomputed  *bool
	Acquisition *struct{ Name string }
	Chosen      struct{ Mean, Stddev, Acquisition, Worth float64 }
	Others      []struct{ What string }
	Imputed     []struct{ Evaluation int }
	Surprise    *float64 `json:"surprise_sd"`
}

func explained(t *testing.T, path, number string) explanationOf {
	t.Helper()
	got := call(t, "", "inspect", path, "--explain", number, "--json")
	var e explanationOf
	if err := json.Unmarshal([]byte(got.out), &e); err != nil || got.code != exitOK {
		t.Fatalf("%v: %+v", err, got)
	}
	return e
}

func TestATunedStudyIsExplained(t *testing.T) {
	path := tuned(t)
	for number, want := range map[string][]string{
		"2":  {"#2  lr=", "initial design: it is point 2 of the 5", "what came: observed, "},
		"12": {"#12  lr=", "policy auto, asked once more, does the same to the bit", "acquisition: standard deviation where the maximum may be", "every third query explores"},
		"13": {"#13  lr=", "policy auto, asked once more, does the same to the bit", "best by then: #", " over 12 rows, 12 of them answers", "lengthscale of lr: a factor of", "acquisition: upper confidence bound", "best observed", "greatest mean", "least certain", "nothing was pending", ", of the value by the answers alone, as wide as those before should have been, so it came ", "standard deviations from it"},
	} {
		got := call(t, "", "inspect", path, "--explain", number)
		for _, w := range want {
			if got.code != exitOK || !strings.Contains(got.out, w) {
				t.Errorf("%q is missing: %+v", w, got)
			}
		}
		if strings.Contains(got.out, "NaN") || strings.Contains(got.out, " \n") {
			t.Errorf("%s", got.out)
		}
	}
	e := explained(t, path, "13")
	if e.Evaluation.ID != 13 || e.Evaluation.Value == nil || e.Evaluation.X["layers"] == 0 || e.How != "policy" || e.Recomputed == nil || !*e.Recomputed ||
		e.Acquisition == nil || len(e.Others) != 4 || e.Surprise == nil || e.Chosen.Worth < e.Chosen.Mean {
		t.Errorf("%+v", e)
	}
}

func TestAStudyIsReplayedWithOtherPolicies(t *testing.T) {
	path := tuned(t)
	same := call(t, "", "replay", path, "--policy", "auto", "--tolerance", "1e-300")
	if same.code != exitOK || !strings.HasPrefix(same.out, "policy auto, in a study of auto: 0 of 11 queries differ\n") || same.log != "" {
		t.Errorf("%+v", same)
	}
	other := call(t, "", "replay", path, "--policy", "ucb-sdf:nu=2", "--from", "8", "--to", "15")
	for _, w := range []string{"#8  lr=", " expected, ", " came\n", "of 8 queries differ", "median distance", "of its own points than of the chosen ones", "forecasts of ucb-sdf:nu=2", "forecasts of the study"} {
		if other.code != exitOK || !strings.Contains(other.out, w) {
			t.Errorf("%q is missing: %+v", w, other)
		}
	}
	var all struct {
		Summary struct{ Asked, Different int }
		Queries []struct {
			Evaluation int
			Would      map[string]float64
			Distance   float64
		}
	}
	if got := call(t, "", "replay", path, "--policy", "log-ei", "--json"); json.Unmarshal([]byte(got.out), &all) != nil || all.Summary.Asked != 11 ||
		all.Summary.Different != len(all.Queries) || len(all.Queries) == 0 || all.Queries[0].Would["lr"] == 0 {
		t.Errorf("%+v: %+v", got, all)
	}
	got := call(t, "", "replay", path, "--policy", "log-ei", "--csv")
	rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
	if err != nil || len(rows) != len(all.Queries)+1 || strings.Join(rows[0][9:], " ") != "chosen.lr chosen.layers would.lr would.layers" {
		t.Errorf("%v: %+v", err, got)
	}
	if got := call(t, "", "replay", path, "--policy", "auto", "--csv"); strings.Count(got.out, "\n") != 1 {
		t.Errorf("%+v", got)
	}
}

// A study that was killed, and went on, is explained all the same.
func TestAKilledStudyIsExplained(t *testing.T) {
	dir := folder(t, "sleep 0.02; echo $2 $3 | awk '{ print $1 + $2 }'\n")
	cmd := program(t, dir, "tune", "--space", "space.yaml", "--budget", "18", "--workers", "3", "--study", "s.db", "--seed", "2", "--", "./train.sh", "x", "{lr}", "{layers}")
	must(t, cmd.Start())
	path := filepath.Join(dir, "s.db")
	for range 500 {
		if s, err := inspect(path); err == nil && len(s.evaluations()) >= 10 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	must(t, cmd.Process.Kill())
	cmd.Wait()
	if got := callIn(t, dir, "", "resume", "s.db", "--budget", "20"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	for _, number := range []string{"7", "12", "20"} {
		if e := explained(t, path, number); e.Recomputed == nil || !*e.Recomputed || e.How != "policy" {
			t.Errorf("#%s: %+v", number, e)
		}
	}
	if got := call(t, "", "replay", path, "--policy", "auto"); !strings.Contains(got.out, ": 0 of 15 queries differ\n") {
		t.Errorf("%+v", got)
	}
}

func TestMistakesOfWhoeverLooksBack(t *testing.T) {
	path := sampler(t)
	foreign := filepath.Join(t.TempDir(), "text.db")
	must(t, os.WriteFile(foreign, []byte("no study"), 0o600))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"inspect", path, "--explain", "0"}, exitUsage, "#0, want one of 1 … 8"},
		{[]string{"inspect", path, "--explain", "9"}, exitUsage, "#9, want one of 1 … 8"},
		{[]string{"inspect", path, "--explain", "x"}, exitUsage, "invalid argument"},
		{[]string{"inspect", path, "--explain", "1", "--csv"}, exitUsage, "--explain with --csv"},
		{[]string{"inspect", foreign, "--explain", "1"}, exitUsage, "text.db"},
		{[]string{"inspect", path + "x", "--explain", "1"}, exitUsage, "no study"},
		{[]string{"replay", path}, exitUsage, "--policy: want the name of a policy"},
		{[]string{"replay", path, "--policy", "nobody"}, exitUsage, "one of asy-ts"},
		{[]string{"replay", path, "--policy", "random", "--csv", "--json"}, exitUsage, "want one of them"},
		{[]string{"replay", path, "--policy", "random", "--from", "5", "--to", "3"}, exitUsage, "from ≤ to"},
		{[]string{"replay", path, "--policy", "random", "--from", "9"}, exitUsage, "--from: no such evaluation: the first is to be #9, and the study has 8"},
		{[]string{"replay", path, "--policy", "random", "--tolerance", "0"}, exitUsage, "0 < tolerance < 1"},
		{[]string{"replay", foreign, "--policy", "random"}, exitUsage, "text.db"},
	} {
		got := call(t, "", c.args...)
		if got.code != c.code || !strings.Contains(got.log, c.want) || got.out != "" {
			t.Errorf("%q: %+v, want %q", c.args, got, c.want)
		}
	}
}

// Studies in which one of everything happens are explained from their first evaluation to their last.
func TestEverythingThatHappensIsExplained(t *testing.T) {
	path := sampler(t)
	for number, want := range map[string]string{
		"1": "initial design", "3": "uniform point", "4": "constraint 1 is 0.5", "5": "elsewhere: it was measured elsewhere", "8": "pending after >1m0s",
	} {
		if got := call(t, "", "inspect", path, "--explain", number); got.code != exitOK || !strings.Contains(got.out, want) {
			t.Errorf("#%s: %+v, want %q", number, got, want)
		}
	}
}

// Whoever interrupts a comparison gets what was compared by then.
func TestAnInterruptedComparisonEndsWell(t *testing.T) {
	var out, log bytes.Buffer
	text := &otherText{w: &out}
	s := hindsight.Summary{Policy: "log-ei", Recorded: "random", Asked: 3, Different: 1, Failed: 1, Apart: "the end", Less: 1}
	err := compared(context.Canceled, text, s)
	var e exit
	if !errors.As(err, &e) || e.code != exitInterrupted || !strings.Contains(out.String(), "1 of 3 queries differ") || !strings.Contains(out.String(), "ended early: the end") {
		t.Errorf("%v: %s%s", err, out.String(), log.String())
	}
}

// A long comparison says now and then how far it is.
func TestAPassageIsToldNowAndThen(t *testing.T) {
	var log bytes.Buffer
	p := newPassage(&log)
	p.at(1, 9)
	p.begun = p.begun.Add(-time.Minute)
	p.at(5, 9)
	p.at(6, 9)
	p.end()
	if log.String() != "evaluation 5 of 9 after 1m0s\n" {
		t.Errorf("%q", log.String())
	}
}

// A value that an attempt had printed before its time was up is observed where another attempt was left, and late where none was; what is said of it
// does not take the end of the attempt for the outcome.
func TestAValueBeforeTheTimeoutIsObservedWhereAnotherAttemptIsLeft(t *testing.T) {
	t.Parallel() // it mostly waits
	for retries, want := range map[string]string{
		"0": "what came: late, 3 after ",
		"1": "; before that an attempt had ended: no answer within 1s",
	} {
		dir := folder(t, `echo 3; exec sleep 300`)
		tune(t, dir, "--policy", "random", "--budget", "1", "--timeout", "1s", "--grace", "10s", "--retries", retries)
		if got := callIn(t, dir, "", "inspect", "s.db", "--explain", "1"); !strings.Contains(got.out, want) || strings.Contains(got.out, "what came: observed") != (retries == "1") {
			t.Errorf("%s retries: %q is missing in\n%+v", retries, want, got)
		}
	}
}
