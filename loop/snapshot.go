package loop

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"slices"

	"github.com/tarry-bo/tarry/internal/state"
)

// ErrBadSnapshot says that Restore was given something else than the snapshot of a study with this configuration, written
// in the format of this program.
var ErrBadSnapshot = errors.New("bad snapshot")

// The version is the first number of a snapshot. Whatever changes the meaning of the bytes after it changes it too.
const snapshotVersion = 27

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
	out := binary.AppendUvarint(nil, snapshotVersion)
	head := len(out)
	out = binary.LittleEndian.AppendUint64(out, 0) // the checksum, which is not known yet
	out = binary.LittleEndian.AppendUint64(out, l.config.fingerprint())
	out = binary.LittleEndian.AppendUint64(out, l.Digest())
	out = state.Bytes(slices.Grow(out, len(l.ledger.evaluations)*(evaluationSize+8*l.config.Space.Dim())), l.visit)
	binary.LittleEndian.PutUint64(out[head:], crc64.Checksum(out[head+sealSize:], snapshotTable))
	return out, nil
}

// Restore returns the study that Snapshot was called on, given the configuration as it was given to New: from here on the
// same events give the same effects, digests, results and posteriors, to the bit, as if it had never been put away. An
// error is one of the configuration, or wraps ErrBadSnapshot: another version, another configuration, or bytes that were
// cut off or changed. Cost O(n).
func Restore(c Config, snapshot []byte) (*Loop, error) {
	l, err := New(c)
	if err != nil {
		return nil, err
	}
	body, err := unsealed(snapshot)
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

// unsealed returns what the checksum covers.
func unsealed(snapshot []byte) ([]byte, error) {
	version, n := binary.Uvarint(snapshot)
	switch {
	case n <= 0:
		return nil, fmt.Errorf("%w: it has no version", ErrBadSnapshot)
	case version != snapshotVersion:
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrBadSnapshot, version, snapshotVersion)
	case len(snapshot) < n+sealSize+fingerprintsSize:
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrBadSnapshot, len(snapshot))
	}
	seal, body := binary.LittleEndian.Uint64(snapshot[n:]), snapshot[n+sealSize:]
	if got := crc64.Checksum(body, snapshotTable); got != seal {
		return nil, fmt.Errorf("%w: checksum %016x, want %016x", ErrBadSnapshot, got, seal)
	}
	return body, nil
}

// restore fills a loop in which nothing has happened. No bytes make it panic.
func (l *Loop) restore(bytes []byte) error {
	if err := state.Read(bytes, l.visit); err != nil {
		return err
	}
	if err := l.adopt(); err != nil {
		return err
	}
	return l.Check()
}

// Digest is a 64-bit fingerprint of the state: ledger, targets, hyperparameters and rebuild points; not of the reasons that
// were given for what happened. Equal events give equal digests. Cost O(n).
func (l *Loop) Digest() uint64 { return state.Digest(l.visit) }

// Difference returns where the state differs from that of another loop with the same configuration, as in
// "ledger.evaluations[3].Attempt: 1, 2"; "" where it does not. Two that differ only in reasons have the same digest. It is meant
// for tests and for errors. Cost O(n).
func (l *Loop) Difference(other *Loop) string { return state.Difference(l.visit, other.visit) }
