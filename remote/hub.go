package remote

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/internal/check"
)

// What holds unless Options or a Worker say otherwise.
const (
	DefaultPrefix    = "tarry"
	DefaultHeartbeat = 2 * time.Second
	DefaultMissed    = 3
	DefaultRotation  = 30 * time.Second
	DefaultSettle    = time.Minute
	leastKey         = 16 // bytes
)

// Options say how a hub works. Only Key must be set.
type Options struct {
	Key       []byte        // of the tokens, at least 16 bytes that nobody else has; kept over restarts, so that older answers still count
	Epoch     uint64        // of this hub: greater than that of every hub before it; a worker hears the greatest it knows of
	Prefix    string        // of the subjects; empty: DefaultPrefix
	Heartbeat time.Duration // how often a worker says that it lives; 0: DefaultHeartbeat
	Missed    int           // heartbeats after which a silent worker is taken for lost; 0: DefaultMissed
	Rotation  time.Duration // how often slots that cannot be divided go to the next study; 0: DefaultRotation
	// Settle is how long after its start a hub leaves attempts of studies alone that it does not have: they may be about to be resumed.
	// 0: DefaultSettle.
	Settle time.Duration
	Logger *zap.Logger          // nil: silent; of one that panics nothing more is wanted, and the hub goes on
	Tracer trace.TracerProvider // of a span for each attempt, from its dispatch to its answer; nil: none
}

func (o Options) withDefaults() Options {
	if o.Prefix == "" {
		o.Prefix = DefaultPrefix
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = DefaultHeartbeat
	}
	if o.Missed == 0 {
		o.Missed = DefaultMissed
	}
	if o.Rotation == 0 {
		o.Rotation = DefaultRotation
	}
	if o.Settle == 0 {
		o.Settle = DefaultSettle
	}
	o.Logger = guarded(o.Logger)
	return o
}

// guarded is a logger that breaks nobody; of none, one that is silent.
func guarded(logger *zap.Logger) *zap.Logger {
	if logger == nil {
		return zap.NewNop()
	}
	return actors.Guarded(logger)
}

// Validate reports every violation at once.
func (o Options) Validate() error {
	var l check.List
	l.Require(len(o.Key) >= leastKey, "Options.Key", fmt.Sprintf("%d bytes", len(o.Key)), fmt.Sprintf("at least %d bytes", leastKey))
	l.Require(o.Prefix == "" || isSubject(o.Prefix), "Options.Prefix", o.Prefix, "names of letters, digits, _ and - with dots between them")
	l.Require(o.Heartbeat >= 0 && o.Heartbeat <= time.Hour, "Options.Heartbeat", o.Heartbeat, "0 ≤ Heartbeat ≤ 1h; 0 means "+DefaultHeartbeat.String())
	l.Between("Options.Missed", o.Missed, 0, 1000)
	l.Require(o.Rotation >= 0, "Options.Rotation", o.Rotation, "a duration ≥ 0; 0 means "+DefaultRotation.String())
	l.Require(o.Settle >= 0, "Options.Settle", o.Settle, "a duration ≥ 0; 0 means "+DefaultSettle.String())
	return l.Err()
}

// isSubject reports whether a text is tokens of a subject with dots between them.
func isSubject(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if !isName(part) {
			return false
		}
	}
	return true
}

// Hub takes studies to workers of other processes: it is a tarry.Remote. All methods are safe for concurrent use.
type Hub struct {
	conn    *nats.Conn
	options Options
	began   time.Time
	spans   spans

	mutex   sync.Mutex // guards what follows; never held while a study is waited for
	studies map[string]*study
	order   []*study        // as they were attached
	held    map[string]bool // names of studies that get no slots
	workers map[key]*worker
	turn    int // of what cannot be divided
	joined  int // workers so far
	closed  bool

	subscriptions []*nats.Subscription
	pool          pool
	busy          sync.WaitGroup // of what waits for the end
	places        chan struct{}  // messages that are handled at once
	rotation      *time.Ticker
	done          chan struct{}
}

// key names a worker.
type key struct{ name, instance string }

func (k key) String() string { return k.name + "." + k.instance }

// handled bounds how many messages are handled at once: as many as may wait for one commit of a journal.
const handled = 1024

