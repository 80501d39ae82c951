package actors

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/tarry-bo/tarry/journal"
)

// breaking is a handler that breaks from one of its calls to another.
type breaking struct {
	calls    *atomic.Int64
	from, to int64
	breaks   func()
}

func (b breaking) Enabled(context.Context, slog.Level) bool { return b.call() }
func (b breaking) Handle(context.Context, slog.Record) error {
	b.call()
	return nil
}
func (b breaking) WithAttrs([]slog.Attr) slog.Handler { return b }
func (b breaking) WithGroup(string) slog.Handler      { return b }

func (b breaking) call() bool {
	if n := b.calls.Add(1); n >= b.from && n <= b.to {
		b.breaks()
	}
	return true
}

var breaks = map[string]func(){"panics": func() { panic("no ink") }, "ends its goroutine": runtime.Goexit}

// logged runs a study whose logger breaks from one of its calls to another, and returns how often it was called.
func logged(t *testing.T, from, to int64, breaks func(), store journal.Appender) (calls int64, end Ended, err error) {
	inVirtualTime(t, func(t *testing.T) {
		b := breaking{new(atomic.Int64), from, to, breaks}
		c := plot(t, 4)
		c.Workers, c.Objective, c.Grace, c.Logger, c.Journal = 2, lasting(time.Second), time.Minute, ZapLogger(b), store
		start := time.Now()
		var e *Engine
		if e, err = Start(t.Context(), c); err == nil {
			end = e.Wait()
		}
		if passed := time.Since(start); passed >= c.Grace {
			t.Errorf("from call %d to %d: Wait returned after %v, as if something hung", from, to, passed)
		}
		calls = b.calls.Load()
	})
	return calls, end, err
}

// Wherever a logger panics, or ends its goroutine, the study ends with an error that has the stack, and the logger is not called again.
func TestALoggerThatBreaksEndsTheStudy(t *testing.T) {
	calls, _, _ := logged(t, 0, -1, nil, nil)
	if calls < 20 {
		t.Fatalf("the logger was called %d times", calls)
	}
	for name, broken := range breaks {
		for k := int64(1); k <= calls; k++ {
			for _, to := range []int64{k, k + 1, 1 << 40} {
				var store journal.Appender
				if k%2 == 0 {
					store = &journal.Memory{}
				}
				called, end, err := logged(t, k, to, broken, store)
				if called < k { // what comes at once may come in another order
					continue
				}
				if err = errors.Join(err, end.Err); !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), "guard_test.go") {
					t.Errorf("it %s at call %d: the study ended with %v", name, k, err)
				}
				if called > k+1 { // two may be under way
					t.Errorf("it %s at call %d of %d", name, k, called)
				}
			}
		}
	}
}

// failing is a core that cannot write.
type failing struct{ zapcore.Core }

func (failing) Enabled(zapcore.Level) bool                 { return true }
func (failing) Write(zapcore.Entry, []zapcore.Field) error { return errors.New("no ink") }
func (f failing) Check(e zapcore.Entry, to *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	return to.AddCore(e, f)
}

// A guard changes nothing of what a logger writes, complains of, or leaves out.
func TestAGuardChangesNothingOfALogger(t *testing.T) {
	var said strings.Builder
	g := &guard{}
	core, inner := failing{zapcore.NewNopCore()}, zapcore.NewNopCore()
	log := zap.New(zapcore.NewTee(core, inner), zap.ErrorOutput(zapcore.AddSync(&said)), zap.WrapCore(g.around))
	log.Info("a line")
	if got := said.String(); strings.Count(got, "write error: no ink") != 1 || g.err() != nil {
		t.Errorf("it says %q, %v", got, g.err())
	}
	if nop := zap.NewNop().WithOptions(zap.WrapCore(g.around)); nop.Core().Enabled(zapcore.ErrorLevel) || nop.Check(zapcore.ErrorLevel, "x") != nil {
		t.Error("a logger that writes nothing is asked to")
	}
}
