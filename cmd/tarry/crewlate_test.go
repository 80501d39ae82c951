package main

import (
	"testing"
	"time"
)

// A value that a command had printed when its time was up counts on another machine as it does here, that of the last evaluations too.
func TestALateValueOfARemoteWorkerCounts(t *testing.T) {
	c := clusterOf(t, "#!/bin/sh\necho 0.42\nexec sleep 7\n")
	c.serve()
	c.begin("pv", `"budget":3,"timeout":"500ms"`, `{}`)
	_, log := c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	late := func(state map[string]any) any { return state["counts"].(map[string]any)["late"] }
	state := c.ended("pv")
	for end := time.Now().Add(4 * time.Second); late(state) != 3.0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		_, state = c.do("GET", "pv", "") // the last one may just be ending
	}
	if late(state) != 3.0 {
		t.Errorf("%v: want 3 late values\n%s", state["counts"], log)
	}
}
