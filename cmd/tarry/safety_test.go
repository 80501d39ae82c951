package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A user tunes a command under a promise: what is missing is said before anything starts, and everybody who is asked says how it stands.
func TestTuneUnderAPromise(t *testing.T) {
	dir := t.TempDir()
	file, study := filepath.Join(dir, "space.yaml"), filepath.Join(dir, "s.db")
	const head = "parameters:\n- {name: x, type: float, low: 0, high: 1}\nconstraints:\n- {name: heat, at_most: 0.7}\n"
	tune := func(text string, flags ...string) called {
		must(t, os.WriteFile(file, []byte(text), 0o600))
		arguments := append([]string{"tune", "--space", file, "--study", study, "--budget", "12"}, flags...)
		return call(t, "", append(arguments, "--", "sh", "-c", `echo "{{\"value\": $1, \"constraints\": {{\"heat\": $1}}}}"`, "sh", "{x}")...)
	}
	for _, c := range []struct{ text, policy, want string }{
		{head, "d-safe-bocp", "seeds of the space file = []: want at least one point that is known to be safe"},
		{head + "seeds:\n- {x: 3}\n", "d-safe-bocp", "space.yaml:6:7: seeds[0].x = 3: want a number in [0, 1]"},
		{head + "seeds:\n- {x: 0.5}\n", "auto", "want none with policy auto, which does not keep to them"},
		{head + "seeds:\n- {x: 0.5}\n", "p-safe-bocp", "--policy = p-safe-bocp: want what is known of the noise of the constraints"},
	} {
		if got := tune(c.text, "--policy", c.policy); got.code != exitUsage || !strings.Contains(got.log, c.want) {
			t.Errorf("%+v, want %s", got, c.want)
		}
	}
	if got := tune(head+"seeds:\n- {x: 0.5}\n", "--policy", "d-safe-bocp:alpha=7"); got.code != exitUsage || strings.Count(got.log, "\n") != 1 || !strings.Contains(got.log, "alpha = 7: want") {
		t.Errorf("%+v, want what is wrong with alpha alone", got)
	}
	list := filepath.Join(dir, "list.csv")
	must(t, os.WriteFile(list, []byte("x\n0.25\n0.75\n"), 0o600))
	if got := tune(head+"seeds:\n- {x: 0.5}\n", "--policy", "d-safe-bocp", "--points", list); got.code != exitUsage || !strings.Contains(got.log, "space file: seeds[0] = [0.5]: want a point of the space") {
		t.Errorf("%+v", got)
	}
	if got := tune(head+"seeds:\n- {x: 1}\n", "--policy", "d-safe-bocp:alpha=0.25", "--study", study+".unsafe"); got.code != exitFailure || !strings.Contains(got.log, "a seed is not safe: 1 of 1, x=1") {
		t.Errorf("%+v", got)
	}
	if got := tune(head+"seeds:\n- {x: 1}\n", "--policy", "p-safe-bocp:alpha=0.25:sd=0.01", "--study", study+".noisy"); got.code != exitFailure || !strings.Contains(got.log, "a seed is not safe: 1 of 1, x=1: heat is 1: want at most 0.7") {
		t.Errorf("%+v", got)
	}
	got := tune(head+"seeds:\n- {x: 0.25}\n", "--policy", "d-safe-bocp:alpha=0.25:eta=0.1")
	const promise = "promised are at most 2 violations (0.25 of 12 queries)"
	if got.code != exitOK || !strings.Contains(got.out, "safety: "+promise) || !strings.Contains(got.out, "eta is 0.5 instead of 0.1") || !strings.Contains(got.log, " of 2 allowed, beta ") {
		t.Errorf("%+v", got)
	}
	for flag, want := range map[string]string{"--top=0": "safety: " + promise, "--json": `"allowed": 2`, "--explain=1": "it is seed 1 of 1", "--explain=4": promise} {
		if got := call(t, "", "inspect", study, flag); got.code != exitOK || !strings.Contains(got.out, want) {
			t.Errorf("%s: %q is missing in %s%s", flag, want, got.out, got.log)
		}
	}
	if got := call(t, "", "resume", study); got.code != exitOK || !strings.Contains(got.log, "its promise is about its budget") || strings.Contains(got.log, "--budget") {
		t.Errorf("%+v", got)
	}
	if got := call(t, "", "resume", study, "--budget", "20"); got.code != exitUsage || !strings.Contains(got.log, "--budget = 20: want 0 or 12: the promise of policy") {
		t.Errorf("%+v", got)
	}
}
