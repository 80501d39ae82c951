package command

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// spool keeps what is written to it in a file of at most limit bytes. Of more than that it keeps the beginning and the end,
// whole lines where they are not too long, and between them a line that says how much was left out, with the last value
// among it: a value is never lost, whatever is printed behind it.
//
//	[0, head)     the beginning, at most a quarter of the limit
//	[head, tail)  [tarry: 123 bytes left out], and perhaps a value line
//	[tail, size)  the end, at least a quarter of the limit, less a line
//
// When the file is full a quarter of the limit is copied down to behind the beginning: each byte is written twice at most.
// Until that is done the end of the file stands as it was, so that it can be read by whoever finds it after a crash.
type spool struct {
	file  *os.File // its offset is its end
	limit int64    // 0 for none
	size  int64
	head  int64
	tail  int64  // 0 as long as nothing was left out
	torn  bool   // the end begins in the midst of a line
	left  int64  // bytes between beginning and end, the value line among them
	value []byte // the last value line among them, with its line feed
	err   error  // why not all was kept that should be; nothing is written any more
}

const (
	minOutput = 64 << 10 // smallest limit
	tear      = "[…]"    // where a line was cut: what is left of it must not look like a value
)

// Write never fails: whoever prints is not to be held up by a full disk.
func (s *spool) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && s.err == nil {
		if s.limit > 0 && s.size >= s.limit {
			if s.err = s.cut(); s.err != nil {
				break
			}
		}
		part := p
		if s.limit > 0 {
			part = p[:min(int64(len(p)), s.limit-s.size)]
		}
		var written int
		written, s.err = s.file.Write(part)
		s.size += int64(written)
		p = p[written:]
	}
	return n, nil
}

// cut leaves out what is between the beginning and the last quarter.
func (s *spool) cut() error {
	window := min(s.limit/8, maxLine) // how far a line may reach
	begin, torn := s.tail, s.torn
	if begin == 0 {
		var err error
		if torn, err = s.findHead(window); err != nil {
			return err
		}
		begin = s.head
	}
	end, found, err := s.lineAfter(s.size-s.limit/4, s.size-s.limit/4+window)
	if err != nil {
		return err
	}
	if !found {
		end = s.size - s.limit/4
	}
	if err := s.findValue(begin, end, torn, window); err != nil {
		return err
	}
	var note bytes.Buffer
	if s.tail == 0 && torn {
		s.head += int64(len(tear)) + 1
		if _, err := s.file.WriteAt([]byte(tear+"\n"), begin); err != nil {
			return err
		}
	}
	s.left += end - begin
	fmt.Fprintf(&note, "[tarry: %d bytes left out]\n%s", s.left-int64(len(s.value)), s.value)
	if s.torn = !found; s.torn {
		note.WriteString(tear + " ")
	}
	if _, err := s.file.WriteAt(note.Bytes(), s.head); err != nil {
		return err
	}
	s.tail = s.head + int64(note.Len())
	return s.moveDown(end)
}

// findHead decides how much of the beginning is kept, and reports whether that ends in the midst of a line.
func (s *spool) findHead(window int64) (torn bool, err error) {
	s.head = s.limit / 4
	err = linesBackwards(s.file, s.head, chunkSize, int(window), func(line []byte, long bool) (done bool) {
		if torn = long || int64(len(line)) == s.head; !torn {
			s.head -= int64(len(line))
		}
		return true
	})
	return torn, err
}

// lineAfter returns where the first line behind from begins, if that is before to.
func (s *spool) lineAfter(from, to int64) (at int64, found bool, err error) {
	data := make([]byte, 64<<10)
	for ; from < to; from += int64(len(data)) {
		n, err := s.file.ReadAt(data[:min(int64(len(data)), to-from)], from)
		if i := bytes.IndexByte(data[:n], '\n'); i >= 0 {
			return from + int64(i) + 1, true, nil
		}
		if err != nil {
			return 0, false, err
		}
	}
	return 0, false, nil
}

// findValue looks for the last value line in what is left out. Where that is torn its first line is not whole, and the last
// one is not whole or empty.
func (s *spool) findValue(begin, end int64, torn bool, window int64) error {
	if torn {
		next, found, err := s.lineAfter(begin, end)
		if err != nil || !found {
			return err
		}
		begin = next
	}
	last := true
	left := search{limit: int(window), inner: true}
	defer func() {
		if left.end(); left.text != nil {
			s.value = append(left.text, '\n')
		}
	}()
	return linesBackwards(io.NewSectionReader(s.file, begin, end-begin), end-begin, chunkSize, int(window), func(line []byte, long bool) (done bool) {
		if last {
			last = false
			return false
		}
		return left.visit(line, long)
	})
}

// moveDown moves the end of the file down to its new place.
func (s *spool) moveDown(from int64) error {
	to, data := s.tail, make([]byte, chunkSize)
	for from < s.size {
		n, err := s.file.ReadAt(data[:min(int64(len(data)), s.size-from)], from)
		if n == 0 {
			return errors.Join(err, io.ErrUnexpectedEOF) // somebody else has cut the file off
		}
		if _, err := s.file.WriteAt(data[:n], to); err != nil {
			return err
		}
		from, to = from+int64(n), to+int64(n)
	}
	s.size = to
	_, err := s.file.Seek(to, io.SeekStart)
	return errors.Join(err, s.file.Truncate(to))
}

// close makes what was written survive a loss of power, and returns why not all that should be is there.
func (s *spool) close() error {
	if s.err != nil {
		return s.err
	}
	return syncFile(s.file) // what a full or failing disk has lost must not be taken for a shorter output
}