// NewHub returns a hub that hears workers from now on, or every violation of its options. It neither owns nor closes the connection.
func NewHub(conn *nats.Conn, o Options) (*Hub, error) {
	if conn == nil {
		return nil, &check.FieldError{Field: "conn", Value: nil, Want: "a connection"}
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.withDefaults()
	h := &Hub{
		conn: conn, options: o, began: time.Now(), spans: newSpans(o.Tracer), studies: map[string]*study{}, held: map[string]bool{}, workers: map[key]*worker{},
		places: make(chan struct{}, handled), rotation: time.NewTicker(o.Rotation), done: make(chan struct{}),
	}
	for kind, handle := range map[string]func(key, []byte) any{
		"join": h.join, "study": h.describe, "hb": h.beat, "result": h.result, "report": h.report, "leave": h.leave,
	} {
		s, err := conn.Subscribe(o.Prefix+"."+kind+".*.*", h.handler(kind, handle))
		if err != nil {
			h.Close()
			return nil, fmt.Errorf("hub: %w", err)
		}
		h.subscriptions = append(h.subscriptions, s)
	}
	if err := conn.Flush(); err != nil {
		h.Close()
		return nil, fmt.Errorf("hub: %w", err)
	}
	h.busy.Go(h.rotate)
	return h, nil
}

// handler hands the messages of a kind on, each with the worker whose subject it came by, and answers.
func (h *Hub) handler(kind string, handle func(key, []byte) any) nats.MsgHandler {
	return func(m *nats.Msg) {
		name, instance, _ := strings.Cut(strings.TrimPrefix(m.Subject, h.options.Prefix+"."+kind+"."), ".")
		if !isName(name) || !isName(instance) || m.Reply == "" {
			h.options.Logger.Warn("message refused", zap.String("subject", m.Subject), zap.String("reason", "want a worker and an instance of letters, digits, _ and -, and somewhere to answer"))
			return
		}
		h.places <- struct{}{}
		if !h.pool.do(func() {
			defer func() { <-h.places }()
			if reply := handle(key{name, instance}, m.Data); reply != nil {
				if err := h.conn.Publish(m.Reply, encode(reply)); err != nil {
					h.options.Logger.Debug("not answered", zap.String("worker", name), zap.Error(sent(err)))
				}
			}
		}) {
			<-h.places
		}
	}
}

// read decodes a message, and compares the epoch that its worker has heard of.
func (h *Hub) read(from key, text []byte, m checked, epoch *uint64) error {
	err := decode(text, m)
	if err == nil && *epoch > h.options.Epoch {
		err = fmt.Errorf("epoch = %d: this hub has %d, and is not the latest any more", *epoch, h.options.Epoch)
	}
	if err != nil {
		h.options.Logger.Warn("message refused", zap.String("worker", from.name), zap.String("instance", from.instance), zap.Error(err))
	}
	return err
}

// Close leaves the workers alone: what they run goes on, and a hub that is started anew takes their answers. So whoever ends the process
// closes the hub first and pauses the studies then: a study that is paused at once while the hub is open stops what its workers run. It
// returns when no message is handled any more.
func (h *Hub) Close() {
	h.mutex.Lock()
	if h.closed {
		h.mutex.Unlock()
		return
	}
	h.closed = true
	for _, w := range h.workers {
		w.watch.Stop()
	}
	h.mutex.Unlock()
	h.rotation.Stop()
	close(h.done)
	for _, s := range h.subscriptions {
		_ = s.Unsubscribe() // the connection may be gone
	}
	h.pool.close()
	h.busy.Wait()
}

// rotate gives slots that cannot be divided to the next study, now and then.
func (h *Hub) rotate() {
	for {
		select {
		case <-h.rotation.C:
			h.mutex.Lock()
			h.turn++
			h.shareAll()
			h.mutex.Unlock()
		case <-h.done:
			return
		}
	}
}

// Attach takes a study in: the hub is a tarry.Remote. It has one study of a name at a time.
func (h *Hub) Attach(s *tarry.RemoteStudy) error { return h.attach(s, nil) }

// With returns the hub for studies that need workers with all of the labels.
func (h *Hub) With(labels ...string) tarry.Remote { return needing{h, labels} }

// needing is a hub for studies with needs.
type needing struct {
	hub    *Hub
	labels []string
}

// Attach takes a study in.
func (n needing) Attach(s *tarry.RemoteStudy) error {
	if err := checkLabels(n.labels); err != nil {
		return err
	}
	return n.hub.attach(s, n.labels)
}

// ErrClosed: the hub was closed.
var ErrClosed = errors.New("the hub is closed")
