package cluster

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// world is a folder with an authority, and a server on a port of its own.
type world struct {
	*testing.T
	dir    string
	trust  *Trust
	server *Embedded
	log    *observer.ObservedLogs
}

func begin(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir()}
	w.must(Init(w.dir, []string{"tune.example.org", "10.1.2.3"}))
	w.start(Options{})
	return w
}

func (w *world) start(o Options) {
	w.Helper()
	var err error
	w.trust, err = OpenTrust(FilesOf(w.dir, serverName))
	w.must(err)
	core, seen := observer.New(zap.DebugLevel)
	w.log = seen
	o.Address, o.Trust, o.Store, o.Log = "127.0.0.1:0", w.trust, filepath.Join(w.dir, "jetstream"), zap.New(core)
	w.server, err = Start(o)
	w.must(err)
	w.Cleanup(w.server.Close)
	ctx, cancel := context.WithCancel(context.Background())
	w.Cleanup(cancel)
	go w.trust.Watch(ctx, 5*time.Millisecond, func(string) {})
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// issue makes a client's certificate.
func (w *world) issue(role, name string) string {
	w.Helper()
	w.must(Issue(w.dir, role, name, 0))
	return name
}

// dial connects as the client of this name.
func (w *world) dial(name string) (*nats.Conn, error) {
	w.Helper()
	conn, got, err := Dial(Client{Files: FilesOf(w.dir, name), URLs: []string{w.server.URL()}})
	if err == nil {
		w.Cleanup(conn.Close)
		if got != name {
			w.Errorf("%s is called %s", name, got)
		}
	}
	return conn, err
}

// in is dial where it cannot fail.
func (w *world) in(name string) *nats.Conn {
	w.Helper()
	conn, err := w.dial(name)
	w.must(err)
	return conn
}

// eventually waits until something holds, as long as a machine under load may take.
func (w *world) eventually(what string, holds func() bool) {
	w.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			w.Fatalf("never: %s", what)
		}
	}
}

// says waits for a line of the server's log that has a field with this text.
func (w *world) says(message, reason string) {
	w.Helper()
	w.eventually(message+": "+reason, func() bool {
		for _, e := range w.log.All() {
			if e.Message == message && contains(e.ContextMap()["reason"], reason) {
				return true
			}
		}
		return false
	})
}
