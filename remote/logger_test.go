package remote

import (
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry"
)

// breaking is a core that breaks whenever it writes.
type breaking struct {
	zapcore.LevelEnabler
	calls  *atomic.Int64
	breaks func()
}

func (b breaking) With([]zapcore.Field) zapcore.Core { return b }
func (b breaking) Sync() error                       { return nil }
func (b breaking) Check(e zapcore.Entry, c *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	return c.AddCore(e, b)
}

func (b breaking) Write(zapcore.Entry, []zapcore.Field) error {
	b.calls.Add(1)
	b.breaks()
	return errors.New("not reached")
}

// A logger that panics, or ends the goroutine that logs, ends neither the hub, nor a worker, nor their process: both go on without it.
func TestALoggerThatBreaksIsNotCalledAgain(t *testing.T) {
	for name, breaks := range map[string]func(){"panics": func() { panic("no ink") }, "ends its goroutine": runtime.Goexit} {
		hubs, workers := breaking{zap.DebugLevel, new(atomic.Int64), breaks}, breaking{zap.DebugLevel, new(atomic.Int64), breaks}
		s := serve(t)
		hub := newHub(t, connect(t, s), Options{Logger: zap.New(hubs)})
		run := start(t, hub, tarry.Options{Budget: 10, Name: "hill"})
		employ(t, connect(t, s), Worker{Objective: hill, Logger: zap.New(workers)})
		r, err := run.Wait()
		if err != nil || r.Count(tarry.Observed) != 10 {
			t.Errorf("it %s: %v, %v", name, r, err)
		}
		if h, w := hubs.calls.Load(), workers.calls.Load(); h < 1 || w < 1 || h > 3 || w > 3 { // some may be under way
			t.Errorf("it %s: the hub's was called %d times, the worker's %d times", name, h, w)
		}
	}
}
