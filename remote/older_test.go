package remote

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
)

// A worker that has heard of a later hub does not hear an older one, and says so, also where nobody answered for a while before.
func TestAWorkerSaysThatAHubIsOlder(t *testing.T) {
	s := serve(t)
	log, logs := logged()
	later := newHub(t, connect(t, s), Options{Epoch: 6, Heartbeat: brief})
	run := start(t, later, tarry.Options{Budget: 1})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.evaluate, Logger: log})
	got(t, "an attempt", w.began)
	later.Close()
	eventually(t, "nobody answers", func() bool { return logs.FilterMessage("heartbeat not answered").Len() > 0 })
	newHub(t, connect(t, s), Options{Epoch: 2, Heartbeat: brief})
	says := func() (n int) {
		for _, line := range logs.All() {
			why, _ := line.ContextMap()["error"].(string)
			if line.Level >= 1 && strings.Contains(why, "one of epoch 2, and this worker has heard of epoch 6") { // a warning
				n++
			}
		}
		return n
	}
	eventually(t, "it says that the hub is older", func() bool { return says() > 0 })
	beats := func() int { return logs.FilterMessage("heartbeat not answered").Len() }
	before := beats()
	eventually(t, "it goes on", func() bool { return beats() > before+3 })
	if n := says(); n != 1 {
		t.Errorf("it says so %d times", n)
	}
	run.Stop()
	_, _ = run.Wait()
}
