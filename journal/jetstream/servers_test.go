package jetstream

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/tarry-bo/tarry/internal/detour"
)

// servers are one server, or three that are a cluster, in this process.
type servers struct {
	options []*server.Options
	running []*server.Server
}

// serverAt starts a server that keeps its streams in a folder.
func serverAt(t testing.TB, folder string) *server.Server {
	t.Helper()
	s := &servers{options: []*server.Options{serverOptions(t, folder, false)}}
	s.start(t, 0)
	return s.running[0]
}

// serverOptions are those of a server that is alone.
func serverOptions(t testing.TB, folder string, sync bool) *server.Options {
	t.Helper()
	return &server.Options{Host: "127.0.0.1", Port: detour.Port(t), StoreDir: folder, SyncAlways: sync}
}

// cluster starts three servers. With sync they wait for the disk with each message.
func cluster(t testing.TB, sync bool) *servers {
	t.Helper()
	folder, s := t.TempDir(), &servers{}
	var routes []*url.URL
	for n := range 3 {
		port := detour.Port(t)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprint("127.0.0.1:", port)})
		s.options = append(s.options, &server.Options{
			ServerName: fmt.Sprint("server", n), Host: "127.0.0.1", Port: detour.Port(t), StoreDir: filepath.Join(folder, fmt.Sprint(n)), SyncAlways: sync,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port},
		})
	}
	for n := range s.options {
		s.options[n].Routes = routes
	}
	for n := range s.options {
		s.launch(t, n)
	}
	for n := range s.options {
		s.await(t, n)
	}
	return s
}

// launch starts a server, which need not be ready.
func (s *servers) launch(t testing.TB, n int) {
	t.Helper()
	o := s.options[n].Clone()
	o.JetStream, o.NoSigs, o.NoLog = true, true, true
	one := check(server.NewServer(o))(t)
	for len(s.running) <= n {
		s.running = append(s.running, nil)
	}
	s.running[n] = one
	one.Start()
	t.Cleanup(func() { one.Shutdown(); one.WaitForShutdown() })
}

// await waits until a server is ready.
func (s *servers) await(t testing.TB, n int) {
	t.Helper()
	one := s.running[n]
	if !one.ReadyForConnections(20 * time.Second) {
		t.Fatal("a server is not ready")
	}
	if s.options[n].Cluster.Name != "" {
		waitFor(t, "the servers have a leader", func() bool { return one.JetStreamIsCurrent() })
	}
}

func (s *servers) start(t testing.TB, n int) {
	t.Helper()
	s.launch(t, n)
	s.await(t, n)
}

// stop ends a server.
func (s *servers) stop(n int) {
	s.running[n].Shutdown()
	s.running[n].WaitForShutdown()
}

// url is where clients find any of the servers.
func (s *servers) url() string {
	var urls []string
	for _, one := range s.running {
		urls = append(urls, one.ClientURL())
	}
	return strings.Join(urls, ",")
}
