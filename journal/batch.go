package journal

// Batch is what happened between two calls of Recorder.Cut, on its way to the store: while it is written, the loop may go on.
type Batch struct {
	store   Appender
	tenant  *tenant
	entries []entry
	seq     uint64 // of its last event
}

// entry is an event with what is kept beside it.
type entry struct {
	record Record
	marked bool   // whether the record has a digest
	state  []byte // of the loop after it; nil: no snapshot
}

// Ahead lets Step collect events in memory, so that whoever keeps them takes them away with Cut, writes them beside further steps, and says
// with Written what came of it. Sync does the three at once. A store that refuses an event is heard when it is written.
func (r *Recorder) Ahead() {
	if r.store != nil && r.ahead == nil {
		r.ahead = &Batch{store: r.store, tenant: r.tenant}
	}
}

// keeper takes what Step keeps.
func (r *Recorder) keeper() interface {
	Append(Record) error
	Mark(digest uint64) error
	KeepSnapshot(seq uint64, state []byte) error
} {
	if r.ahead != nil {
		return r.ahead
	}
	return direct{r.store, r.tenant}
}

// direct is a store that gets everything at once.
type direct struct {
	store  Appender
	tenant *tenant
}

func (d direct) Append(r Record) error {
	return d.tenant.write(func() error { return d.store.Append(r) })
}

func (d direct) Mark(digest uint64) error {
	return d.tenant.write(func() error { return d.store.Mark(digest) })
}

// KeepSnapshot is called only where the store is Snapshots.
func (d direct) KeepSnapshot(seq uint64, state []byte) error {
	return d.tenant.write(func() error { return d.store.(Snapshots).KeepSnapshot(seq, state) })
}

// Waits reports whether something happened that no Cut has taken yet.
func (r *Recorder) Waits() bool { return r.dirty }

// Cut returns what happened since the last call, nil where nothing did or nothing more can be kept. It must be written, by one goroutine
// at a time and in order, and Written must say what came of it; both before a Cut that follows is written.
func (r *Recorder) Cut() *Batch {
	if r.ahead == nil || r.torn != nil || !r.dirty {
		return nil
	}
	b := r.ahead
	r.dirty, r.ahead = false, &Batch{store: r.store, tenant: r.tenant}
	b.seq = r.seq
	return b
}

// Write brings a batch to its store and waits until it is safe there. It touches nothing of the recorder.
func (b *Batch) Write() error {
	if b == nil {
		return nil
	}
	return b.tenant.write(b.bringAll)
}

func (b *Batch) bringAll() error {
	for _, k := range b.entries {
		if err := b.bring(k); err != nil {
			return err
		}
	}
	return b.store.Sync()
}

func (b *Batch) bring(k entry) error {
	digest := k.record.Digest
	k.record.Digest = 0
	if err := b.store.Append(k.record); err != nil {
		return err
	}
	if k.marked {
		if err := b.store.Mark(digest); err != nil {
			return err
		}
	}
	if k.state != nil {
		return b.store.(Snapshots).KeepSnapshot(k.record.Event.Seq, k.state)
	}
	return nil
}

// Written says what came of a batch, an error or nil, and returns what Sync would: after an error nothing of the batch, nor anything that
// happened since, is kept.
func (r *Recorder) Written(b *Batch, err error) error {
	if err != nil && r.torn == nil {
		r.tear(b.seq, err)
	}
	return r.torn
}

// Append collects a record.
func (b *Batch) Append(r Record) error {
	b.entries = append(b.entries, entry{record: r})
	return nil
}

// Mark adds a digest to the record that was collected last.
func (b *Batch) Mark(digest uint64) error {
	last := &b.entries[len(b.entries)-1]
	last.record.Digest, last.marked = digest, true
	return nil
}

// KeepSnapshot adds a state to the record that was collected last.
func (b *Batch) KeepSnapshot(_ uint64, state []byte) error {
	b.entries[len(b.entries)-1].state = state
	return nil
}
