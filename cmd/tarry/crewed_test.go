package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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
