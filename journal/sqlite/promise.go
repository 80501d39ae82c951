package sqlite

import (
	"fmt"
	"time"
)

// promises are what a store that writes knows about the bond between the database and its log, and when to renew it.
type promises struct {
	reached mark
	brought mark          // that the database is known to promise by itself
	bonded  time.Time     // when it was last renewed; zero: it must be
	took    time.Duration // that time
	count   int           // of transactions since then
	weight  int           // bytes that were appended since then, about
	share   int           // a renewal takes one part in so many of the time
	most    int           // transactions, for which it is put off if that takes more
	longest int           // frames in the log, but for half as many, before it begins anew
}

// usually is how often the bond is renewed: with every transaction where they are so far apart that it takes a fiftieth of the
// time, and with every sixteenth where they are not. So much is the most that can be cut off of the log unnoticed when its
// index is gone. A thousand pages are SQLite's own measure.
var usually = promises{share: 50, most: 16, longest: 1000}

// due reports whether the bond is to be renewed.
func (p *promises) due() bool {
	return p.bonded.IsZero() || p.count >= p.most || p.weight > p.longest*usualPage/2 ||
		time.Since(p.bonded) > time.Duration(p.share)*p.took
}

// bind does something in a transaction, as the first of two that renew the bond; see the type bond. What was done is safe
// when no error has come back. That the rest did not succeed is an error of whatever is done next.
func (s *Store) bind(do func() error) error {
	began := time.Now()
	m := s.reached.next()
	err := s.transaction(func() error {
		if err := do(); err != nil {
			return err
		}
		if _, err := s.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", m.version())); err != nil {
			return fmt.Errorf("promised mark: %w", err)
		}
		return s.reach(m)
	})
	if err != nil {
		return err
	}
	s.reached, s.bonded, s.count, s.weight = m, began, 0, 0
	if err := s.bring(); err != nil {
		s.failed = s.unwritten(err)
	}
	s.took = time.Since(began)
	return nil
}

// bring brings the log to the database, up to the first of the two transactions, with the second one behind it. Where that
// is not possible the bond stays as it was, which is weaker and no harm: while others read what was there before, or where
// the disk takes no more.
func (s *Store) bring() error {
	m := s.reached
	standing := s.stand()
	defer s.leave()
	if standing != nil {
		return nil
	}
	if err := s.reach(m.next()); err != nil {
		return err
	}
	s.reached = m.next()
	frames, brought, err := s.checkpoint()
	if err != nil || frames-brought != 1 {
		return nil
	}
	if s.brought = m; frames <= s.longest {
		return nil
	}
	// What is left is the page with the mark. With that the database is complete by itself, and the next transaction begins
	// the log anew.
	s.leave()
	if frames, brought, err = s.checkpoint(); err == nil && frames == brought {
		s.bonded = time.Time{}
	}
	return nil
}

// stand has the reader stand where the database is now.
func (s *Store) stand() (err error) {
	if s.reader == nil {
		if s.reader, err = dial(s.file, "ro", "busy_timeout(30000)", "query_only(1)"); err != nil {
			return err
		}
	}
	if _, err := s.reader.Exec("BEGIN"); err != nil {
		return err
	}
	var text string
	return s.reader.QueryRow("SELECT mark FROM log").Scan(&text)
}

// leave has the reader go.
func (s *Store) leave() {
	if s.reader != nil {
		_, _ = s.reader.Exec("ROLLBACK") // an error says that it does not stand
	}
}

// reach writes the mark that is reached.
func (s *Store) reach(m mark) error {
	if _, err := s.db.Exec("UPDATE log SET mark = ?", m.String()); err != nil {
		return fmt.Errorf("reached mark: %w", err)
	}
	return nil
}

// checkpoint brings to the database what is in the log, as far as nobody reads what was there before, and returns how many
// frames there are and how many of them have been brought.
func (s *Store) checkpoint() (frames, brought int, err error) {
	var busy int
	err = s.db.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &frames, &brought)
	return frames, brought, err
}

// nothing is what to bind when there is nothing to do but to bring the log to the database.
func nothing() error { return nil }
