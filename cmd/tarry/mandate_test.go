package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"

	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/internal/detour"
)

// A server is killed and NATS loses all its data, or gets back those of two restarts before: the worker that was there all the time works for
// it all the same, and brings what it found meanwhile.
func TestWorkersFollowAServerWhoseNATSLostItsData(t *testing.T) {
	c := clusterOf(t, square)
	store, older := filepath.Join(c.dir, "cluster", "jetstream"), filepath.Join(c.dir, "older")
	c.serve()
	c.begin("lr", `"budget":30`, `{}`)
	c.kill(syscall.SIGKILL)
	must(t, os.CopyFS(older, os.DirFS(store)))
	for range 2 {
		c.serve()
		c.kill(syscall.SIGKILL)
	}
	c.serve()
	_, log := c.work("worker", "--slots", "2", "--", "./train.sh", "{lr}")
	for _, lost := range []func() error{
		func() error { return nil },
		func() error { return os.CopyFS(store, os.DirFS(older)) },
	} {
		time.Sleep(500 * time.Millisecond)
		c.kill(syscall.SIGKILL)
		must(t, os.RemoveAll(store), lost())
		c.serve()
	}
	if state := c.ended("lr"); observed(state) != 30.0 {
		t.Errorf("%v: want 30 values\n%s\n%s", state["counts"], c.log, log)
	}
	if info, err := os.Stat(filepath.Join(c.dir, "cluster", "studies", mandateName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("who may read the key of the tokens:", info, err)
	}
	must(t, os.WriteFile(filepath.Join(c.dir, "cluster", "studies", mandateName), []byte(`{"epoch":7}`), 0o600))
	c.kill(syscall.SIGKILL)
	if got := callIn(t, c.dir, "", "serve", "cluster"); got.code != exitFailure || !strings.Contains(got.log, mandateName+" is damaged") {
		t.Error(got.code, got.log)
	}
}

// natsHere is a NATS server with JetStream, and a connection to it.
func natsHere(t *testing.T) *nats.Conn {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir()})
	must(t, err)
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the NATS server is not ready")
	}
	conn, err := nats.Connect("nats://" + s.Addr().(*net.TCPAddr).String())
	must(t, err)
	t.Cleanup(func() { conn.Close(); s.Shutdown(); s.WaitForShutdown() })
	return conn
}

// ruling is a server with a folder of its own.
func ruling(folder string) *machines {
	return &machines{config: cluster.Config{Studies: folder, NATS: cluster.NATSConfig{Prefix: "tarry"}}}
}

func TestAServerIsLaterThanEveryOneBefore(t *testing.T) {
	here, other := t.TempDir(), t.TempDir()
	conn := natsHere(t)
	begins := func(folder string, conn *nats.Conn, epoch uint64) []byte {
		t.Helper()
		m, err := ruling(folder).begins(t.Context(), conn)
		if err != nil || m.Epoch != epoch || len(m.Key) != tokenBytes {
			t.Fatalf("epoch %d with a key of %d bytes, %v: want %d", m.Epoch, len(m.Key), err, epoch)
		}
		return m.Key
	}
	key := begins(here, conn, 1)
	for _, again := range [][]byte{begins(here, conn, 2), begins(other, conn, 3), begins(here, natsHere(t), 3), begins(here, conn, 4)} {
		if !slices.Equal(key, again) {
			t.Error("another key")
		}
	}
	js, err := natsjs.New(conn)
	must(t, err)
	bucket, err := js.KeyValue(t.Context(), "tarry-hub")
	must(t, err)
	revision, err := bucket.Put(t.Context(), epochKey, []byte("taken")) // as programs before wrote it, whose epoch was the revision
	must(t, err)
	begins(other, conn, revision+1)
}

// A standby has what workers know the leader by before it leads, also where NATS then has nothing any more.
func TestAStandbyKnowsTheEpochOfTheLeader(t *testing.T) {
	dir, config := apart(t)
	leader := program(t, dir, "serve", config("leads", "127.0.0.1:0"))
	servedBy(t, leader)
	t.Cleanup(func() { _ = leader.Process.Kill(); _ = leader.Wait() })
	want, err := readMandate(filepath.Join(dir, "cluster", "leads"))
	must(t, err)
	if _, follows, log := follow(t, dir, config("follows", fmt.Sprint("127.0.0.1:", detour.Port(t)))); !follows {
		t.Fatal(log)
	}
	var has mandate
	for range 100 {
		if has, err = readMandate(filepath.Join(dir, "cluster", "follows")); has.Epoch > 0 || err != nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err != nil || has.Epoch != want.Epoch || !slices.Equal(has.Key, want.Key) || want.Epoch == 0 {
		t.Errorf("it has epoch %d, %v: want %d and the key of the leader", has.Epoch, err, want.Epoch)
	}
}
