package sqlite

import (
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// row is a record as the table of events has it.
type row struct {
	seq        uint64
	at         int64
	kind, body string
	digest     uint64 // 0: none
	crc        uint32 // as read
}

// snapshot is a state as the table of snapshots has it.
type snapshot struct {
	seq   uint64
	state []byte
}

// table is that of CRC-32C, which processors compute.
var table = crc32.MakeTable(crc32.Castagnoli)

// checksum covers all that is in the row. The length of the kind is in it, so that no byte can change sides.
func (r row) checksum() uint32 {
	b := make([]byte, 0, 32+len(r.kind)+len(r.body))
	b = binary.LittleEndian.AppendUint64(b, r.seq)
	b = binary.LittleEndian.AppendUint64(b, uint64(r.at))
	b = binary.LittleEndian.AppendUint64(b, r.digest)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(r.kind)))
	b = append(b, r.kind...)
	b = append(b, r.body...)
	return crc32.Checksum(b, table)
}

func (s snapshot) checksum() uint32 {
	return crc32.Update(crc32.Checksum(binary.LittleEndian.AppendUint64(nil, s.seq), table), table, s.state)
}

// rowOf is the row of a record.
func rowOf(r journal.Record) (row, error) {
	kind, body, err := journal.EncodeEvent(r.Event.Event)
	if err != nil {
		return row{}, err
	}
	return row{seq: r.Event.Seq, at: int64(r.Event.At), kind: kind, body: string(body), digest: r.Digest}, nil
}

// record is the record of a row that was read, which must be the one with the number; errors wrap ErrCorruptJournal and
// name the event.
func (s *Store) record(r row, seq uint64) (journal.Record, error) {
	if r.seq != seq {
		return journal.Record{}, s.corrupt("event %d is missing: the next one is %d", seq, r.seq)
	}
	if r.crc != r.checksum() {
		return journal.Record{}, s.corrupt("event %d: its checksum is wrong", seq)
	}
	return s.decoded(r)
}

// decoded is the record of a row whose checksum is not in question.
func (s *Store) decoded(r row) (journal.Record, error) {
	event, err := journal.DecodeEvent(r.kind, []byte(r.body))
	if err != nil {
		return journal.Record{}, fmt.Errorf("%w: %s: event %d: %w", journal.ErrCorruptJournal, s.path, r.seq, err)
	}
	return journal.Record{Event: loop.Stamped{Seq: r.seq, At: time.Duration(r.at), Event: event}, Digest: r.digest}, nil
}

// text is the digest as the table has it: hexadecimal, as in the messages of a replay, since SQLite's integers have a sign;
// NULL where none was taken.
func (r row) text() any {
	if r.digest == 0 {
		return nil
	}
	return fmt.Sprintf("%016x", r.digest)
}

// scan reads a row of: seq, at_ns, kind, body, digest, crc.
func (r *row) scan(rows *sql.Rows) error {
	var seq, crc int64
	var digest sql.NullString
	if err := rows.Scan(&seq, &r.at, &r.kind, &r.body, &digest, &crc); err != nil {
		return err
	}
	r.seq = uint64(seq)
	r.crc = uint32(crc)
	if int64(r.crc) != crc {
		return fmt.Errorf("its checksum is %d", crc)
	}
	if digest.Valid {
		var err error
		if r.digest, err = strconv.ParseUint(digest.String, 16, 64); err != nil {
			return fmt.Errorf("its digest is %q", digest.String)
		}
	}
	return nil
}
