package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

func contains(value any, part string) bool { return strings.Contains(fmt.Sprint(value), part) }

func TestAWorkerAndTheHubTalk(t *testing.T) {
	w := begin(t)
	hub, err := w.server.Hub()
	w.must(err)
	_, err = hub.Subscribe("tarry.hb.*.*", func(m *nats.Msg) { w.must(m.Respond([]byte("stop"))) })
	w.must(err)
	w.must(hub.Flush())
	worker := w.in("worker")
	jobs, err := worker.SubscribeSync("tarry.job.worker.i")
	w.must(err)
	answer, err := worker.Request("tarry.hb.worker.i", nil, 5*time.Second)
	if err != nil || string(answer.Data) != "stop" {
		t.Fatal(answer, err)
	}
	w.must(hub.Publish("tarry.job.worker.i", []byte("job")))
	if m, err := jobs.NextMsg(5 * time.Second); err != nil || string(m.Data) != "job" {
		t.Error(m, err)
	}
}

func TestTheProgramItselfMayUseJetStream(t *testing.T) {
	w := begin(t)
	for _, connect := range []func() (*nats.Conn, error){w.server.Admin, func() (*nats.Conn, error) { return w.dial(Admin) }} {
		conn, err := connect()
		w.must(err)
		js, err := conn.JetStream()
		w.must(err)
		_, err = js.AddStream(&nats.StreamConfig{Name: "S", Subjects: []string{"s"}})
		w.must(err)
		_, err = js.Publish("s", []byte("x"))
		w.must(err)
	}
}

func TestWrongOptionsOfAServerAreNamed(t *testing.T) {
	_, err := Start(Options{Address: "nowhere", Connections: -1, Prefix: "a.b", Ping: time.Nanosecond})
	for _, field := range []string{"Address", "Trust", "Store", "Prefix", "Connections", "Ping"} {
		if err == nil || !strings.Contains(err.Error(), field+" = ") {
			t.Errorf("%s is missing: %v", field, err)
		}
	}
}

func TestAPortThatIsTakenIsAnError(t *testing.T) {
	w := begin(t)
	_, err := Start(Options{Address: w.server.Address(), Trust: w.trust, Store: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "in use") {
		t.Error(err)
	}
}

func TestServersThatStayAwayAreTriedLessOften(t *testing.T) {
	for attempts, most := range map[int]time.Duration{0: 400 * time.Millisecond, 9: 400 * time.Millisecond, 10: 800 * time.Millisecond, 1000: 6 * time.Second, 1 << 40: 6 * time.Second} {
		if got := patience(attempts); got < most/2 || got >= most {
			t.Errorf("after %d attempts %v: want %v … %v", attempts, got, most/2, most)
		}
	}
}
