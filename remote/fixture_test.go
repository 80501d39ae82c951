package remote

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
)

// brief is the heartbeat of the tests in which a worker is missed.
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
		o.Heartbeat = DefaultHeartbeat
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

// gated is an objective that says what it was given, and waits for its value.
type gated struct {
	began  chan tarry.Query
	ended  chan error // causes for which contexts ended
	values chan float64
}

func newGated() *gated {
	return &gated{make(chan tarry.Query, 100), make(chan error, 100), make(chan float64, 100)}
}

func (g *gated) evaluate(ctx context.Context, q tarry.Query) (float64, error) {
	g.began <- q
	select {
	case v := <-g.values:
		return v, nil
	case <-ctx.Done():
		g.ended <- context.Cause(ctx)
		return 0, context.Cause(ctx)
	}
}

// stubborn is gated without heed for its context.
func (g *gated) stubborn(_ context.Context, q tarry.Query) (float64, error) {
	g.began <- q
	return <-g.values, nil
}

// got returns what comes, or fails.
func got[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(20 * time.Second):
		t.Fatal("it never came: " + what)
		panic("unreachable")
	}
}

// ice freezes connections: nothing is read or written any more, and nothing is closed, until it melts.
type ice struct{ sync.RWMutex }

func (i *ice) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &frozen{c, i}, err
}

type frozen struct {
	net.Conn
	ice *ice
}

func (f *frozen) Read(b []byte) (int, error) {
	n, err := f.Conn.Read(b)
	f.ice.RLock()
	defer f.ice.RUnlock()
	return n, err
}

func (f *frozen) Write(b []byte) (int, error) {
	f.ice.RLock()
	defer f.ice.RUnlock()
	return f.Conn.Write(b)
}

// logged is a logger whose lines can be looked for.
func logged() (*zap.Logger, *observer.ObservedLogs) {
	core, logs := observer.New(zap.DebugLevel)
	return zap.New(core), logs
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
