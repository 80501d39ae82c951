package serve

import (
	"sync"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// vault is the store of a study that is open, where something can be kept beside the journal while the study writes it.
type vault struct {
	*sqlite.Store
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
