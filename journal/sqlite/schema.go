package sqlite

import (
	"database/sql"
	"fmt"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/journal"
)

const (
	applicationID = 0x74617279 // "tary": the mark of our files, at byte 68
	layout        = 2          // of the tables, in the low byte of user_version
)

// tables is the layout. The statements are kept in the file as they stand here, and compared when it is opened.
var tables = [...]struct{ name, sql string }{
	{"log", `CREATE TABLE log (
  mark TEXT NOT NULL -- one row: what has been reached; what must be is in user_version, above its low byte
)`},
	{"study", `CREATE TABLE study (
  name TEXT PRIMARY KEY NOT NULL, -- header: what the study is; created: when it began; others: what was kept beside it
  text TEXT NOT NULL,
  crc INTEGER NOT NULL
) WITHOUT ROWID`},
	{"events", `CREATE TABLE events (
  seq INTEGER PRIMARY KEY, -- 1, 2, 3, ... without gaps
  at_ns INTEGER NOT NULL, -- since the study began
  kind TEXT NOT NULL,
  body TEXT NOT NULL, -- JSON
  digest TEXT, -- of the state of the study after the event, where one was taken
  crc INTEGER NOT NULL -- CRC-32C
)`},
	{"snapshots", `CREATE TABLE snapshots (
  seq INTEGER PRIMARY KEY, -- the last event in the state
  state BLOB NOT NULL,
  crc INTEGER NOT NULL
)`},
	// Columns that are computed when somebody looks cost nothing when events are written.
	{"timeline", `CREATE VIEW timeline AS SELECT
  seq,
  at_ns / 1e9 AS seconds,
  kind,
  json_extract(body, '$.evaluation') AS evaluation,
  json_extract(body, '$.attempt') AS attempt,
  json_extract(body, '$.value') AS value,
  json_extract(body, '$.reason') AS reason,
  body
FROM events`},
}

// lay makes the marks and the tables in an empty database.
func (s *Store) lay() error {
	statements := []string{fmt.Sprintf("PRAGMA application_id = %d", applicationID)}
	for _, table := range tables {
		statements = append(statements, table.sql)
	}
	statements = append(statements, fmt.Sprintf("INSERT INTO log (mark) VALUES ('%v')", mark(0)), fmt.Sprintf("PRAGMA user_version = %d", mark(0).version()))
	for _, statement := range statements {
		if _, err := s.db.Exec(statement); err != nil {
			return fmt.Errorf("sqlite: create %s: %w", s.path, err)
		}
	}
	return nil
}

// renew gives a database that needs no log marks of its own, which no other has.
func renew(db *sql.DB) error {
	m := mark(rand.Uint32N(marks))
	_, err := db.Exec(fmt.Sprintf("PRAGMA user_version = %d; UPDATE log SET mark = '%v'", m.version(), m))
	return err
}

// laid reports whether the tables are there. Some of them, or others by the same names, are an error. What somebody added
// to the file does not matter.
func (s *Store) laid() (bool, error) {
	rows, err := s.db.Query("SELECT name, sql, rootpage FROM sqlite_schema")
	if err != nil {
		return false, fmt.Errorf("sqlite: %s: schema: %w", s.path, sick(err))
	}
	defer rows.Close()
	found := map[string]string{}
	for rows.Next() {
		var name string
		var text sql.NullString
		var root sql.NullInt64
		if err := rows.Scan(&name, &text, &root); err != nil {
			return false, fmt.Errorf("sqlite: %s: schema: %w", s.path, sick(err))
		}
		if found[name] = text.String; name == "log" && root.Int64 != logPage {
			return false, s.corrupt("table log begins at page %d, want %d", root.Int64, logPage)
		}
	}
	if err := rows.Err(); err != nil {
		return false, fmt.Errorf("sqlite: %s: schema: %w", s.path, sick(err))
	}
	if len(found) == 0 {
		return false, nil
	}
	for _, table := range tables {
		if found[table.name] != table.sql {
			return false, s.corrupt("table %s is not as it was made", table.name)
		}
	}
	return true, nil
}

