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
// a log that ends too early, the lack of a log, or one that belongs to something else.
type wound struct {
	kind       woundKind
	bond       bond
	generation generation
	at         int64 // where the damaged frame begins, or the log ends; 0: the header of the log
	behind     int64 // bytes that are lost: from a damaged place to the end of the last transaction, or as the index counts them
}

type woundKind int

const (
	damage   woundKind = iota + 1
	short              // the index counts more frames than there are
	missing            // there is no log, though the database promises one, or there is an index
	empty              // the log has not a byte, though the database promises something
	stranger           // the log does not go with the database
)

// again is how long after a first look at a log a second one is taken, before anything is said to be wrong with it: while
// another process writes, a look may meet a frame that is half written, and frames that were written since.
const again = 50 * time.Millisecond

// wait is for tests, which do something else meanwhile.
var wait = time.Sleep

// unwounded returns an error when the log hides acknowledged transactions. It must be asked before SQLite opens the log:
// SQLite takes what it finds up to the damage, and overwrites the rest.
func (s *Store) unwounded(seen sight) error {
	first, err := examine(s.file, seen.bond)
	if err != nil || first == nil {
		return err
	}
	wait(again)
	if seen, err = s.look(true); err != nil {
		return err
	}
	w, err := examine(s.file, seen.bond)
	if err != nil || w == nil || w.kind != first.kind || w.at != first.at || w.generation != first.generation || w.bond != first.bond {
		return err
	}
	return s.wounded(w)
}

// wounded describes a wound.
func (s *Store) wounded(w *wound) error {
	var text string
	switch w.kind {
	case damage:
		text = fmt.Sprintf("%d bytes of acknowledged events are behind a damaged place, byte %d of %s-wal", w.behind, w.at, s.path)
	case short:
		text = fmt.Sprintf("%d bytes of acknowledged events are missing at the end of %s-wal, which %s-shm counts", w.behind, s.path, s.path)
	case missing:
		text = fmt.Sprintf("%s-wal is missing, which has the latest events: the study was in use when its file was copied or moved, or somebody has taken the log away", s.path)
	case empty:
		text = fmt.Sprintf("%s-wal is empty, and should have the latest events", s.path)
	case stranger:
		text = fmt.Sprintf("%s-wal does not go with %s: it was cut off, or one of them is that of another study or another moment", s.path, s.path)
	}
	return s.corrupt("%s\nbring back what is missing, or keep what is there by\n  tarry backup --salvage %s COPY", text, s.path)
}

// examine looks at the log of a database; nil when nothing is wrong with it. SQLite has no locks on the log, so it may be
// opened and closed here. When the database is closed, SQLite deletes the index before the log. The index is read first,
// since the log may grow meanwhile.
func examine(file string, b bond) (*wound, error) {
	x, indexed := readIndex(file + "-shm")
	in, err := os.Open(file + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if b.settled() && (size(file+"-shm") < indexBytes || indexed && x.frames <= x.brought) {
			return nil, nil
		}
		return &wound{kind: missing, bond: b}, nil
	case err != nil:
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	defer in.Close()
	c, w, err := scan(bufio.NewReaderSize(in, 1<<18))
	switch {
	case err != nil:
		return nil, fmt.Errorf("sqlite: %w", err)
	case w != nil:
	case c == nil && indexed && x.frames > x.brought:
		w = &wound{kind: short, behind: (x.frames - x.brought) * (frameBytes + usualPage)}
	case c == nil && !b.settled():
		w = &wound{kind: empty}
	case c == nil:
	case indexed && x.generation == c.generation && x.frames > c.ended:
		w = &wound{kind: short, generation: c.generation, at: c.end(c.ended), behind: c.end(x.frames) - c.end(c.ended)}
	case !b.knows(c.marks):
		w = &wound{kind: stranger, generation: c.generation, at: c.end(c.ended)}
	}
	if w != nil {
		w.bond = b
	}
	return w, nil
}

// scan reads a log from its beginning to the end of its good part, which is nil where there is no header. The transaction
// in which the first bad frame is may be one that a loss of power cut off, whose parts reached the disk in any order. A
// transaction begins when the one before is safe, so that the end of another one behind it is proof that both were
// acknowledged.
func scan(in io.Reader) (*chain, *wound, error) {
	head := make([]byte, headBytes)
	if ok, err := fill(in, head); !ok || err != nil {
		return nil, nil, err
	}
	c, whole := newChain(head)
	if !whole {
		w, err := scanHeadless(in)
		return nil, w, err
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
			return nil, nil, err
		case !ok && (ends > 1 || ends == 1 && c.closed(bad, end)):
			return &c, w, nil
		case !ok:
			return &c, nil, nil
		case w == nil && c.take(f):
		case w == nil:
			w = &wound{kind: damage, generation: c.generation, at: at}
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
			w = &wound{kind: damage, behind: at + int64(len(f))}
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

// size is the length of a file, −1 where there is none.
func size(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return -1
	}
	return info.Size()
}
