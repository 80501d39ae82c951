package actors

import (
	"bytes"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// guard keeps a logger of the user's from breaking what logs: the actors, and the framework they run in, which logs also where nothing
// recovers. What the logger does, it does in a goroutine that waits for nothing but it; once it has panicked, or has ended that goroutine, it is not called again.
// The zero value is ready.
type guard struct {
	failed atomic.Pointer[error]
	tell   atomic.Pointer[func()] // called once, when it fails; nil: nobody is told
}

// Guarded returns a logger that cannot break what logs, for who goes on without one: once the core has panicked, or has ended the goroutine
// that it was called in, it is not called again, and nothing is logged any more.
func Guarded(logger *zap.Logger) *zap.Logger {
	return logger.WithOptions(zap.WrapCore((&guard{}).around))
}

// err is how the logger failed; nil where it did not.
func (g *guard) err() error {
	if err := g.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// around returns a core that is guarded.
func (g *guard) around(core zapcore.Core) zapcore.Core { return guarded{core, g} }

// do has the logger do something, and waits.
func (g *guard) do(what func()) {
	if g.failed.Load() != nil {
		return
	}
	done := make(chan error, 1)
	go func() {
		var err error
		returned := false
		defer func() {
			switch r := recover(); {
			case r != nil:
				err = fmt.Errorf("%w: the logger panicked: %v\n%s", ErrBroken, r, debug.Stack())
			case !returned:
				err = fmt.Errorf("%w: the logger ended its goroutine (runtime.Goexit)\n%s", ErrBroken, debug.Stack())
			}
			done <- err
		}()
		what()
		returned = true
	}()
	err := <-done
	if err == nil || !g.failed.CompareAndSwap(nil, &err) {
		return
	}
	if tell := g.tell.Load(); tell != nil {
		go (*tell)() // whoever logs may hold what it takes to tell
	}
}

// guarded is a core of a logger under a guard.
type guarded struct {
	core  zapcore.Core
	guard *guard
}

// Enabled asks the core; of one that has failed nothing is.
func (c guarded) Enabled(l zapcore.Level) (enabled bool) {
	c.guard.do(func() { enabled = c.core.Enabled(l) })
	return enabled && c.guard.err() == nil
}

// With adds fields to every entry.
func (c guarded) With(fields []zapcore.Field) zapcore.Core {
	with := c.core
	c.guard.do(func() { with = c.core.With(fields) })
	return guarded{with, c.guard}
}

// Check adds what the core would write, if it wants to.
func (c guarded) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	var wanted *zapcore.CheckedEntry
	c.guard.do(func() { wanted = c.core.Check(entry, nil) })
	if wanted == nil || c.guard.err() != nil {
		return checked
	}
	return checked.AddCore(entry, wants{c, wanted})
}

// Write has the core write an entry, whatever it wants.
func (c guarded) Write(entry zapcore.Entry, fields []zapcore.Field) (err error) {
	c.guard.do(func() { err = c.core.Write(entry, fields) })
	return err
}

// Sync is that of the core.
func (c guarded) Sync() (err error) {
	c.guard.do(func() { err = c.core.Sync() })
	return err
}

// wants is a core for the one entry that it wants to write.
type wants struct {
	guarded
	entry *zapcore.CheckedEntry
}

// Write has the cores write that wanted the entry, and returns what they complain of.
func (w wants) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	var complaint bytes.Buffer
	w.guard.do(func() {
		w.entry.Entry, w.entry.ErrorOutput = entry, zapcore.AddSync(&complaint)
		w.entry.Write(fields...)
	})
	if w.guard.err() != nil || complaint.Len() == 0 {
		return nil
	}
	_, why, _ := bytes.Cut(bytes.TrimSpace(complaint.Bytes()), []byte(" write error: "))
	return errors.New(string(why))
}
