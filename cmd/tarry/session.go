package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

// sessionName is what is kept beside the journal of a study that is asked and told by lines.
const sessionName = "asktell"

// note is what is kept of a session besides its study.
type note struct {
	Target   *float64 `json:"target,omitempty"`
	Sequence string   `json:"sequence,omitempty"` // file, absolute, that gets what the study learns; empty: none does
}

// keep writes the note beside the journal.
func (n note) keep(store *sqlite.Store) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return store.Keep(sessionName, text)
}

// noteOf is the note that a study has of its sessions, and false where it has none: one that a program made.
func noteOf(store *sqlite.Store) (n note, noted bool, err error) {
	text, err := store.Kept(sessionName)
	if err != nil || text == nil {
		return n, false, err
	}
	if err := json.Unmarshal(text, &n); err != nil {
		return n, true, fmt.Errorf("study %s: its session: %w", store.Path(), err)
	}
	return n, true, nil
}

// interrupted says what became of the study.
func (d *dialogue) interrupted() error {
	if d.file == "" {
		return errors.New("interrupted; without --study nothing was kept")
	}
	further := session(d.file)
	if d.sequence != "" && !d.noted { // else the study remembers it
		further += " --sequence " + argument(shortened(d.sequence))
	}
	return fmt.Errorf("interrupted: go on by\n  %s", further)
}
