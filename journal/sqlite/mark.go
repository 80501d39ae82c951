package sqlite

import (
	"database/sql"
	"fmt"
	"strconv"
)

// mark is a point in the life of a study, counted modulo marks from a random number on, so that the files of two studies
// do not go together.
type mark uint32

const marks = 1 << 24

func (m mark) next() mark { return (m + 1) % marks }

// String is six hexadecimal digits, as in the table log.
func (m mark) String() string { return fmt.Sprintf("%06x", uint32(m)) }

// version is the user_version of a database that promises the mark. Its low byte is the layout.
func (m mark) version() int32 { return int32(uint32(m)<<8 | layout) }

func parseMark(text string) (mark, error) {
	n, err := strconv.ParseUint(text, 16, 24)
	if err != nil || len(text) != len(mark(0).String()) {
		return 0, fmt.Errorf("its mark is %q", text)
	}
	return mark(n), nil
}

// bond says how a database and its log belong together. The header of the database has the mark that is promised, the table
// log the one that is reached. Every transaction leaves behind a reached mark that is not before the promised one, and now
// and then two of them follow on each other, A and B. A sets both marks to the next one, m, and B sets the reached one to
// the one after that and touches nothing else. While a reader stands between the two, a checkpoint brings to the database
// what is in the log up to A; of the page with the reached mark, whose latest version is that of B, it brings nothing,
// since it writes latest versions only. From then on the database by itself promises m and has not reached it, so that
// without the log that has B it is known to be incomplete. Whoever brings all of the log to the database, whether or not
// he has heard of marks, brings the reached mark as well, and the database is complete by itself again.
//
// The promise gets to the main file by way of the page cache, since SQLite waits for the disk only when it has brought all of the
// log. A loss of power may take it back; it does not take the log away, which was on the disk before.
type bond struct{ promised, reached mark }

// settled reports whether the database needs no log.
func (b bond) settled() bool { return (b.reached-b.promised)%marks < marks/2 }

// follows reports whether the database has come as far as to promise a mark.
func (b bond) follows(m mark) bool { return (b.promised-m)%marks < marks/2 }

// knows reports whether a log with these marks, the reached ones of its transactions in order, is the log of the database.
// One that begins where a settled database has arrived is: nothing of it has been brought there yet. One without marks was
// written by other programs.
func (b bond) knows(log []mark) bool {
	want := b.promised.next()
	if b.settled() {
		if len(log) == 0 || log[0] == b.reached.next() {
			return true
		}
		want = b.reached
	}
	for _, m := range log {
		if m == want {
			return true
		}
	}
	return false
}

// logPage is the page of the table log, which is the first one that was made.
const logPage = 2

// markIn returns the mark in a version of the page of the table log. The only row is at the end of the page, and the mark
// at the end of the row.
func markIn(page []byte) (mark, bool) {
	m, err := parseMark(string(page[len(page)-len(mark(0).String()):]))
	return m, err == nil
}

// bondOf reads the marks of a database; those of one that never got its tables are zero.
func bondOf(db *sql.DB, version int32) (bond, error) {
	b := bond{promised: mark(uint32(version) >> 8)}
	var tables int
	if err := db.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'log'").Scan(&tables); err != nil {
		return b, err
	}
	if tables == 0 {
		return bond{}, nil
	}
	var text string
	err := db.QueryRow("SELECT mark FROM log").Scan(&text)
	if err == nil {
		b.reached, err = parseMark(text)
	}
	return b, err
}
