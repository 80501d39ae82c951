package tarry_test

import (
	"errors"
	"slices"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
)

// logged is a logger and what somebody may wait for in it.
func logged() (*zap.Logger, func() []string) {
	core, logs := observer.New(zapcore.InfoLevel)
	return zap.New(core), func() (lines []string) {
		for _, l := range logs.TakeAll() {
			line := l.Message
			if reason, is := l.ContextMap()["reason"].(string); is {
				line += ": " + reason
			}
			if l.Level > zapcore.InfoLevel {
				line = l.Level.String() + " " + line
			}
			lines = append(lines, line)
		}
		return lines
	}
}

// The log of a study by ask and tell begins and ends with it, like that of a run, also where its journal writes behind it.
func TestTheLogOfAStudyBeginsAndEndsWithIt(t *testing.T) {
	for name, store := range map[string]*journal.Memory{"in memory": nil, "kept": {}} {
		logger, lines := logged()
		o := tarry.Options{Budget: 2, Policy: policy(t, "random"), Logger: logger, Known: []tarry.Observation{{X: tarry.Point{0.5, 0.5}, Value: 1}}}
		if store != nil {
			o.Journal = store
		}
		study := newStudy(t, o)
		q := ask(t, study)
		if err := errors.Join(study.Observe(tarry.Point{0.1, 0.5}, 2), study.Observe(tarry.Point{0.2, 0.5}, 1), study.Tell(q.ID, 3)); err != nil {
			t.Fatal(err)
		}
		q = ask(t, study)
		if got, want := lines(), []string{"study started", "new incumbent", "new incumbent", "new incumbent"}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if store != nil { // a process ends here, and another one goes on
			study.Close()
			study.Close()
			var err error
			if study, err = tarry.ResumeStudy(store, tarry.Options{Logger: logger}); err != nil {
				t.Fatal(err)
			}
			if got, want := lines(), []string{"study interrupted: closed before its end", "study started", "study resumed"}; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
		if err := study.Tell(q.ID, 1); err != nil {
			t.Fatal(err)
		}
		study.Close()
		if got, want := lines(), []string{"study ended: " + tarry.ReasonBudget}; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if store != nil { // of a study that has ended there is nothing else to say
			study, err := tarry.ResumeStudy(store, tarry.Options{Logger: logger})
			if err != nil {
				t.Fatal(err)
			}
			study.Close()
			if got, want := lines(), []string{"study started", "study ended: " + tarry.ReasonBudget}; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
}

// tornStore is a journal whose disk is full after so many events.
type tornStore struct {
	journal.Memory
	room int
}

func (s *tornStore) Sync() error {
	if s.room--; s.room < 0 {
		return errors.New("the disk is full")
	}
	return s.Memory.Sync()
}

func TestTheLogSaysThatAStudyIsBrokenOff(t *testing.T) {
	logger, lines := logged()
	study := newStudy(t, tarry.Options{Budget: 3, Policy: policy(t, "random"), Logger: logger, Journal: &tornStore{room: 2}})
	defer study.Close()
	for {
		if _, err := study.Ask(); err != nil {
			break
		}
	}
	study.Close()
	if got, want := lines(), []string{"study started", "error study broken off"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
