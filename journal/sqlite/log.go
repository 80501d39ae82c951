package sqlite

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// wound is what hides acknowledged transactions: a damaged place in the write-ahead log, where SQLite takes the log to end,
// or the lack of a log.
type wound struct {
	missing    bool
	generation generation
	at         int64 // where the damaged frame begins; 0: the header of the log
	behind     int64 // bytes from there to the end of the last transaction
}

// again is how long after a first look at a log a second one is taken, before anything is said to be wrong with it: while
// another process writes, a look may meet a frame that is half written, and frames that were written since.
const again = 50 * time.Millisecond

// wait is for tests, which do something else meanwhile.
var wait = time.Sleep

// unwounded returns an error when the log hides acknowledged transactions. It must be asked before SQLite opens the log:
// SQLite takes what it finds up to the damage, and overwrites the rest.
func (s *Store) unwounded() error {
	first, err := examine(s.file)
	if err != nil || first == nil {
		return err
	}
	wait(again)
	w, err := examine(s.file)
	switch {
	case err != nil || w == nil || w.at != first.at || w.generation != first.generation || w.missing != first.missing:
		return err
	case w.missing:
		return s.corrupt("the log %s-wal is missing, and %s-shm shows that there was one: bring the log back, or delete %s-shm to go on without what was in it", s.path, s.path, s.path)
	}
	return s.corrupt("%d bytes of acknowledged events are behind a damaged place, byte %d of %s-wal", w.behind, w.at, s.path)
}

// examine looks at the log of a database; nil when nothing is wrong with it. SQLite has no locks on the log, so it may be
// opened and closed here. When the database is closed, SQLite deletes the index before the log.
func examine(file string) (*wound, error) {
	index := size(file + "-shm")
	in, err := os.Open(file + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist) && index >= 0:
		return &wound{missing: true}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	defer in.Close()
	w, err := scan(bufio.NewReaderSize(in, 1<<18))
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	return w, nil
}

// scan reads a log from its beginning. The transaction in which the first bad frame is may be one that a loss of power cut
// off, whose parts reached the disk in any order. A transaction begins when the one before is safe, so that the end of
// another one behind it is proof that both were acknowledged.
func scan(in io.Reader) (*wound, error) {
	head := make([]byte, headBytes)
	if ok, err := fill(in, head); !ok || err != nil {
		return nil, err
	}
	c, whole := newChain(head)
	if !whole {
		return scanHeadless(in)
	}
	var w *wound
	var bad frame  // the first one
	var ends int   // of transactions behind it
	var end uint32 // pages of the database after the first of them
	f := make(frame, frameBytes+c.page)
	for at := int64(headBytes); ; at += int64(len(f)) {
		ok, err := fill(in, f)
		switch {
		case err != nil:
			return nil, err
		case !ok && (ends > 1 || ends == 1 && c.ended(bad, end)):
			return w, nil
		case !ok:
			return nil, nil
		case w == nil && c.take(f):
		case w == nil:
			w = &wound{generation: c.generation, at: at}
			bad = append(bad, f...)
		case f.generation() == c.generation && f.pages() > 0:
			if ends++; ends == 1 {
				end = f.pages()
			}
			w.behind = at + int64(len(f)) - w.at
		}
	}
}

// scanHeadless reads the frames behind a damaged header. SQLite writes the header in one piece, and waits for it to be on
// the disk before it writes frames: that it is damaged is not the work of a loss of power.
func scanHeadless(in io.Reader) (*wound, error) {
	var w *wound
	f := make(frame, frameBytes+usualPage)
	for at := int64(headBytes); ; at += int64(len(f)) {
		ok, err := fill(in, f)
		if !ok || err != nil {
			return w, err
		}
		if 0 < f.number() && f.number() <= f.pages() {
			w = &wound{behind: at + int64(len(f))}
		}
	}
}

// fill reads as many bytes as there is room for; false when there are fewer.
func fill(in io.Reader, to []byte) (bool, error) {
	_, err := io.ReadFull(in, to)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return false, nil
	}
	return err == nil, err
}
