package actors

import "github.com/tarry-bo/tarry/journal"

// Cut is what happened between two calls of Driver.Cut, on its way to the journal.
type Cut struct {
	batch          *journal.Batch
	untold, unsafe int // how many of the driver's belong to it
}

// Ahead lets the loop be stepped while what happened before is brought to the journal: Cut takes that away, Cut.Write runs beside further
// steps, and Written tells the readers. Sync does the three at once, and is not for beside them.
func (d *Driver) Ahead() { d.recorder.Ahead() }

// Waits reports whether something happened that no Cut has taken yet.
func (d *Driver) Waits() bool { return d.recorder.Waits() }

// Cut takes what happened since the last call.
func (d *Driver) Cut() Cut {
	return Cut{batch: d.recorder.Cut(), untold: len(d.untold), unsafe: len(d.unsafe)}
}

// Write returns when what was cut is as safe as the journal makes it. It touches nothing of the driver. One cut is written at a time, in
// order, and Written says what came of it before the next one is taken.
func (c Cut) Write() error { return c.batch.Write() }

// Written says what came of a cut, and tells its readers if it is kept. After an error the study cannot go on: nothing of the cut, nor
// anything that happened since, is kept, and nobody may act upon it.
func (d *Driver) Written(c Cut, err error) error {
	if err := d.recorder.Written(c.batch, err); err != nil {
		d.untold = nil
		return err
	}
	if c.unsafe > 0 {
		d.unsafe = append(d.unsafe[:0], d.unsafe[c.unsafe:]...)
	}
	for range c.untold {
		d.tellOne()
	}
	return nil
}
