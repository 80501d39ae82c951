package serve

import (
	"cmp"
	"errors"
	"os"
	"regexp"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/journal"
)

// held is a study that is open.
type held struct {
	name, path string
	info       os.FileInfo // of the file, as it was opened
	store      *vault
	header     journal.Header
	begun      time.Time
	study      asktell.Study
	server     *asktell.Server
	news       *news
	seen       sight
	asking     chan struct{} // held by who asks or observes
	pausing    sync.Mutex    // held by who pauses or resumes
	rest       func()        // pauses a study that goes on by itself, for good; nil: another kind
	manned     *manned       // the study, where remote workers evaluate what it asks; nil: another kind
	answers    answers       // guarded by asking

	// guarded by the shelf
	ready   chan struct{} // closed when it is open, or err says why not
	err     error
	creates bool // whether who opens it makes it where there is none
	created bool // whether it began when it was opened
	users   int
	used    uint64
	dropped bool // no longer on the shelf: to be closed by its last user

	gone chan struct{} // closed when it is dropped: who reads or waits lets go; nil: it never is
}

// shelf has the studies that are open.
type shelf struct {
	config Config
	log    *chronicle
	most   int
	mutex  sync.Mutex
	open   map[string]*held
	clock  uint64
	closed bool
}

func newShelf(c Config, log *chronicle) *shelf {
	return &shelf{config: c, log: log, most: cmp.Or(c.Open, 64), open: map[string]*held{}}
}

var studyName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// isStudyName reports whether a study may have the name. A count within the expression would take a millisecond to compile, whenever the program starts.
func isStudyName(name string) bool { return len(name) <= 100 && studyName.MatchString(name) }

// wantedName is what the name of a study is made of.
const wantedName = "1 … 100 letters, digits, _, . and -, the first no . or -"

func misnamed(name string) *problem {
	return invalid("name of the study = " + shortened(name) + ": want " + wantedName)
}

// CheckStudyName returns why no study that is served has the name. Field is what it is called.
func CheckStudyName(field, name string) error {
	if isStudyName(name) {
		return nil
	}
	return &check.FieldError{Field: field, Value: shortened(name), Want: wantedName}
}

// extension of the files of studies.
const extension = ".db"

// same reports whether the file is the one that was opened. One that is being opened is.
func (h *held) same() bool {
	if h.info == nil {
		return true
	}
	now, err := os.Stat(h.path)
	return err == nil && os.SameFile(now, h.info)
}

// room closes the study that nobody needed for longest, where as many are open as may be.
func (s *shelf) room() *problem {
	if s.closed {
		return busy("the server ends")
	}
	if len(s.open) < s.most {
		return nil
	}
	var oldest *held
	for _, h := range s.open {
		if h.users == 0 && !h.busy() && (oldest == nil || h.used < oldest.used) {
			oldest = h
		}
	}
	if oldest == nil {
		return busy("%d studies are open and in use, as many as may be", len(s.open))
	}
	s.drop(oldest)
	return nil
}

// busy reports whether a study that nobody uses goes on.
func (h *held) busy() bool { return h.manned != nil && h.manned.busy() }

// check drops a study whose file was taken away or exchanged.
func (s *shelf) check(h *held) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if h.gone != nil && !h.dropped && !h.same() {
		s.drop(h)
	}
}

// drop takes a study from the shelf, and closes it if nobody uses it.
func (s *shelf) drop(h *held) {
	if s.open[h.name] == h {
		delete(s.open, h.name)
	}
	if !h.dropped && h.gone != nil {
		close(h.gone)
	}
	h.dropped = true
	if h.users == 0 {
		s.shut(h)
	}
}

// release ends a use.
func (s *shelf) release(h *held) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if h.users--; h.users == 0 && h.dropped {
		s.shut(h)
	}
}

// shut closes a study that nobody uses. That its file is not what was acknowledged nobody else would hear.
func (s *shelf) shut(h *held) {
	if err := h.close(); err != nil {
		s.log.say("study %s: %v", h.name, err)
	}
}

// broken takes a study from the shelf that cannot go on: who needs it next opens its file again.
func (s *shelf) broken(h *held) {
	if s.config.Live != nil {
		return // it is for its owner to open again
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.drop(h)
}

// close closes what is open. An error says that a file is not what was acknowledged.
func (h *held) close() error {
	if h.store == nil {
		return nil // it is somebody else's, or was never opened
	}
	if h.study != nil {
		h.study.Close()
	}
	err := h.store.Close()
	h.study, h.store = nil, nil
	return err
}

// close closes all studies.
func (s *shelf) close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.closed = true
	var errs []error
	for name, h := range s.open {
		delete(s.open, name)
		errs = append(errs, h.close())
	}
	return errors.Join(errs...)
}
