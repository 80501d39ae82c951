package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

// A study that remote workers evaluate goes on by its server, and by nothing else: all that speak of it say so, from any folder.
func TestAStudyOfRemoteWorkersGoesOnByItsServer(t *testing.T) {
	c := clusterOf(t, square)
	c.serve()
	c.begin("lr", `"budget":3`, `{}`)
	c.kill(syscall.SIGKILL)
	space := filepath.Join(c.dir, "space.yaml")
	for _, from := range []struct{ dir, study, server string }{
		{c.dir, "cluster/studies/lr.db", "tarry serve cluster"}, {filepath.Join(c.dir, "cluster", "studies"), "lr.db", "tarry serve .."},
	} {
		for line, code := range map[string]int{
			"inspect " + from.study:                                              exitOK,
			"report -o - " + from.study:                                          exitOK,
			"resume " + from.study:                                               exitUsage,
			"asktell --study " + from.study:                                      exitUsage,
			"asktell --budget 9 --study " + from.study:                           exitUsage,
			"tune --budget 9 --space SPACE --study " + from.study + " -- echo 1": exitUsage,
		} {
			got := callIn(t, from.dir, `{"op":"ask"}`+"\n", strings.Fields(strings.Replace(line, "SPACE", space, 1))...)
			if all := got.out + got.log; got.code != code || !strings.Contains(all, from.server) || strings.Contains(all, "tarry asktell") {
				t.Errorf("%s: %d %.2000s", line, got.code, all)
			}
		}
	}
	c.serve()
	c.work("worker", "--", "./train.sh", "{lr}")
	if state := c.ended("lr"); observed(state) != 3.0 {
		t.Error(state)
	}
}

// The budget of a study that remote workers evaluate is made another one while its server is stopped, by lines of which there are none or by
// resume, also when it had ended: the next server calls the workers again. Nothing else of it becomes another one.
func TestTheBudgetOfAStudyOfRemoteWorkersChanges(t *testing.T) {
	c := clusterOf(t, square)
	c.serve()
	c.begin("lr", `"budget":3`, `{}`)
	c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	c.ended("lr")
	for i, line := range []string{"asktell --study cluster/studies/lr.db --budget 5", "resume cluster/studies/lr.db --budget 8"} {
		c.kill(syscall.SIGTERM)
		for flags, want := range map[string]string{
			" --target 1": "--target: the budget alone", " --budget 1": "--budget = 1: want 3 ≤ budget", " --budget 0": "--budget = 0: want 1 ≤ budget", " --seed 3": "--seed",
		} {
			if got := callIn(t, c.dir, "", strings.Fields(line+flags)...); i == 0 && (got.code != exitUsage || !strings.Contains(got.log, want)) {
				t.Errorf("%s%s: %d %s", line, flags, got.code, got.log)
			}
		}
		got := callIn(t, c.dir, "", strings.Fields(line)...)
		if got.code != exitOK || got.out != "" || !strings.Contains(got.log, "evaluations in all") || !strings.Contains(got.log, "tarry serve cluster") {
			t.Fatalf("%s: %d %s %s", line, got.code, got.out, got.log)
		}
		c.serve()
		want := []float64{5, 8}[i]
		if state := c.ended("lr"); observed(state) != want || state["budget"] != want {
			t.Errorf("%s: %v", line, state)
		}
		if status, out := c.do("PUT", "lr", `{"space":{"parameters":[{"name":"lr","type":"float","low":0,"high":1}]},"options":{"budget":`+line[len(line)-1:]+`},"remote":{}}`); status != 200 {
			t.Errorf("the same request with the budget of now: %d %v", status, out)
		}
	}
	c.kill(syscall.SIGTERM)
	if got := callIn(t, c.dir, "", "backup", "cluster/studies/lr.db", "copy.db"); got.code != exitOK {
		t.Fatal(got)
	}
	store, err := sqlite.Open(filepath.Join(c.dir, "copy.db"))
	must(t, err, store.Keep("stream", []byte("{}")), store.Close())
	if got := callIn(t, c.dir, "", "asktell", "--study", "copy.db", "--budget", "9"); got.code != exitUsage || !strings.Contains(got.log, "its journal is in NATS too") {
		t.Error("where a stream decides:", got.code, got.log)
	}
	if got := callIn(t, c.dir, "", "verify", "cluster/studies/lr.db"); got.code != exitOK {
		t.Error(got.code, got.out, got.log)
	}
}
