package remote

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry"
)

// brief is the heartbeat of the tests.
const brief = 100 * time.Millisecond

// secret is the key of the hubs of the tests.
var secret = []byte("0123456789abcdef")

// serve starts a NATS server without permissions.
func serve(t testing.TB) *server.Server {
	t.Helper()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server is not ready")
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	return s
}

// connect connects to a server by TCP.
func connect(t testing.TB, s *server.Server, options ...nats.Option) *nats.Conn {
	t.Helper()
	options = append([]nats.Option{nats.MaxReconnects(-1), nats.ReconnectWait(20 * time.Millisecond), nats.CustomInboxPrefix("_IN.test")}, options...)
	c, err := nats.Connect("nats://"+s.Addr().(*net.TCPAddr).String(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// newHub starts a hub that ends with the test.
func newHub(t testing.TB, c *nats.Conn, o Options) *Hub {
	t.Helper()
	if o.Key == nil {
		o.Key = secret
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = brief
	}
	h, err := NewHub(c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// square is the space of the tests.
func square(t testing.TB) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start starts a study of the square whose workers are elsewhere.
func start(t testing.TB, r tarry.Remote, o tarry.Options) *tarry.Run {
	t.Helper()
	if o.Policy == nil {
		p, err := tarry.ParsePolicy("random")
		if err != nil {
			t.Fatal(err)
		}
		o.Policy = p
	}
	o.Remote = r
	run, err := tarry.Start(t.Context(), square(t), nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// employ lets a worker work until the test has ended, or what it returns is called.
func employ(t testing.TB, c *nats.Conn, w Worker) (quit func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.Work(ctx, c) }()
	var err error
	ended := false
	quit = func() error {
		cancel()
		if !ended {
			err, ended = <-done, true
		}
		return err
	}
	t.Cleanup(func() { quit() })
	return quit
}

// hill has its maximum, 0, at (.3, .6).
func hill(_ context.Context, q tarry.Query) (float64, error) {
	x, y := q.Float("x")-.3, q.Float("y")-.6
	return -x*x - y*y, nil
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came to this: " + what)
		}
	}
}

func fatal(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
