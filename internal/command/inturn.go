package command

import (
	"errors"

	"github.com/gofrs/flock"
)

// InTurn does something with a file while no other process does, which waits for its turn: a lock beside the file, PATH.lock, says whose it is.
func InTurn(path string, do func() error) error {
	turn := flock.New(path + ".lock")
	if err := turn.Lock(); err != nil {
		return err
	}
	err := do()
	return errors.Join(err, turn.Unlock())
}
