package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
)

// ErrBadSnapshot says that Restore was given something else than the snapshot of a study with this configuration, written
// in the format of this program.
var ErrBadSnapshot = errors.New("bad snapshot")

// The version is the first number of a snapshot. Whatever changes the meaning of the bytes after it changes it too: where the
// pool follows the context they say since when.
const snapshotVersion, contextVersion = 9, 10

// sealSize is the checksum after the version; the checksum covers what follows: the fingerprints of configuration and
// state, and the state.
const sealSize, fingerprintsSize = 8, 16

// evaluationSize is about what an evaluation takes besides its point, in bytes.
const evaluationSize = 100

var snapshotTable = crc64.MakeTable(crc64.ECMA)

// Snapshot returns the state of the study for Restore, as bytes that only this version of the format can read; the
// configuration is not in it. It may be called between any two events, also while the task of an ask runs elsewhere. What
// follows from the rest is left out, above all the algebra: whoever needs a posterior first after Restore pays for it once
// (O(n³) for n rows). The error is that of the Step that broke the loop. Cost O(n).
func (l *Loop) Snapshot() ([]byte, error) {
	if l.broken != nil {
		return nil, fmt.Errorf("snapshot: %w", l.broken)
	}
	x := l.extract()
	out := binary.AppendUvarint(nil, l.config.snapshotVersion())
	head := len(out)
	out = binary.LittleEndian.AppendUint64(out, 0) // the checksum, which is not known yet
	out = binary.LittleEndian.AppendUint64(out, l.config.fingerprint())
	out = binary.LittleEndian.AppendUint64(out, l.Digest())
	c := codec{bytes: slices.Grow(out, len(l.ledger.evaluations)*(evaluationSize+8*l.config.Space.Dim()))}
	c.state(l, &x)
	binary.LittleEndian.PutUint64(c.bytes[head:], crc64.Checksum(c.bytes[head+sealSize:], snapshotTable))
	return c.bytes, nil
}

// Restore returns the study that Snapshot was called on, given the configuration as it was given to New: from here on the
// same events give the same effects, digests, results and posteriors, to the bit, as if it had never been put away. An
// error is one of the configuration, or wraps ErrBadSnapshot: another version, another configuration, or bytes that were
// cut off or changed. Cost O(n).
func Restore(c Config, state []byte) (*Loop, error) {
	l, err := New(c)
	if err != nil {
		return nil, err
	}
	body, err := unsealed(state, l.config.snapshotVersion())
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint64(body) != l.config.fingerprint() {
		return nil, fmt.Errorf("%w: it is of a study with another configuration", ErrBadSnapshot)
	}
	if err := l.restore(body[fingerprintsSize:]); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadSnapshot, err)
	}
	if want, got := binary.LittleEndian.Uint64(body[8:]), l.Digest(); got != want {
		return nil, fmt.Errorf("%w: digest %016x, want %016x", ErrBadSnapshot, got, want)
	}
	return l, nil
}

func (c Config) snapshotVersion() uint64 {
	if c.poolsContext() {
		return contextVersion
	}
	return snapshotVersion
}

// poolsContext reports whether posteriors carry a pool at the context of the ask.
func (c Config) poolsContext() bool { return c.model().PoolsContext() }

// unsealed returns what the checksum covers.
func unsealed(state []byte, want uint64) ([]byte, error) {
	version, n := binary.Uvarint(state)
	switch {
	case n <= 0:
		return nil, fmt.Errorf("%w: it has no version", ErrBadSnapshot)
	case version != want:
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrBadSnapshot, version, want)
	case len(state) < n+sealSize+fingerprintsSize:
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrBadSnapshot, len(state))
	}
	seal, body := binary.LittleEndian.Uint64(state[n:]), state[n+sealSize:]
	if got := crc64.Checksum(body, snapshotTable); got != seal {
		return nil, fmt.Errorf("%w: checksum %016x, want %016x", ErrBadSnapshot, got, seal)
	}
	return body, nil
}

// restore fills a loop in which nothing has happened. No bytes make it panic.
func (l *Loop) restore(state []byte) error {
	var x extract
	c := codec{bytes: state, reading: true}
	c.state(l, &x)
	if c.failed || len(c.bytes) > 0 {
		return errors.New("its structure is broken")
	}
	if err := l.adopt(&x); err != nil {
		return err
	}
	return l.Check()
}

// extract is what a snapshot holds in another form than the loop.
type extract struct {
	history []int // numbers of the answers, in order
	shown   []int // numbers of the answers that the view of the last ask shows
	barred  []int // numbers of the late answers that policies which censor do not see because they had been given up
	model   model.State
}

func (l *Loop) extract() extract {
	x := extract{model: l.model.State(), history: make([]int, len(l.ledger.history)), shown: make([]int, len(l.plan.view.History))}
	for i := range x.history {
		x.history[i] = l.ledger.history[i].Query.Number
	}
	for i := range x.shown {
		x.shown[i] = l.plan.view.History[i].Query.Number
	}
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if e.Status == Late && !l.model.Answers(model.Objective).Member(e.Number, feedback.Censor) {
			x.barred = append(x.barred, e.Number)
		}
	}
	return x
}
