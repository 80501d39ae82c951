package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A study of remote workers that is paused takes no slots of theirs and everything else, also of the next server: what runs comes to its end and
// counts, values from elsewhere are taken, points are named, evaluations are cancelled, and other studies go on.
func TestAPausedStudyOfRemoteWorkersHoldsUpNobody(t *testing.T) {
	for how, kill := range map[string]func(*clustered){
		"at once":            func(*clustered) {},
		"after a kill":       func(c *clustered) { c.kill(syscall.SIGKILL); c.serve() },
		"after its own stop": func(c *clustered) { c.kill(syscall.SIGTERM); c.serve() },
	} {
		t.Run(how, func(t *testing.T) {
			c := clusterOf(t, "#!/bin/sh\nwhile [ ! -e go ]; do sleep 0.05; done\necho $1\n")
			c.serve()
			c.work("worker", "--slots", "3", "--", "./train.sh", "{lr}")
			c.begin("pr", `"budget":50`, `{}`)
			pending := func() []any { _, state := c.do("GET", "pr", ""); return state["pending"].([]any) }
			eventually(t, "three run", func() bool { return len(pending()) == 3 })
			want := func(path, body string) map[string]any {
				t.Helper()
				status, out := c.do("POST", "pr/"+path, body)
				if status != 200 {
					t.Error(path, status, out)
				}
				return out
			}
			want("pause", "")
			kill(c)
			want("evaluations/2/cancel", "")
			must(t, os.WriteFile(filepath.Join(c.dir, "go"), nil, 0o600))
			counts := func() map[string]any { _, state := c.do("GET", "pr", ""); return state["counts"].(map[string]any) }
			eventually(t, "what ran counts", func() bool { return counts()["observed"] == 2.0 })
			c.begin("other", `"budget":9`, `{}`)
			c.ended("other")
			if out := want("observe", `{"x":{"lr":0.5},"value":7}`); out["id"] != 4.0 {
				t.Error(out)
			}
			want("enqueue", `{"x":{"lr":0.25}}`)
			if n := counts(); n["observed"] != 3.0 || n["cancelled"].(float64)+n["late"].(float64) != 1 || len(pending()) > 0 {
				t.Errorf("%v, %v", n, pending())
			}
			want("resume", "")
			eventually(t, "it goes on", func() bool { return counts()["observed"].(float64) > 6 })
			if _, out := c.do("GET", "pr/evaluations/5", ""); out["x"].(map[string]any)["lr"] != 0.25 {
				t.Error("the point that was named is not the next:", out)
			}
		})
	}
}
