package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The user's mistakes are named before anything is written.
func TestMistakesAreNamedBeforeAnythingIsWritten(t *testing.T) {
	dir := folder(t, "echo 1")
	hour := "parameters:\n- {name: lr, type: float, low: 0, high: 1}\n- {name: hour, type: float, low: 0, high: 24, role: context}\n"
	if err := os.WriteFile(filepath.Join(dir, "hour.yaml"), []byte(hour), 0o644); err != nil {
		t.Fatal(err)
	}
	space := []string{"tune", "--space", "space.yaml", "--budget", "5", "--"}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{append(space, "./missing.sh", "{lr}"), []string{"command ./missing.sh: ", "no such file"}},
		{append(space, "no-such-program-anywhere"), []string{"command no-such-program-anywhere: executable file not found"}},
		{append(space[:5:5], "echo", "{lr}"), []string{"echo stands before the --", "tarry tune --space space.yaml --budget 20 -- ./train.sh {lr}"}},
		{append(space[:5:5], "echo", "--", "{lr}"), []string{"echo stands before the --"}},
		{append(space[:5:5], "--study", "", "--", "echo"), []string{"--study is empty: want the file"}},
		{append(space[:5:5], "--study", "no/where/s.db", "--", "echo"), []string{"study no/where/s.db: there is no folder no/where"}},
		{append(space[:5:5], "--workers", "-3", "--grace", "-1s", "--", "echo"), []string{"--workers = -3: want 1 ≤ workers ≤ 1024", "--grace = -1s: want"}},
		{append(space[:5:5], "--infeasible-code", "0", "--lost-code", "0", "--", "echo"), []string{"tarry: --infeasible-code = 0: want", "tarry: --lost-code = 0: want"}},
		{append(space[:5:5], "--infeasible-code", "75", "--", "echo"), []string{"--infeasible-code = 75: want a code other than lost-code"}},
		{append(space[:5:5], "--workers", "99999999999999999999", "--", "echo"), []string{"want a whole number from -9223372036854775808 to 9223372036854775807"}},
		{append(space[:5:5], "--lost-code", "65", "--", "echo"), []string{"--lost-code = 65: want a code other than"}},
		{append(space, "./space.yaml"), []string{"command ./space.yaml: permission denied"}},
		{append(space, "echo", "{rl}", "{lr"), []string{"{rl}", "did you mean {lr}", "{lr"}},
		{append(space[:5:5], "--policy", "tpe", "--workers", "-2", "--retries", "1000", "--", "echo"), []string{`policy "tpe": want one of`, "--workers = -", "--retries = 1000"}},
		{[]string{"tune", "--space", "hour.yaml", "--budget", "5", "--", "echo"}, []string{"hour.yaml: 1 parameter has the role context"}},
		{[]string{"tune", "--space", "nowhere.yaml", "--budget", "5", "--", "echo"}, []string{"nowhere.yaml"}},
		{[]string{"tune", "--space", "space.yaml", "--", "echo"}, []string{"--budget = 0: want 1 ≤ budget ≤ 100000"}},
		{[]string{"tune", "--budget", "5", "--", "echo"}, []string{"--space is missing"}},
		{[]string{"tune", "--space", "space.yaml", "--budget", "5"}, []string{"the command is missing"}},
		{[]string{"tune", "--bugdet", "5"}, []string{"unknown flag: --bugdet"}},
		{[]string{"resume", "nowhere.db"}, []string{"there is no study at nowhere.db"}},
		{[]string{"resume", "no/where.db"}, []string{"there is no folder no"}},
		{[]string{"verify", "no/where.db"}, []string{"there is no folder no"}},
		{[]string{"inspect", "no/where.db"}, []string{"there is no folder no"}},
		{[]string{"backup", "nowhere.db", "copy.db"}, []string{"there is no study at nowhere.db"}},
		{[]string{"backup", "nowhere.db", "no/copy.db"}, []string{"there is no folder no"}},
		{[]string{"backup", "space.yaml", "copy.db"}, []string{"space.yaml is not a study"}},
		{[]string{"backup", "nowhere.db"}, []string{"COPY is missing: want tarry backup STUDY COPY"}},
		{[]string{"serve", "nowhere", "--without-tls"}, []string{"folder of studies: there is no folder nowhere; make it first"}},
		{[]string{"asktell", "--space", "space.yaml", "--study", "no/where.db"}, []string{"there is no folder no"}},
		{[]string{"asktell", "--space", "space.yaml", "--study", ""}, []string{"--study is empty"}},
		{[]string{"asktell", "--space", "space.yaml", "--budget", "-1"}, []string{"--budget = -1: want 1 ≤ budget ≤ 100000"}},
		{[]string{"inspect"}, []string{"STUDY is missing: want tarry inspect STUDY"}},
		{[]string{"optimise"}, []string{`unknown command "optimise"`}},
	} {
		got := callIn(t, dir, "", c.args...)
		if strings.Contains(got.log, "tarry: tarry: ") || strings.Contains(got.log, "Runner.") {
			t.Errorf("%v: %s", c.args, got.log)
		}
		for _, want := range c.want {
			if got.code != exitUsage || !strings.Contains(got.log, want) {
				t.Errorf("%v: %q is missing in %d\n%s", c.args, want, got.code, got.log)
			}
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.db*")); len(files) > 0 {
		t.Errorf("written: %v", files)
	}
}
