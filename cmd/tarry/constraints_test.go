package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
)

// latent is a study of one parameter that names two constraints: every second evaluation violates one.
func latent(t *testing.T) string {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	policy, err := tarry.ParsePolicy("gp-bucb")
	must(t, err)
	o := tarry.Options{Budget: 8, Initial: 4, Policy: policy, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.2), tarry.AtLeast("recall", 0.5)}}
	return madeUp(t, s, o, func(study *tarry.Study) {
		for k := range 4 {
			q, err := study.Ask()
			must(t, err, study.TellOutcome(q.ID, tarry.Outcome{Value: float64(k), Constraints: []float64{0.1 + 0.2*float64(k%2), 0.75}}))
		}
	})
}

func TestInspectShowsMarginsAndTheProbabilityOfFeasibility(t *testing.T) {
	path := latent(t)
	for _, c := range []struct {
		flag  string
		wants []string
	}{
		{"--top=0", []string{
			"\nfeasible where latency at most 0.2, recall at least 0.5\n", "\nbest         #3  2  x=", "\nfeasible     with probability ",
			"\n  latency at most 0.2: 0.1 measured, margin 0.1; ", "\n  recall at least 0.5: 0.75 measured, margin 0.25; 0.75 ± ", "value  latency  recall ",
			"latency is 0.30000000000000004: want at most 0.2",
		}},
		{"--json", []string{
			`"name": "latency",` + "\n" + `        "at_most": 0.2`, `"probability": `, `"margin": 0.25`, `"latency": 0.1,` + "\n" + `        "recall": 0.75`,
		}},
		{"--csv", []string{"1,1,observed,0,0,latency=0.1;recall=0.75,", "2,1,infeasible,1,0,latency=0.30000000000000004;recall=0.75,"}},
	} {
		got := call(t, "", "inspect", path, c.flag)
		for _, want := range c.wants {
			if got.code != exitOK || !strings.Contains(got.out, want) {
				t.Errorf("%s: %q is missing in:\n%s", c.flag, want, got.out)
			}
		}
	}
}

// A value that violates a constraint teaches: whoever looks back shows it, and judges its forecast, as inspect does.
func TestAValueThatViolatesAConstraintIsLookedBackAt(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	policy, err := tarry.ParsePolicy("gp-bucb")
	must(t, err)
	for _, ignore := range []bool{false, true} {
		o := tarry.Options{Budget: 12, Initial: 4, Policy: policy, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.2)}, IgnoreInfeasible: ignore}
		path := madeUp(t, s, o, func(study *tarry.Study) {
			for k := range 12 {
				q, err := study.Ask()
				must(t, err, study.TellOutcome(q.ID, tarry.Outcome{Value: float64(k), Constraints: []float64{0.1 + 0.2*float64(k%2)}}))
			}
		})
		shown := call(t, "", "inspect", path).out
		back := call(t, "", "replay", path, "--policy", "gp-bucb:beta=3").out
		explained := call(t, "", "inspect", path, "--explain", "12").out
		judged := strings.Contains(shown, "of 8 values in the central 80 %")
		if judged == ignore || strings.Contains(back, "of 8 values") == ignore || strings.Contains(back, "(infeasible) came") == ignore || strings.Contains(explained, "so it came") == ignore {
			t.Errorf("ignored %v:\n%s\n%s\n%s", ignore, shown, back, explained)
		}
	}
}

func TestACommandSaysItsConstraintsByName(t *testing.T) {
	dir := t.TempDir()
	file, study := filepath.Join(dir, "space.yaml"), filepath.Join(dir, "s.db")
	must(t, os.WriteFile(file, []byte("parameters:\n- {name: x, type: float, low: 0, high: 1}\nconstraints:\n- {name: latency, at_most: 0.5}\n"), 0o600))
	got := call(t, "", "tune", "--space", file, "--study", study, "--budget", "6", "-q", "--policy", "random", "--", "sh", "-c", `echo "{{\"value\": $1, \"constraints\": {{\"latency\": $1}}}}"`, "sh", "{x}")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	s, err := inspect(study)
	must(t, err)
	if r := s.result(); r.Best == nil || r.Best.Value > 0.5 || s.header.Config.Constraints[0].Name != "latency" {
		t.Errorf("%+v", r.Best)
	}
	if got := call(t, "", "tune", "--space", file, "--study", filepath.Join(dir, "t.db"), "--budget", "2", "-q", "--", "sh", "-c", "echo $1", "sh", "{x}"); !strings.Contains(got.log+got.out, "constraints.latency = missing: want a finite number") {
		t.Errorf("%+v", got)
	}
}

// A command that says no more than infeasible is repeated once.
func TestInfeasibleIsSaidOnce(t *testing.T) {
	dir := folder(t, `echo '{"value":1,"infeasible":true,"constraints":{"latency":0.1}}'`)
	must(t, os.WriteFile(filepath.Join(dir, "space.yaml"), []byte("parameters:\n- {name: lr, type: float, low: 0, high: 1}\nconstraints:\n- {name: latency, at_most: 0.2}\n"), 0o644))
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--study", "s.db", "--budget", "1", "--", "./train.sh", "{lr}")
	if !strings.Contains(got.log, "#1 infeasible\n") {
		t.Errorf("%+v", got)
	}
	if got = callIn(t, dir, "", "inspect", "s.db", "--explain", "1"); !strings.Contains(got.out, "what came: infeasible, 1 after") || strings.Contains(got.out, ": infeasible\n") {
		t.Errorf("%+v", got)
	}
}
