package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	natsjs "github.com/nats-io/nats.go/jetstream"
)

// Term is the time in which this process leads. Group.Lead returns one.
type Term struct {
	group *Group
	js    natsjs.JetStream
	epoch uint64
	name  string // of the leader; no other has it
	lease *Lease
}

// Epoch returns the number of the term, which is greater than that of every one before.
func (t *Term) Epoch() uint64 { return t.epoch }

// Lost is closed when this process may lead no more, before any other can. What is acknowledged from then on is not kept: the stores
// of the term fail. Close them, and follow again.
func (t *Term) Lost() <-chan struct{} { return t.lease.Lost() }

// End gives the lease back, so that another process leads at once. Close all stores before. A second call does nothing.
func (t *Term) End(ctx context.Context) error { return t.lease.Release(ctx) }

// valid returns an error that wraps ErrFenced when another process may lead.
func (t *Term) valid() error {
	if t.lease.held() {
		return nil
	}
	return fmt.Errorf("%w, or may have: the lease has ended", ErrFenced)
}

// make makes the stream of a study, where it is not there.
func (t *Term) make(study string) error {
	ctx, cancel := context.WithTimeout(context.Background(), t.group.patience())
	defer cancel()
	for {
		_, err := t.js.CreateStream(ctx, t.group.config(study))
		if err == nil || errors.Is(err, natsjs.ErrStreamNameAlreadyInUse) { // with other limits, which are somebody's wish
			return nil
		}
		var refusal *natsjs.APIError
		if errors.As(err, &refusal) && refusal.Code < 500 {
			return fmt.Errorf("make stream %s: %w", t.group.Stream(study), err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("make stream %s: %w: %w", t.group.Stream(study), ErrUnanswered, err)
		}
	}
}
