package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// client is a worker's way to its hub: requests whose answers come from the hub with the greatest epoch, and from no other.
type client struct {
	conn   *nats.Conn
	prefix string
	key    key
	inbox  string
	sub    *nats.Subscription
	epoch  atomic.Uint64 // the greatest that was heard of

	mutex sync.Mutex
	next  uint64
	open  map[string]chan []byte
}

// Why there is no reply.
var (
	errNoAnswer = errors.New("no hub answered")
	errNobody   = fmt.Errorf("%w: nobody is there", errNoAnswer) // the server says so
	errAway     = errors.New("not connected to a server at the moment")
)

// outdated: a hub answers, and it is an older one than this worker has heard of.
type outdated struct{ epoch, known uint64 }

// Error says what that may be, and what to do about it.
func (o outdated) Error() string {
	return fmt.Sprintf("%v but one of epoch %d, and this worker has heard of epoch %d: it leads no longer, or it has lost what it knew of the epochs before it; "+
		"if no other server is there, start this worker again", errNoAnswer, o.epoch, o.known)
}

// Unwrap says that there is no answer.
func (o outdated) Unwrap() error { return errNoAnswer }

// sent returns why a message could not be sent, in the words of who wants to know: a connection that keeps nothing for a server which is
// away says that its buffer is full.
func sent(err error) error {
	if errors.Is(err, nats.ErrReconnectBufExceeded) {
		return errAway
	}
	return err
}

func dial(conn *nats.Conn, prefix string, k key) (*client, error) {
	c := &client{conn: conn, prefix: prefix, key: k, inbox: conn.NewInbox(), open: map[string]chan []byte{}}
	sub, err := conn.Subscribe(c.inbox+".*", c.receive)
	c.sub = sub
	return c, err
}

// forbidden returns why the NATS server does not take messages of a kind from this worker; nil where it has not said so, or something else since.
func (c *client) forbidden(kind string) error {
	err := c.conn.LastError()
	if errors.Is(err, nats.ErrPermissionViolation) && strings.Contains(err.Error(), strconv.Quote(c.prefix+"."+kind+"."+c.key.String())) {
		return err
	}
	return nil
}

func (c *client) close() { _ = c.sub.Unsubscribe() } // the connection may be gone

// receive hands a reply to who waits for it.
func (c *client) receive(m *nats.Msg) {
	c.mutex.Lock()
	waiting := c.open[m.Subject]
	c.mutex.Unlock()
	if waiting != nil {
		select {
		case waiting <- m.Data:
			return
		default: // it has several already
		}
	}
	c.overhear(m.Data)
}

// overhear notes the epoch of a reply that nobody waits for any more: a later hub may be slower than an older one.
func (c *client) overhear(text []byte) {
	var m struct{ Epoch uint64 }
	if json.Unmarshal(text, &m) == nil {
		c.current(m.Epoch)
	}
}

// current reports whether a message is of the latest hub that was heard of.
func (c *client) current(epoch uint64) bool {
	for {
		known := c.epoch.Load()
		if epoch <= known {
			return epoch == known
		}
		if c.epoch.CompareAndSwap(known, epoch) {
			return true
		}
	}
}

// replied is a reply that says which hub it is of.
type replied interface {
	checked
	by() uint64
}

func (r *joinReply) by() uint64   { return r.Epoch }
func (r *studyReply) by() uint64  { return r.Epoch }
func (r *beatReply) by() uint64   { return r.Epoch }
func (r *resultReply) by() uint64 { return r.Epoch }
func (r *reportReply) by() uint64 { return r.Epoch }
func (r *leaveReply) by() uint64  { return r.Epoch }

// ask sends a message and reads the reply of the latest hub into reply. The error wraps errNoAnswer after the time, that of ctx when it
// ends before, or says what is wrong with the reply.
func (c *client) ask(ctx context.Context, kind string, message any, reply replied, patience time.Duration) error {
	return c.askUnless(ctx, nil, kind, message, reply, patience)
}

// askUnless is ask that gives up when there are news, since the message should be sent again then.
func (c *client) askUnless(ctx context.Context, news <-chan struct{}, kind string, message any, reply replied, patience time.Duration) error {
	answers := make(chan []byte, 4)
	c.mutex.Lock()
	c.next++
	inbox := c.inbox + "." + strconv.FormatUint(c.next, 36)
	c.open[inbox] = answers
	c.mutex.Unlock()
	defer func() {
		c.mutex.Lock()
		delete(c.open, inbox)
		c.mutex.Unlock()
		for len(answers) > 0 {
			c.overhear(<-answers)
		}
	}()
	if err := c.conn.PublishRequest(c.prefix+"."+kind+"."+c.key.String(), inbox, encode(message)); err != nil {
		return fmt.Errorf("%s: %w", kind, sent(err))
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var older error
	for {
		select {
		case text := <-answers:
			if len(text) == 0 {
				return fmt.Errorf("%s: %w", kind, errNobody)
			}
			reflect.ValueOf(reply).Elem().SetZero() // of a reply that was not heard
			if err := decode(text, reply); err != nil {
				return fmt.Errorf("reply to %s: %w", kind, err)
			}
			if c.current(reply.by()) {
				return nil
			}
			older = outdated{reply.by(), c.epoch.Load()}
		case <-timer.C:
			if older != nil {
				return fmt.Errorf("%s: %w", kind, older)
			}
			return fmt.Errorf("%s: %w within %v", kind, errNoAnswer, patience)
		case <-news:
			return fmt.Errorf("%s: %w before it was sent again", kind, errNoAnswer)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
