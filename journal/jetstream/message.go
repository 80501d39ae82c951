package jetstream

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// The headers of a message besides those of NATS.
const (
	epochHeader  = "Tarry-Epoch"  // of the leader who sent it
	leaderHeader = "Tarry-Leader" // a name that no other leader ever has
	chainHeader  = "Tarry-Chain"  // hash of this message and all before it
	partHeader   = "Tarry-Part"   // which part of a batch it is, and of how many, as in 2/5; absent where it is all of it
)

// message is one message of a stream.
type message struct {
	seq         uint64 // in the stream
	epoch       uint64
	leader      string
	part, parts int
	chain       string
	id          string
	data        []byte
}

// link is the hash of a message behind those with a hash.
func link(before string, m message) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d %q %d %d %d\n", before, m.epoch, m.leader, m.part, m.parts, len(m.data))
	h.Write(m.data)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// headers are those that the message is sent with.
func (m message) headers(follows uint64) nats.Header {
	h := nats.Header{}
	h.Set(natsjs.ExpectedLastSeqHeader, strconv.FormatUint(follows, 10))
	h.Set(natsjs.MsgIDHeader, m.id)
	h.Set(epochHeader, strconv.FormatUint(m.epoch, 10))
	h.Set(leaderHeader, m.leader)
	h.Set(chainHeader, m.chain)
	if m.parts > 1 {
		h.Set(partHeader, fmt.Sprintf("%d/%d", m.part, m.parts))
	}
	return h
}

// messageOf reads a message with a number. An error says that this package did not write it.
func messageOf(seq uint64, h nats.Header, data []byte) (message, error) {
	m := message{seq: seq, leader: h.Get(leaderHeader), part: 1, parts: 1, chain: h.Get(chainHeader), id: h.Get(natsjs.MsgIDHeader), data: data}
	var err error
	if m.epoch, err = strconv.ParseUint(h.Get(epochHeader), 10, 64); err != nil {
		return m, fmt.Errorf("%w: message %d: %s = %q: want a number", ErrUnreadable, seq, epochHeader, h.Get(epochHeader))
	}
	if text := h.Get(partHeader); text != "" {
		part, parts, _ := strings.Cut(text, "/")
		m.part, err = strconv.Atoi(part)
		if err == nil {
			m.parts, err = strconv.Atoi(parts)
		}
		if err != nil || m.part < 1 || m.parts < m.part {
			return m, fmt.Errorf("%w: message %d: %s = %q: want a part and their number, as in 2/5", ErrUnreadable, seq, partHeader, text)
		}
	}
	return m, nil
}
