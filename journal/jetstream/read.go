package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// api is what the subjects of JetStream's interface begin with.
const api = "$JS.API."

// One request for messages is answered with so many, or so many bytes, whichever comes first.
const (
	most     = 1024
	mostData = 8 << 20
)

// errNoStream says that a study has no stream.
var errNoStream = errors.New("there is no stream")

// info returns the state of the stream of a study, as its leader among the servers knows it; errNoStream without one.
func (g *Group) info(ctx context.Context, js natsjs.JetStream, study string) (*natsjs.StreamInfo, error) {
	stream, err := js.Stream(ctx, g.Stream(study))
	if errors.Is(err, natsjs.ErrStreamNotFound) {
		return nil, errNoStream
	}
	if err != nil {
		return nil, err
	}
	return stream.CachedInfo(), nil
}

// list returns the studies that have a stream.
func (g *Group) list(ctx context.Context, js natsjs.JetStream) (names []string, err error) {
	all := js.StreamNames(ctx, natsjs.WithStreamListSubject(g.prefix()+"-journal.*"))
	for name := range all.Name() {
		if study, ours := g.named(name); ours {
			names = append(names, study)
		}
	}
	return names, all.Err()
}

// read calls take with the messages of a stream after one, in order, as long as there are more. A server that is behind the
// others may end it early, and so does a stream that does not answer: an error then. Whoever must have all claims the stream
// behind what he has read.
func (g *Group) read(ctx context.Context, study string, after uint64, take func(message) error) error {
	for {
		more, next, err := g.readSome(ctx, study, after, take)
		if err != nil || !more {
			return err
		}
		after = next
	}
}

// readSome reads what one request brings, and says whether there is more and up to where it came.
func (g *Group) readSome(ctx context.Context, study string, after uint64, take func(message) error) (more bool, last uint64, err error) {
	inbox := g.Conn.NewInbox()
	sub, err := g.Conn.SubscribeSync(inbox)
	if err != nil {
		return false, after, err
	}
	defer sub.Unsubscribe()
	ask, _ := json.Marshal(map[string]uint64{"seq": after + 1, "batch": most, "max_bytes": mostData})
	if err := g.Conn.PublishRequest(api+"DIRECT.GET."+g.Stream(study), inbox, ask); err != nil {
		return false, after, err
	}
	for last = after; ; {
		got, err := next(ctx, sub)
		if err != nil {
			return false, last, fmt.Errorf("read message %d: %w", last+1, err)
		}
		switch status := got.Header.Get("Status"); status {
		case "":
		case "204": // the end of the batch
			pending, err := strconv.ParseUint(got.Header.Get("Nats-Num-Pending"), 10, 64)
			return err == nil && pending > 0 && last > after, last, nil
		case "404":
			return false, last, nil
		case "503":
			return false, last, fmt.Errorf("read message %d: %w", last+1, nats.ErrNoResponders)
		default:
			return false, last, fmt.Errorf("read message %d: status %s %s", last+1, status, got.Header.Get("Description"))
		}
		seq, err := strconv.ParseUint(got.Header.Get("Nats-Sequence"), 10, 64)
		if err != nil || seq != last+1 {
			return false, last, fmt.Errorf("%w: message %d is missing: the next one is %s", ErrShortened, last+1, got.Header.Get("Nats-Sequence"))
		}
		m, err := messageOf(seq, got.Header, got.Data)
		if err == nil {
			err = take(m)
		}
		if err != nil {
			return false, last, err
		}
		last = seq
	}
}

// message returns one message, as the leader among the servers knows it; false without one. It waits no longer than the
// context and one attempt.
func (g *Group) message(ctx context.Context, js natsjs.JetStream, study string, seq uint64) (message, bool, error) {
	ask, _ := json.Marshal(map[string]uint64{"seq": seq})
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	reply, err := g.Conn.RequestWithContext(ctx, api+"STREAM.MSG.GET."+g.Stream(study), ask)
	if err != nil {
		return message{}, false, err
	}
	var got struct {
		Error   *natsjs.APIError `json:"error"`
		Message *struct {
			Seq    uint64    `json:"seq"`
			Header []byte    `json:"hdrs"`
			Data   []byte    `json:"data"`
			Time   time.Time `json:"time"`
		} `json:"message"`
	}
	if err := json.Unmarshal(reply.Data, &got); err != nil {
		return message{}, false, err
	}
	switch {
	case got.Error != nil && got.Error.ErrorCode == natsjs.JSErrCodeMessageNotFound:
		return message{}, false, nil
	case got.Error != nil && got.Error.ErrorCode == natsjs.JSErrCodeStreamNotFound:
		return message{}, false, errNoStream
	case got.Error != nil:
		return message{}, false, got.Error
	case got.Message == nil:
		return message{}, false, errors.New("an answer without a message")
	}
	h, err := nats.DecodeHeadersMsg(got.Message.Header)
	if err != nil {
		return message{}, false, err
	}
	m, err := messageOf(got.Message.Seq, h, got.Message.Data)
	return m, err == nil, err
}

// next waits for a message, no longer than the context and one attempt.
func next(ctx context.Context, sub *nats.Subscription) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, attempt)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}