// start turns the write-ahead log on and reads what is there.
func (s *Store) start() error {
	if err := logged(s.db); err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, sick(err))
	}
	return s.load()
}

// logged turns the write-ahead log of a database on.
func logged(db *sql.DB) error {
	var mode string
	if err := db.QueryRow("PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system does not allow a write-ahead log (SQLite stays in mode %q): use a local folder", mode)
	}
	return nil
}

// ready prepares to write. (The transactions are statements like others, since those of database/sql start a goroutine.)
func (s *Store) ready() error {
	for _, p := range []struct {
		to  **sql.Stmt
		sql string
	}{
		{&s.begin, "BEGIN IMMEDIATE"},
		{&s.end, "COMMIT"},
		{&s.insert, "INSERT INTO events (seq, at_ns, kind, body, digest, crc) VALUES (?, ?, ?, ?, ?, ?)"},
		{&s.update, "UPDATE events SET digest = ?, crc = ? WHERE seq = ?"},
	} {
		var err error
		if *p.to, err = s.db.Prepare(p.sql); err != nil {
			return fmt.Errorf("sqlite: %s: %w", s.path, sick(err))
		}
	}
	return nil
}

// load reads the header and the ends of the events, and checks what costs nothing: the schema, the checksums of what it
// reads, and that snapshots are not ahead of the events.
func (s *Store) load() error {
	if laid, err := s.laid(); !laid || err != nil {
		return err
	}
	if err := s.loadMark(); err != nil {
		return err
	}
	var first, last, state sql.NullInt64
	err := s.db.QueryRow("SELECT (SELECT min(seq) FROM events), (SELECT max(seq) FROM events), (SELECT max(seq) FROM snapshots)").Scan(&first, &last, &state)
	if err != nil {
		return fmt.Errorf("sqlite: %s: events: %w", s.path, sick(err))
	}
	if last.Valid {
		if first.Int64 != 1 || last.Int64 < 1 {
			return s.corrupt("the events are %d to %d, want them from 1", first.Int64, last.Int64)
		}
		rows, err := s.page(uint64(last.Int64) - 1)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return s.corrupt("event %d cannot be found", last.Int64)
		}
		s.last = rows[0]
		if _, err := s.record(s.last, uint64(last.Int64)); err != nil {
			return err
		}
	}
	s.stored = s.last.seq
	if state.Valid && (state.Int64 < 1 || uint64(state.Int64) > s.stored) {
		return s.corrupt("there is a snapshot of event %d, and the last event is %d", state.Int64, s.stored)
	}
	return s.loadHeader()
}

// loadMark reads how far the log has come. What the database promises is reached in it: else the log is not whole.
func (s *Store) loadMark() error {
	var version int32
	err := s.db.QueryRow("PRAGMA user_version").Scan(&version)
	if err != nil {
		return fmt.Errorf("sqlite: %s: marks: %w", s.path, sick(err))
	}
	b, err := bondOf(s.db, version)
	switch {
	case err != nil && code(err) == 0:
		return s.corrupt("table log: %v", worded(err))
	case err != nil:
		return fmt.Errorf("sqlite: %s: table log: %w", s.path, sick(err))
	case !b.settled():
		return s.corrupt("the database promises mark %v, and the log has come to %v", b.promised, b.reached)
	}
	s.reached = b.reached
	return nil
}

// loadHeader comes after the events have been looked at: while another process begins a study and goes on, there may be a
// header without events, never events without a header.
func (s *Store) loadHeader() error {
	text, err := s.text(headerName)
	if text == nil || err != nil {
		return err
	}
	h, err := journal.DecodeHeader(text)
	if err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.path, err)
	}
	s.header = &h
	return nil
}

// corrupt is the error for a file that is not as this package wrote it.
func (s *Store) corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", journal.ErrCorruptJournal, s.path, fmt.Sprintf(format, args...))
}
