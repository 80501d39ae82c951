package tarry_test

import (
	"context"
	"errors"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// inkless is a handler that breaks where a value has come.
type inkless struct {
	slog.Handler
	breaks func()
}

func (inkless) Enabled(context.Context, slog.Level) bool { return true }
func (h inkless) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "new incumbent" {
		h.breaks()
	}
	return nil
}

// A handler that breaks under a study by ask and tell takes nobody with it: what was told is kept, and the study says that it cannot go on.
func TestAHandlerThatBreaksUnderAskAndTell(t *testing.T) {
	for name, breaks := range map[string]func(){"panics": func() { panic("no ink") }, "ends its goroutine": runtime.Goexit} {
		for _, store := range []*journal.Memory{nil, {}} {
			o := tarry.Options{Budget: 6, Handler: inkless{slog.DiscardHandler, breaks}}
			if store != nil {
				o.Journal = store
			}
			study := newStudy(t, o)
			q := ask(t, study)
			if err := study.Tell(q.ID, 1); err != nil {
				t.Errorf("it %s: the value is not taken: %v", name, err)
			}
			if _, err := study.Ask(); !errors.Is(err, tarry.ErrBroken) || !strings.Contains(err.Error(), "the logger ") || !strings.Contains(err.Error(), "guard_test.go") {
				t.Errorf("it %s: then Ask says %v", name, err)
			}
			if r := study.Result(); r.Best == nil || r.Best.Value != 1 {
				t.Errorf("it %s: what was known is lost: %v", name, r)
			}
			if store == nil {
				continue
			}
			if again, err := tarry.ResumeStudy(store, tarry.Options{}); err != nil || again.Result().Best == nil {
				t.Errorf("it %s: it cannot be resumed: %v", name, err)
			}
		}
	}
}
