package jetstream

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// entry is one line of a message: exactly one of a header, an event, a mark, a text, a snapshot and a claim.
type entry struct {
	Header  json.RawMessage `json:"header,omitempty"` // of a study that begins
	Created *time.Time      `json:"created,omitempty"`

	Event uint64          `json:"event,omitempty"` // its number
	At    int64           `json:"at,omitempty"`    // nanoseconds since the study began
	Kind  string          `json:"kind,omitempty"`
	Body  json.RawMessage `json:"body,omitempty"`

	Mark   uint64 `json:"mark,omitempty"` // the event with the digest
	Digest string `json:"digest,omitempty"`

	Keep string `json:"keep,omitempty"` // the name of a text
	Text string `json:"text,omitempty"`

	Snapshot uint64 `json:"snapshot,omitempty"` // the last event in the state
	State    []byte `json:"state,omitempty"`

	Claim string `json:"claim,omitempty"` // who writes from here on
}

// lines is the text of a message as it grows.
type lines []byte

func (l *lines) add(e entry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	*l = append(append(*l, line...), '\n')
	return nil
}

// event adds a record without its digest. It is add for what there is most of.
func (l *lines) event(r journal.Record) error {
	kind, body, err := journal.EncodeEvent(r.Event.Event)
	if err != nil {
		return err
	}
	b := strconv.AppendUint(append(*l, `{"event":`...), r.Event.Seq, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), int64(r.Event.At), 10)
	b = append(strconv.AppendQuote(append(b, `,"kind":`...), kind), `,"body":`...)
	*l = append(append(b, body...), '}', '\n')
	return nil
}

func (l *lines) mark(seq, digest uint64) {
	*l = fmt.Appendf(*l, "{\"mark\":%d,\"digest\":\"%016x\"}\n", seq, digest)
}

func (l *lines) snapshot(seq uint64, state []byte) {
	*l = fmt.Appendf(*l, `{"snapshot":%d,"state":"`, seq)
	*l = append(base64.StdEncoding.AppendEncode(*l, state), "\"}\n"...)
}

// texts adds what is kept beside a header.
func (l *lines) texts(texts map[string][]byte) error {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if name == positionName {
			continue
		}
		if err := l.add(entry{Keep: name, Text: string(texts[name])}); err != nil {
			return err
		}
	}
	return nil
}

// header adds what a study begins with. The error is that of a header which cannot be read again.
func (l *lines) header(h journal.Header, created time.Time) error {
	text, err := journal.EncodeHeader(h)
	if err != nil {
		return err
	}
	if _, err := journal.DecodeHeader(text); err != nil {
		return err
	}
	created = created.UTC()
	return l.add(entry{Header: text, Created: &created})
}

// parse calls each with the lines of a message in order. A member that is not known is an error, since a newer program means
// something by it; so is a line that is none or several of the kinds.
func parse(text []byte, each func(e entry, last bool) error) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var next entry
	read := func() (err error) {
		next = entry{}
		if err = d.Decode(&next); err == nil {
			err = next.valid()
		}
		return err
	}
	err := read()
	for n := 1; err == nil; n++ {
		e := next
		if err = read(); err == nil || err == io.EOF {
			if failed := each(e, err == io.EOF); failed != nil {
				return failed
			}
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%w: line %d: %w", ErrUnreadable, n+1, err)
		}
	}
	if err != io.EOF {
		return fmt.Errorf("%w: line 1: %w", ErrUnreadable, err)
	}
	return nil
}

// valid returns why an entry is none.
func (e *entry) valid() error {
	kinds := 0
	for _, is := range []bool{e.Header != nil, e.Event > 0, e.Mark > 0, e.Keep != "", e.Snapshot > 0, e.Claim != ""} {
		if is {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		return fmt.Errorf("%d kinds of entry: want one of header, event, mark, keep, snapshot and claim", kinds)
	case e.Header != nil && e.Created == nil:
		return errors.New("created: missing beside header")
	case e.Event > 0 && (e.Kind == "" || e.Body == nil):
		return fmt.Errorf("event %d: kind or body missing", e.Event)
	}
	return nil
}

// record is the record of an event.
func (e *entry) record() (journal.Record, error) {
	event, err := journal.DecodeEvent(e.Kind, e.Body)
	if err != nil {
		return journal.Record{}, fmt.Errorf("event %d: %w", e.Event, err)
	}
	return journal.Record{Event: loop.Stamped{Seq: e.Event, At: time.Duration(e.At), Event: event}}, nil
}

// digest is that of a mark.
func (e *entry) digest() (uint64, error) {
	digest, err := strconv.ParseUint(e.Digest, 16, 64)
	if err != nil || digest == 0 {
		return 0, fmt.Errorf("mark of event %d: digest = %q: want a number > 0 of 16 hexadecimal digits", e.Mark, e.Digest)
	}
	return digest, nil
}
