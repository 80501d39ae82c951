package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// A limit of costs that came later than the study is not taken away by 0, which is said; a limit of evaluations is, where costs bound the study.
func TestALimitThatCameLaterIsNotPassedOver(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{"costs.yaml": threeFidelities})
	for _, c := range []struct {
		flags string
		code  int
		want  string
	}{
		{"--study a.db --space costs.yaml", exitOK, `"budget":100000`},
		{"--study a.db --budget-cost 0", exitOK, `"budget":100000`},
		{"--study a.db --budget-cost 60", exitOK, `"budget_cost":60`},
		{"--study a.db --budget-cost 0", exitUsage, "--budget-cost = 0: want 0 < budget-cost < inf: the study has a limit of 60, which may be another one, and is not taken away"},
		{"--study a.db --budget-cost 0 --budget 5", exitUsage, "a limit of 60"},
		{"--study a.db --budget-cost 70", exitOK, `"budget_cost":70`},
		{"--study b.db --space costs.yaml --budget 0 --budget-cost 60", exitOK, `"budget":100000`},
		{"--study b.db --budget 20", exitOK, `"budget":20`},
		{"--study b.db --budget-cost 80", exitOK, `"budget":20`},
		{"--study b.db --budget 0 --budget-cost 90", exitOK, `"budget":100000`},
	} {
		got := callIn(t, dir, `{"op":"state"}`+"\n", append([]string{"asktell"}, strings.Fields(c.flags)...)...)
		if got.code != c.code || !strings.Contains(got.out+got.log, c.want) {
			t.Errorf("%s: %+v, want %s", c.flags, got, c.want)
		}
	}
}

// The command that began a session goes on with it, however its options are spelled; what means something else is refused.
func TestTheSameCommandGoesOnWithItsSession(t *testing.T) {
	dir := folder(t, "")
	texts(t, dir, map[string]string{
		"costs.yaml": threeFidelities,
		"safe.yaml":  "parameters:\n- {name: x, type: float, low: 0, high: 1}\nconstraints:\n- {name: heat, at_most: 0.7}\nseeds:\n- {x: 0.25}\n",
	})
	for i, flags := range []string{
		"--policy auto:beta=1", "--policy calibrated:p=0.90:of=ucb", "--policy calibrated:of=ucb:p=0.9", "--initial 0", "--initial 0 --policy random", "--budget-cost 0",
		"--budget 20 --initial 0", "--budget-cost 60 --budget 0 --space costs.yaml", "--pending 0", "--policy d-safe-bocp:start=0:alpha=0.10 --initial 0 --budget 12 --space safe.yaml", "--forget 0.050", "--timeout 90s",
	} {
		study := filepath.Join(dir, string(rune('a'+i))+".db")
		line := append([]string{"asktell", "--space", "space.yaml", "--study", study}, strings.Fields(flags)...)
		for range 2 {
			got := callIn(t, dir, `{"op":"state"}`+"\n", line...)
			if got.code != exitOK || !strings.Contains(got.out, `"evaluations":0`) {
				t.Errorf("%s: %d %s%s", flags, got.code, got.out, got.log)
			}
		}
	}
	for flags, want := range map[string]string{
		"--study a.db --policy auto:beta=theory": "--policy = auto:beta=theory: study a.db has auto", "--study a.db --policy nothing": "nothing",
		"--study d.db --initial 4": "--initial = 4: study d.db has 5", "--study a.db --lease 3h": "--lease = 3h: study a.db has the default (never)",
		"--study a.db --pending 3": "--pending = 3: study a.db has the default (20, or half of the budget, and one more for every four answers)", "--study g.db --initial 0": "", "--study h.db --budget-cost 0": "--budget-cost = 0: want 0 < budget-cost",
	} {
		got := callIn(t, dir, "", append([]string{"asktell"}, strings.Fields(flags)...)...)
		if want != "" && (got.code != exitUsage || !strings.Contains(got.log, want)) || want == "" && got.code != exitOK {
			t.Errorf("%s: %d %s, want %q", flags, got.code, got.log, want)
		}
	}
}
