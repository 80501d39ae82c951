package serve

import (
	"errors"
	"os"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// Texts are what is kept beside the journal of a study, each under a name.
type Texts interface {
	Kept(name string) ([]byte, error) // nil where there is none
	Keep(name string, text []byte) error
}

// Store is the journal of a study with what is kept beside it, as *sqlite.Store is.
type Store interface {
	journal.Store
	journal.Snapshots
	Texts
	Created() (time.Time, error)
	Close() error
}

// stored opens the store of a study, or makes it where that is wanted and there is none.
func (s *Server) stored(h *held, create bool) error {
	open := s.config.Store
	if open == nil {
		open = inFile
	}
	store, err := open(h.path, h.name, create)
	if err == nil {
		h.store = &vault{Store: store}
	}
	return err
}

func inFile(path, _ string, create bool) (Store, error) {
	if create {
		return sqlite.OpenOrCreate(path)
	}
	return sqlite.Open(path)
}

// holds reports whether there is a study in a file, or something else that who opens it is told of. A file without a byte has none, but where
// what lies beside it says otherwise.
func holds(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() > 0 {
		return true
	}
	store, err := sqlite.Read(path)
	if err == nil {
		store.Close() // it was begun meanwhile
	}
	return !errors.Is(err, sqlite.ErrNoStudy)
}

// vault is the store of a study that is open, where something can be kept beside the journal while the study writes it.
type vault struct {
	Store
	mutex sync.Mutex
}

func (v *vault) Append(r journal.Record) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.Store.Append(r)
}

func (v *vault) Mark(digest uint64) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.Store.Mark(digest)
}

func (v *vault) KeepSnapshot(seq uint64, state []byte) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.Store.KeepSnapshot(seq, state)
}

func (v *vault) Sync() error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.Store.Sync()
}

func (v *vault) Keep(name string, text []byte) error {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	return v.Store.Keep(name, text)
}
