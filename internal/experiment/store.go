package experiment

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"
)

// Header is what the runs of a store have in common: runs of another header are not of the same experiment.
type Header struct {
	Experiment string `json:"experiment"`
	Rounds     int    `json:"rounds"`
	Data       string `json:"data,omitempty"` // fingerprint
	Program    string `json:"program"`        // fingerprint of the program that made the runs
	Go         string `json:"go"`
	Arch       string `json:"arch"`
}

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

// line is a run as it is written.
type line struct {
	Group  string             `json:"group"`
	Arm    string             `json:"arm"`
	Seed   uint64             `json:"seed"`
	WallMS float64            `json:"wall_ms"`
	Curves map[string]numbers `json:"curves"`
}

// numbers is a list of which what is not finite is written as null.
type numbers []float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n numbers) MarshalJSON() ([]byte, error) {
	values := make([]*float64, len(n))
	for i, v := range n {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			values[i] = &v
		}
	}
	return json.Marshal(values)
}

// UnmarshalJSON reads null as NaN.
func (n *numbers) UnmarshalJSON(text []byte) error {
	var values []*float64
	if err := json.Unmarshal(text, &values); err != nil {
		return err
	}
	*n = make(numbers, len(values))
	for i, v := range values {
		(*n)[i] = math.NaN()
		if v != nil {
			(*n)[i] = *v
		}
	}
	return nil
}

// MismatchError says that a file holds runs that do not belong here.
type MismatchError struct{ Path, Field, Found, Want string }

// Error names the file, what differs and both values.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("%s holds runs with %s %s, and this is %s", e.Path, e.Field, e.Found, e.Want)
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
		if _, err := s.parseHeader(first); err != nil {
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
			err = s.checkHeader(text)
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

// parseHeader reads the first line of a store.
func (s *Store) parseHeader(text []byte) (found Header, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&found); err != nil || found.Experiment == "" {
		return found, fmt.Errorf("%s:1: no header of an experiment, want a file that an experiment wrote, or none", s.path)
	}
	return found, nil
}

func (s *Store) checkHeader(text []byte) error {
	found, err := s.parseHeader(text)
	if err != nil {
		return err
	}
	for _, f := range []struct{ name, found, want string }{
		{"experiment", found.Experiment, s.header.Experiment},
		{"rounds", fmt.Sprint(found.Rounds), fmt.Sprint(s.header.Rounds)},
		{"data", shown(found.Data), shown(s.header.Data)},
		{"go", found.Go, s.header.Go},
		{"arch", found.Arch, s.header.Arch},
		{"program", shown(found.Program), shown(s.header.Program)},
	} {
		if f.found != f.want {
			return &MismatchError{s.path, f.name, f.found, f.want}
		}
	}
	return nil
}

// shown is the beginning of a fingerprint.
func shown(fingerprint string) string {
	if fingerprint == "" {
		return "none"
	}
	return fingerprint[:min(len(fingerprint), 16)]
}

func (s *Store) readRun(text []byte, number int) error {
	var l line
	if err := json.Unmarshal(text, &l); err != nil || l.Arm == "" {
		return fmt.Errorf("%s:%d: %.60q is not a run, want a line that an experiment wrote", s.path, number, text)
	}
	run := Run{Group: l.Group, Arm: l.Arm, Seed: l.Seed, Wall: time.Duration(l.WallMS * float64(time.Millisecond)), Record: Record{}}
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

func lineOf(r Run) line {
	l := line{Group: r.Group, Arm: r.Arm, Seed: r.Seed, WallMS: float64(r.Wall.Round(time.Microsecond)) / float64(time.Millisecond), Curves: map[string]numbers{}}
	for name, values := range r.Record {
		l.Curves[name] = values
	}
	return l
}

// writeLine writes one line of JSON in one piece.
func writeLine(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
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

// WriteLines writes the header and the runs in their order, one line of JSON each.
func (r Results) WriteLines(w io.Writer, h Header) error { return writeLines(w, h, r.Runs()) }

func writeLines(w io.Writer, h Header, runs []Run) error {
	b := bufio.NewWriter(w)
	if err := writeLine(b, h); err != nil {
		return err
	}
	for _, run := range runs {
		if err := writeLine(b, lineOf(run)); err != nil {
			return err
		}
	}
	return b.Flush()
}
