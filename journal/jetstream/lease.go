package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// The lease is a key that the servers forget after a time, unless it is written again.
const (
	leaseTime  = 3 * time.Second
	renewal    = time.Second
	margin     = 300 * time.Millisecond // before others can take it
	looking    = 200 * time.Millisecond // between two attempts to take it
	leaseKey   = "leader"
	markerTime = time.Minute // how long the servers remember that they have forgotten
)

// Lease says that this process leads. Group.Acquire returns one. Whether it is held is judged by the clock of this process, which
// must neither stand still while others' go on nor be a tenth slower: where that happens, as in a virtual machine that is put to
// sleep, what keeps two leaders apart are the numbers of the messages.
type Lease struct {
	bucket natsjs.KeyValue
	value  []byte // no other process ever writes the same
	epoch  uint64
	lost   chan struct{}
	stop   context.CancelFunc
	done   chan struct{} // renewing has ended

	mutex    sync.Mutex
	revision uint64
	until    time.Time // when others may take it
	tried    time.Time // when the first renewal was sent that was not answered; zero: none
	ended    bool
}

// Acquire waits until this process has the lease, and renews it each second from then on. The holder is a name for people. The
// error is that of the context.
func (g *Group) Acquire(ctx context.Context, holder string) (*Lease, error) {
	js, err := natsjs.New(g.Conn)
	if err != nil {
		return nil, err
	}
	l := &Lease{value: []byte(rand.Text() + " " + holder), lost: make(chan struct{}), done: make(chan struct{})}
	var said string
	for {
		sent := time.Now()
		err := l.take(ctx, g, js)
		if err == nil {
			l.epoch, l.until = l.revision, sent.Add(leaseTime)
			renewing, stop := context.WithCancel(context.Background())
			l.stop = stop
			go l.renew(renewing)
			return l, nil
		}
		if text := err.Error(); text != said && !taken(err) && ctx.Err() == nil {
			g.say("lease: %v", err)
			said = text
		}
		select {
		case <-time.After(looking):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// take tries once to take the lease.
func (l *Lease) take(ctx context.Context, g *Group, js natsjs.JetStream) (err error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	if l.bucket == nil {
		l.bucket, err = g.bucket(ctx, js)
		if err != nil {
			l.bucket = nil
			return err
		}
	}
	l.revision, err = l.bucket.Create(ctx, leaseKey, l.value)
	if taken(err) { // by an attempt that was not answered, perhaps
		if there, found := l.bucket.Get(ctx, leaseKey); found == nil && string(there.Value()) == string(l.value) {
			l.revision, err = l.bucket.Update(ctx, leaseKey, l.value, there.Revision())
		}
	}
	if errors.Is(err, natsjs.ErrBucketNotFound) || errors.Is(err, natsjs.ErrNoStreamResponse) {
		l.bucket = nil // it may have to be made again
	}
	return err
}

// taken reports whether an error says that somebody has the key.
func taken(err error) bool {
	var refusal *natsjs.APIError
	return errors.Is(err, natsjs.ErrKeyExists) || errors.As(err, &refusal) && wrongSequence(refusal)
}

// bucket returns the bucket with the lease, which it makes where there is none.
func (g *Group) bucket(ctx context.Context, js natsjs.JetStream) (natsjs.KeyValue, error) {
	bucket, err := js.KeyValue(ctx, g.Bucket())
	if !errors.Is(err, natsjs.ErrBucketNotFound) {
		return bucket, err
	}
	return js.CreateKeyValue(ctx, natsjs.KeyValueConfig{
		Bucket: g.Bucket(), Description: "who leads", TTL: leaseTime, LimitMarkerTTL: markerTime, Replicas: max(g.Replicas, 1), Storage: natsjs.FileStorage,
	})
}

// Epoch returns the number of the lease, which is greater than that of every one before as long as the bucket is there.
func (l *Lease) Epoch() uint64 { return l.epoch }

// Lost is closed when the lease has ended, however that came, and before another process can have it.
func (l *Lease) Lost() <-chan struct{} { return l.lost }

// held reports whether nobody else can have the lease at this moment.
func (l *Lease) held() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return !l.ended && time.Now().Before(l.until.Add(-margin))
}

// renew writes the key each second, until it cannot.
func (l *Lease) renew(ctx context.Context) {
	defer close(l.done)
	defer l.end()
	wait := renewal
	for {
		select {
		case <-time.After(min(wait, time.Until(l.until)-margin)):
		case <-ctx.Done():
			return
		}
		if !l.held() {
			return
		}
		var err error
		if wait, err = l.again(ctx); err != nil {
			return
		}
	}
}

// again writes the key once, and says after which time to do so again. An error says that the lease is another's.
func (l *Lease) again(ctx context.Context) (time.Duration, error) {
	sent := time.Now()
	if l.tried.IsZero() {
		l.tried = sent
	}
	once, cancel := context.WithDeadline(ctx, earlier(sent.Add(2*attempt), l.until.Add(-margin)))
	defer cancel()
	revision, err := l.bucket.Update(once, leaseKey, l.value, l.revision)
	if err == nil {
		l.renewed(revision, sent)
		return renewal, nil
	}
	if !errors.Is(err, natsjs.ErrKeyRevisionMismatch) {
		return looking, nil
	}
	there, err := l.bucket.Get(once, leaseKey)
	switch {
	case err == nil && string(there.Value()) == string(l.value): // an attempt came through whose answer did not
		if there.Revision() > l.revision {
			l.renewed(there.Revision(), l.tried)
		}
		return looking, nil
	case err == nil:
		return 0, fmt.Errorf("%w: %s", ErrFenced, there.Value())
	case errors.Is(err, natsjs.ErrKeyNotFound):
		return 0, fmt.Errorf("%w: the lease was taken away", ErrFenced)
	}
	return looking, nil
}

// renewed remembers that the key was written, by what was sent then or later.
func (l *Lease) renewed(revision uint64, sent time.Time) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.revision, l.until, l.tried = revision, sent.Add(leaseTime), time.Time{}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// end closes Lost.
func (l *Lease) end() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if !l.ended {
		l.ended = true
		close(l.lost)
	}
}

// Release gives the lease back, if it is still held, so that another process can have it at once. An error says that it will
// have it only when its time has ended.
func (l *Lease) Release(ctx context.Context) error {
	held := l.held()
	l.stop()
	<-l.done
	if !held {
		return nil
	}
	if err := l.bucket.Delete(ctx, leaseKey, natsjs.LastRevision(l.revision)); err != nil {
		return fmt.Errorf("give the lease back: %w", err)
	}
	return nil
}
