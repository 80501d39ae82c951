package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// writer is the end of a stream, as one who writes it knows it. What it sends follows on what it knows, or is refused.
type writer struct {
	term  *Term
	study string
	name  string // of this opening: two writers of one leader have different ones
	last  uint64 // the last message
	chain string
}

func (t *Term) writer(study string, last uint64, chain string) *writer {
	return &writer{term: t, study: study, name: rand.Text(), last: last, chain: chain}
}

// write sends a batch and returns when the stream has it. ErrFenced says that somebody else has written, ErrUnanswered that nobody
// answered for as long as the group's patience; then nobody knows whether the stream has it.
func (w *writer) write(ctx context.Context, batch []byte) error {
	limit := int(min(w.term.group.Conn.MaxPayload(), 1<<20)) - 4096 // for the headers
	parts := max(1, (len(batch)+limit-1)/limit)
	for part := 1; part <= parts; part++ {
		m := message{epoch: w.term.epoch, leader: w.term.name, part: part, parts: parts, data: batch[(part-1)*limit : min(part*limit, len(batch))]}
		m.chain = link(w.chain, m)
		m.id = fmt.Sprintf("%d.%s.%d", w.term.epoch, w.name, w.last+1)
		if err := w.send(ctx, m); err != nil {
			return fmt.Errorf("message %d of stream %s: %w", w.last+1, w.term.group.Stream(w.study), err)
		}
		w.last, w.chain = w.last+1, m.chain
	}
	return nil
}

// send sends one message, again and again as long as nobody answers.
func (w *writer) send(ctx context.Context, m message) error {
	ctx, cancel := context.WithTimeout(ctx, w.term.group.patience())
	defer cancel()
	for {
		last, err := w.try(ctx, m)
		if last || err == nil {
			return err
		}
		if ended := w.term.valid(); ended != nil {
			return fmt.Errorf("%w: %w: %w", ErrUnanswered, ended, err)
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ErrUnanswered, err)
		}
	}
}

// The numbers of errors of JetStream's interface that this package acts upon and its client has no names for.
const (
	underWay    = 10158 // a message with this id is being written
	storeFailed = 10077 // the stream is full, or cannot be written
)

// wrongSequence reports whether a message was refused since it follows on another one.
func wrongSequence(refusal *natsjs.APIError) bool {
	return refusal.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequence || refusal.ErrorCode == natsjs.JSErrCodeStreamWrongLastSequenceConstant
}

// try sends a message once. It says whether that was the last try.
func (w *writer) try(ctx context.Context, m message) (last bool, err error) {
	once, cancel := context.WithTimeout(ctx, attempt+time.Duration(len(m.data))*time.Microsecond)
	defer cancel()
	ack, err := w.term.js.PublishMsg(once, &nats.Msg{Subject: w.term.group.Subject(w.study), Header: m.headers(w.last), Data: m.data}, natsjs.WithRetryAttempts(0))
	var refusal *natsjs.APIError
	switch {
	case err == nil && ack.Sequence == w.last+1:
		return true, nil
	case err == nil:
		return true, fmt.Errorf("it became message %d", ack.Sequence)
	case !errors.As(err, &refusal):
		return false, err // nobody answered
	}
	switch {
	case wrongSequence(refusal):
		return w.conflict(ctx, m, err)
	case refusal.ErrorCode == storeFailed:
		return true, err
	}
	return refusal.Code < 500 && refusal.ErrorCode != underWay, err
}

// conflict looks at what the stream has in the place of a message that it refused. It is this one, if an earlier try came
// through and its answer did not; it may be nothing, if that is still on its way.
func (w *writer) conflict(ctx context.Context, m message, refused error) (last bool, err error) {
	there, found, err := w.term.group.message(ctx, w.term.js, w.study, w.last+1)
	switch {
	case err != nil:
		return false, err
	case found && there.id == m.id:
		return true, nil
	case found:
		return true, fmt.Errorf("%w: the stream has message %d of epoch %d", ErrFenced, there.seq, there.epoch)
	case w.last == 0:
		return false, refused
	}
	if _, found, err := w.term.group.message(ctx, w.term.js, w.study, w.last); err != nil || found {
		return false, errors.Join(refused, err)
	}
	return false, fmt.Errorf("%w: message %d is not there", ErrShortened, w.last) // unless the servers just choose a leader
}
