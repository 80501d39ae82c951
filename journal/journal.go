// Package journal is the event log of a study: a header that says what the study is, and every event in order, with a
// fingerprint of the state now and then. A study rebuilt from its journal is the study that wrote it, to the bit.
//
//	steps, err := journal.NewRecorder(study, store) // store: a *journal.Memory, or one on disk
//	_, reaction, err := steps.Step(at, event)       // the event is kept before the loop sees it
//	study, open, err := journal.Replay(store)       // open: effects to be performed again
//
// The package holds the interfaces, a store in memory and the replay; stores on disk live in rooms of their own.
package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/tarry-bo/tarry/loop"
)

// The errors of Replay.
var (
	ErrCorruptJournal = errors.New("the journal is corrupt")
	ErrDiverged       = errors.New("the replay diverged from the journal")
)

// Format is the version of the header and the records.
const Format = 2

// Header says what the study is and what wrote it.
type Header struct {
	Format  int
	Config  loop.Config // the policy's name and options are in Traits.Name
	Program Program
}

// Program is what a study's floating-point results depend on besides its events.
type Program struct {
	Tarry      string // version of this module
	Go         string // version of Go
	Arch       string // architecture
	Level      string // GOAMD64 and its like: newer levels fuse multiplications and additions
	Experiment string // GOEXPERIMENT
}

// NewHeader returns the header for a study started by this program.
func NewHeader(c loop.Config) Header {
	return Header{Format: Format, Config: c, Program: ThisProgram()}
}

// ThisProgram describes the running program.
func ThisProgram() Program {
	p := Program{Tarry: "(devel)", Go: runtime.Version(), Arch: runtime.GOARCH}
	const module = "github.com/tarry-bo/tarry"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Path == module && info.Main.Version != "" {
			p.Tarry = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "GOAMD64", "GOARM64", "GOARM", "GOPPC64", "GORISCV64":
				p.Level = s.Value
			case "GOEXPERIMENT":
				p.Experiment = s.Value
			}
		}
		for _, d := range info.Deps {
			if d.Path == module {
				p.Tarry = d.Version
			}
		}
	}
	return p
}

// Differences lists in words what distinguishes two programs; empty when nothing does. Look at it before a replay: what
// another program recorded may replay to other bits.
func (p Program) Differences(other Program) []string {
	var out []string
	for _, d := range [...]struct{ what, a, b string }{
		{"tarry", p.Tarry, other.Tarry}, {"Go", p.Go, other.Go}, {"architecture", p.Arch, other.Arch},
		{"level", p.Level, other.Level}, {"experiments", p.Experiment, other.Experiment},
	} {
		if d.a != d.b {
			out = append(out, fmt.Sprintf("%s %q, now %q", d.what, d.a, d.b))
		}
	}
	return out
}

// Refuses lists the differences that may lead a replay elsewhere in silence: all but the patch version of Go, whose releases
// mend what is broken and leave results as they are. Every digest of the journal says whether that is so.
func (p Program) Refuses(other Program) []string {
	if line(p.Go) == line(other.Go) {
		p.Go = other.Go
	}
	return p.Differences(other)
}

// line is the release line of a version of Go: go1.26 for go1.26.8. What is no release is a line of its own.
func line(version string) string {
	if m := release.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return version
}

var release = regexp.MustCompile(`^(go\d+\.\d+)(\.\d+)?$`)

// Record is one entry of a journal.
type Record struct {
	Event  loop.Stamped
	Digest uint64 // of the loop after the event; 0 where none was taken
}

// Appender keeps a study as it happens.
type Appender interface {
	// Begin keeps the header of a study that starts. A journal that holds another study refuses.
	Begin(Header) error
	// Append adds a record. It is safe once Sync has returned.
	Append(Record) error
	// Mark adds a digest of the loop to the last record.
	Mark(digest uint64) error
	// Sync returns when everything that was appended is as safe as the store makes it. What is appended between two calls
	// may share the cost. After an error nothing that was appended since the last call is there, and nothing more is taken.
	Sync() error
}

// Source gives back what was appended, in order.
type Source interface {
	Header() (Header, error) // the error wraps fs.ErrNotExist where no study has begun
	Records() iter.Seq2[Record, error]
}

// Store is a journal that can be written and read again: what a study is resumed from. It is one study's at a time (ErrInUse); one that embeds
// another that may be a store by itself should be Rooted, as all are here.
type Store interface {
	Appender
	Source
}

// Snapshots is what a store has besides, if it can keep states of the loop, so that a replay need not begin at the first
// event.
type Snapshots interface {
	// KeepSnapshot keeps the state after the last record. Like a record it is safe once Sync has returned. Older ones may be
	// forgotten.
	KeepSnapshot(seq uint64, state []byte) error
	// Snapshot returns the latest one, and 0 without any.
	Snapshot() (seq uint64, state []byte, err error)
	// RecordsAfter yields the records with greater sequence numbers.
	RecordsAfter(seq uint64) iter.Seq2[Record, error]
}

// HowToGoOn says what a program does with a journal that holds a study already, where it wanted to begin one.
const HowToGoOn = "go on with it by tarry.Resume or StartOrResume, in ask and tell by ResumeStudy or StartOrResumeStudy"

// Memory is a journal in memory. The zero value is empty. It may be read while a study writes to it.
type Memory struct {
	mutex   sync.RWMutex
	header  Header
	records []Record
}

// NewMemory returns an empty journal with the header.
func NewMemory(h Header) *Memory { return &Memory{header: h} }

// Root returns the journal: see Rooted.
func (m *Memory) Root() Store { return m }

// Begin sets the header of an empty journal.
func (m *Memory) Begin(h Header) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.records) > 0 {
		return fmt.Errorf("the journal holds a study of %d events: %s", len(m.records), HowToGoOn)
	}
	m.header = h
	return nil
}

// Header returns the header; before Begin an error that wraps fs.ErrNotExist.
func (m *Memory) Header() (Header, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if m.header.Format == 0 {
		return m.header, fmt.Errorf("no study has begun: %w", fs.ErrNotExist)
	}
	return m.header, nil
}

// Append keeps a record; a sequence number that is not the next one is an error.
func (m *Memory) Append(r Record) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if want := uint64(len(m.records)) + 1; r.Event.Seq != want {
		return fmt.Errorf("append event %d to the journal: want %d", r.Event.Seq, want)
	}
	m.records = append(m.records, r)
	return nil
}

// Sync does nothing: a journal in memory is as safe as it will ever be.
func (m *Memory) Sync() error { return nil }

// Records yields every record.
func (m *Memory) Records() iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for i := 0; ; i++ {
			r, there := m.record(i)
			if !there || !yield(r, nil) {
				return
			}
		}
	}
}

func (m *Memory) record(i int) (r Record, there bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if i >= len(m.records) {
		return r, false
	}
	return m.records[i], true
}

// All returns a copy of the records.
func (m *Memory) All() []Record {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return slices.Clone(m.records)
}

// Mark sets the digest of the last record: the fingerprint of the loop after it.
func (m *Memory) Mark(digest uint64) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	n := len(m.records)
	if n == 0 {
		return errors.New("mark the journal: no record yet")
	}
	m.records[n-1].Digest = digest
	return nil
}
