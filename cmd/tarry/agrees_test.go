package main

import (
	"path/filepath"
	"strings"
	"testing"
)

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
		"--study d.db --initial 4": "--initial = 4: study d.db has 5", "--study g.db --initial 0": "", "--study h.db --budget-cost 0": "--budget-cost = 0: want 0 < budget-cost",
	} {
		got := callIn(t, dir, "", append([]string{"asktell"}, strings.Fields(flags)...)...)
		if want != "" && (got.code != exitUsage || !strings.Contains(got.log, want)) || want == "" && got.code != exitOK {
			t.Errorf("%s: %d %s, want %q", flags, got.code, got.log, want)
		}
	}
}
