package cluster

import (
	"crypto/x509"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry/internal/check"
)

// Options of a server. Zero values are the usual ones, but for Address, Trust and Store.
type Options struct {
	Address string // to listen on, as in 0.0.0.0:4222; with port 0, one that is free
	Trust   *Trust
	Store   string // folder of JetStream

	Prefix      string        // of the subjects; empty: tarry
	Connections int           // at once; 0: 4096
	SyncAlways  bool          // whether JetStream is on the disk before it acknowledges; else within two minutes
	Ping        time.Duration // how often a silent client is asked whether it is there, twice in vain at most; 0: 5 s
	Log         *zap.Logger
}

// Limits of what a client may send and leave unread.
const (
	maxPayload = 8 << 20
	maxPending = 64 << 20
	maxSubs    = 10000 // of one connection
	readyTime  = 20 * time.Second
	greetTime  = 5 // seconds for TLS, and for who somebody is
)

// Embedded is a NATS server inside this process. It listens on one address, with TLS, and on nothing else.
type Embedded struct {
	server      *server.Server
	gate        *gate
	hub, admin  nkeys.KeyPair
	connections []*nats.Conn
	mutex       sync.Mutex
}

// Start starts a server and returns when it answers. The caller has to see to Trust.Watch, and to Close at the end.
func Start(o Options) (*Embedded, error) {
	options, gate, err := o.server()
	if err != nil {
		return nil, err
	}
	e := &Embedded{gate: gate}
	for _, own := range []struct {
		key    *nkeys.KeyPair
		public *string
	}{{&e.hub, &gate.hub}, {&e.admin, &gate.admin}} {
		if *own.key, err = nkeys.CreateUser(); err != nil {
			return nil, err
		}
		if *own.public, err = (*own.key).PublicKey(); err != nil {
			return nil, err
		}
	}
	if e.server, err = server.NewServer(options); err != nil {
		return nil, fmt.Errorf("NATS server on %s: %w", o.Address, err)
	}
	gate.server = e.server
	log := &logger{log: gate.log}
	e.server.SetLoggerV2(log, false, false, false)
	o.Trust.onChange(gate.review)
	go e.server.Start()
	for end := time.Now().Add(readyTime); !e.server.ReadyForConnections(readyTime / 200); {
		why := log.fatal()
		if why == "" && time.Now().After(end) {
			why = fmt.Sprintf("not ready after %v", readyTime)
		}
		if why != "" {
			e.server.Shutdown()
			e.server.WaitForShutdown()
			return nil, fmt.Errorf("NATS server on %s: %s", o.Address, why)
		}
	}
	return e, nil
}

// server returns the options as those of the library.
func (o *Options) server() (*server.Options, *gate, error) {
	if o.Prefix == "" {
		o.Prefix = "tarry"
	}
	if o.Connections == 0 {
		o.Connections = 4096
	}
	if o.Ping == 0 {
		o.Ping = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	var wrong check.List
	host, portText, err := net.SplitHostPort(o.Address)
	port, notNumber := strconv.ParseUint(portText, 10, 16)
	wrong.Require(err == nil && notNumber == nil, "Address", fmt.Sprintf("%q", o.Address), "an address as in 0.0.0.0:4222")
	wrong.Require(o.Trust != nil, "Trust", nil, "certificates")
	wrong.Require(o.Store != "", "Store", `""`, "a folder")
	wrong.Require(IsName(o.Prefix), "Prefix", fmt.Sprintf("%q", o.Prefix), "one token of a subject")
	wrong.Between("Connections", o.Connections, 1, 1<<20)
	wrong.Require(o.Ping >= 10*time.Millisecond, "Ping", o.Ping, "Ping ≥ 10ms")
	if err := wrong.Err(); err != nil {
		return nil, nil, err
	}
	free := int(port)
	if port == 0 {
		free = server.RANDOM_PORT
	}
	g := &gate{trust: o.Trust, prefix: o.Prefix, log: o.Log, inside: map[uint64]*x509.Certificate{}}
	return &server.Options{
		ServerName: "tarry", Host: host, Port: free, NoSigs: true,
		TLS: true, TLSVerify: true, TLSConfig: o.Trust.serverTLS(), TLSTimeout: greetTime, AuthTimeout: greetTime,
		CustomClientAuthentication: g, AlwaysEnableNonce: true,
		MaxConn: o.Connections, MaxSubs: maxSubs, MaxPayload: maxPayload, MaxPending: maxPending, MaxControlLine: 4096,
		PingInterval: o.Ping, MaxPingsOut: 2, WriteDeadline: 10 * time.Second,
		JetStream: true, StoreDir: o.Store, SyncAlways: o.SyncAlways, DisableJetStreamBanner: true,
		FeatureFlags: map[string]bool{"js_ack_fc_v2": false},
	}, g, nil
}

// Address is where it listens.
func (e *Embedded) Address() string { return e.server.Addr().String() }

// URL is where clients of this machine find it.
func (e *Embedded) URL() string {
	_, port, err := net.SplitHostPort(e.Address())
	if err != nil {
		return "tls://" + e.Address()
	}
	return "tls://localhost:" + port
}

// Hub returns a connection for the hub of remote workers: it hears what they say, and speaks to them alone. Close ends it.
func (e *Embedded) Hub() (*nats.Conn, error) { return e.connect(e.hub, "hub") }

// Admin returns a connection that may do everything, as JetStream's journal needs it. Close ends it.
func (e *Embedded) Admin() (*nats.Conn, error) { return e.connect(e.admin, "admin") }

func (e *Embedded) connect(key nkeys.KeyPair, name string) (*nats.Conn, error) {
	public, err := key.PublicKey()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect("", nats.InProcessServer(e.server), nats.Nkey(public, key.Sign), nats.Name(name),
		nats.CustomInboxPrefix("_OWN."+name), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			e.gate.log.Warn("the server says", zap.Error(err))
		}))
	if err != nil {
		return nil, fmt.Errorf("connect to the NATS server of this process: %w", err)
	}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.connections = append(e.connections, conn)
	return conn, nil
}

// Close ends the connections of this process, then the server, and returns when it has ended.
func (e *Embedded) Close() {
	e.mutex.Lock()
	connections := e.connections
	e.connections = nil
	e.mutex.Unlock()
	for _, c := range connections {
		c.Close()
	}
	e.server.Shutdown()
	e.server.WaitForShutdown()
}
