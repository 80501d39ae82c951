package experiment

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Store is a file of lines of JSON, a header and one line for each run. A run is kept as soon as it is complete; a line
// that was cut off by the end of a process is dropped. One process at a time may have it open.
type Store struct {
	path   string
	header Header
	file   *os.File
	lock   *flock.Flock
	runs   map[place]Run
	synced time.Time // when what was written last reached the disk
	broken error     // the first failure to write: a line may be torn, and none must follow it
}

// Open opens the file, or begins it. The runs that it holds are found again if their header is the same; otherwise the
// error is a MismatchError. With fresh an existing file is begun anew.
func Open(path string, h Header, fresh bool) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	s := &Store{path: path, header: h, lock: flock.New(path + ".lock"), runs: map[place]Run{}}
	if err := s.acquire(); err != nil {
		return nil, err
	}
	if err := s.load(fresh); err != nil {
		if s.file != nil {
			err = errors.Join(err, s.file.Close())
		}
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// acquire takes the lock. Who had it may have removed its file in the meantime; then the lock is on a file that nobody else
// sees, and is taken again.
func (s *Store) acquire() error {
	for {
		switch ok, err := s.lock.TryLock(); {
		case err != nil:
			return err
		case !ok:
			return fmt.Errorf("%s is in use by another process", s.path)
		}
		mine, err := s.lock.Stat()
		if err != nil {
			return errors.Join(err, s.lock.Unlock())
		}
		there, err := os.Stat(s.lock.Path())
		if err == nil && os.SameFile(mine, there) {
			return nil
		}
		if err := s.lock.Unlock(); err != nil {
			return err
		}
	}
}

// release removes the file of the lock before it gives the lock up.
func (s *Store) release() error {
	return errors.Join(os.Remove(s.lock.Path()), s.lock.Unlock())
}

func (s *Store) load(fresh bool) error {
	var err error
	if s.file, err = os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return err
	}
	content, err := io.ReadAll(s.file)
	if err != nil {
		return err
	}
	begun, err := json.Marshal(s.header)
	if err != nil || bytes.HasPrefix(begun, content) { // empty, or the header was cut off
		return errors.Join(err, s.begin())
	}
	if fresh {
		first, _, _ := bytes.Cut(content, []byte("\n"))
		if _, err := parseHeader(s.path, first); err != nil {
			return err // not ours to throw away
		}
		return s.begin()
	}
	end, err := s.read(content)
	if err != nil {
		return err
	}
	if err := s.file.Truncate(int64(end)); err != nil {
		return err
	}
	_, err = s.file.Seek(int64(end), io.SeekStart)
	return err
}

// begin writes the header to an empty file.
func (s *Store) begin() error {
	if err := s.file.Truncate(0); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return writeLine(s.file, s.header)
}

// read takes the content apart and returns where its last whole line ends.
func (s *Store) read(content []byte) (end int, err error) {
	for number := 1; end < len(content); number++ {
		length := bytes.IndexByte(content[end:], '\n')
		if length < 0 && number > 1 {
			break // cut off
		}
		if length < 0 {
			length = len(content) - 1
		}
		text := content[end : end+length]
		if number == 1 {
			err = s.header.check(s.path, text)
		} else {
			err = s.readRun(text, number)
		}
		if err != nil {
			return 0, err
		}
		end += length + 1
	}
	return end, nil
}

func (s *Store) readRun(text []byte, number int) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil || l.Arm == "" {
		return fmt.Errorf("%s:%d: %.60q is not a run, want a line that an experiment wrote", s.path, number, text)
	}
	run := Run{Group: l.Group, Arm: l.Arm, Seed: l.Seed, Wall: time.Duration(l.WallMS * float64(time.Millisecond)), AtOnce: l.AtOnce, Record: Record{}}
	for name, values := range l.Curves {
		run.Record[name] = values
	}
	s.runs[place{l.Group, l.Arm, l.Seed}] = run
	return nil
}

func (s *Store) has(group, arm string, seed uint64) bool {
	_, ok := s.runs[place{group, arm, seed}]
	return ok
}

// syncEvery is the most work that a power cut may cost.
const syncEvery = time.Second

// append keeps a run.
func (s *Store) append(r Run) error {
	if s.broken != nil {
		return s.broken
	}
	if s.broken = writeLine(s.file, lineOf(r)); s.broken != nil {
		return s.broken
	}
	s.runs[place{r.Group, r.Arm, r.Seed}] = r
	if time.Since(s.synced) > syncEvery {
		s.synced = time.Now()
		s.broken = s.file.Sync()
	}
	return s.broken
}

// Close puts the runs into order, those of other seeds among them, and closes the file.
func (s *Store) Close() error {
	all := make([]Run, 0, len(s.runs))
	for _, r := range s.runs {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b Run) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Arm, b.Arm), cmp.Compare(a.Seed, b.Seed))
	})
	err := s.file.Close()
	if s.broken == nil {
		err = errors.Join(err, Replace(s.path, func(w io.Writer) error { return writeLines(w, s.header, all) }))
	}
	return errors.Join(err, s.release())
}
