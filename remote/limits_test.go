package remote

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// A worker that is full says so in a message that may be sent, whatever its study is called.
func TestTheLongestHeartbeatFits(t *testing.T) {
	s := &session{attempts: map[id]*attempt{}}
	for k := range 3 * maxRunning {
		i := id{Study: strings.Repeat("\x01", maxStudyName/6) + fmt.Sprint(k), Evaluation: math.MaxInt32, Attempt: 1, Token: strings.Repeat("A", 22)}
		s.attempts[i.name()] = &attempt{id: i, answered: k >= MaxSlots}
	}
	m := beatMessage{Epoch: math.MaxUint64, Slots: MaxSlots, Running: s.running()}
	var back beatMessage
	if err := decode(encode(m), &back); err != nil || len(back.Running) != maxRunning {
		t.Errorf("%d attempts in %d bytes: %v", len(back.Running), len(encode(m)), err)
	}
	running := 0
	for _, i := range m.Running {
		if !s.attempts[i.name()].answered {
			running++
		}
	}
	if running != MaxSlots {
		t.Errorf("%d of %d that run are named", running, MaxSlots)
	}
}

func TestAHubHasOnlySoManyWorkers(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	hub.mutex.Lock()
	for k := range MaxWorkers {
		other := key{"other", fmt.Sprint(k)}
		hub.workers[other] = &worker{key: other, watch: time.NewTimer(time.Hour)}
	}
	hub.mutex.Unlock()
	conn := connect(t, s)
	h := &hand{t: t}
	var err error
	h.c, err = dial(conn, "tarry", key{"w", "1"})
	fatal(t, err)
	var reply joinReply
	h.say("join", joinMessage{Version: Version, Slots: 1}, &reply)
	if !strings.Contains(reply.Error, "as many as it can have") {
		t.Errorf("%+v", reply)
	}
}
