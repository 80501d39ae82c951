package tarry_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// attachments are the ways in which a program attaches a study to a store.
func attachments(ctx context.Context, t *testing.T, store tarry.Store) map[string]func() error {
	space, options := unitSpace(t), tarry.Options{Budget: 40}
	begins := options
	begins.Journal = store
	run := func(r *tarry.Run, err error) error {
		if err == nil {
			r.Pause(true)
			_, err = r.Wait()
		}
		return err
	}
	study := func(s *tarry.Study, err error) error {
		if err == nil {
			s.Close()
		}
		return err
	}
	return map[string]func() error{
		"Start":              func() error { return run(tarry.Start(ctx, space, hill, begins)) },
		"NewStudy":           func() error { return study(tarry.NewStudy(space, begins)) },
		"Resume":             func() error { return run(tarry.Resume(ctx, store, hill, tarry.Options{})) },
		"ResumeStudy":        func() error { return study(tarry.ResumeStudy(store, tarry.Options{})) },
		"StartOrResume":      func() error { return run(tarry.StartOrResume(ctx, store, space, hill, options)) },
		"StartOrResumeStudy": func() error { return study(tarry.StartOrResumeStudy(store, space, options)) },
	}
}

// While a study goes on nobody else attaches to its store; it goes on as if nobody had tried.
func TestAStoreIsOneStudysUntilItsEnd(t *testing.T) {
	disk := must.Get(sqlite.Create(filepath.Join(t.TempDir(), "study.db")))(t)
	defer disk.Close()
	stores := map[string]tarry.Store{"memory": &journal.Memory{}, "sqlite": disk}
	slow := func(ctx context.Context, q tarry.Query) (float64, error) {
		time.Sleep(2 * time.Millisecond)
		return hill(ctx, q)
	}
	for kind, store := range stores {
		options := tarry.Options{Budget: 40, Workers: 2, Journal: store, Policy: policy(t, "random")}
		run := must.Get(tarry.Start(t.Context(), unitSpace(t), slow, options))(t)
		var group sync.WaitGroup
		for range 2 {
			for name, attach := range attachments(t.Context(), t, store) {
				group.Go(func() {
					if err := attach(); !errors.Is(err, tarry.ErrInUse) || !strings.Contains(err.Error(), "Run.Wait") {
						t.Errorf("%s, %s: %v", kind, name, err)
					}
				})
			}
		}
		group.Wait()
		if r, err := run.Wait(); err != nil || r.Spent != 40 {
			t.Errorf("%s: the first ended with %v, %v", kind, r, err)
		}
		if report, err := journal.Verify(store); err != nil || report.Loop.Spent() != 40 {
			t.Errorf("%s: %v", kind, err)
		}
		if r := must.Get(must.Get(tarry.Resume(t.Context(), store, hill, tarry.Options{Budget: 42}))(t).Wait())(t); r.Spent != 42 {
			t.Errorf("%s: after the end it went on to %d", kind, r.Spent)
		}
	}
}

// A study by ask and tell has its store until it is closed or has ended. An ended one still takes what comes late, until another goes on.
func TestAStoreIsFreeOnceItsStudyIsClosedOrHasEnded(t *testing.T) {
	store := &journal.Memory{}
	first := newStudy(t, tarry.Options{Budget: 40, Journal: store})
	q := ask(t, first)
	for name, attach := range attachments(t.Context(), t, store) {
		if err := attach(); !errors.Is(err, tarry.ErrInUse) || !strings.Contains(err.Error(), "Study.Close") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := first.Tell(q.ID, 1); err != nil {
		t.Fatal(err)
	}
	first.Close()
	second := must.Get(tarry.ResumeStudy(store, tarry.Options{}))(t)
	if _, err := first.Ask(); !errors.Is(err, tarry.ErrInUse) || !errors.Is(err, tarry.ErrNotKept) {
		t.Errorf("a closed study whose store another one has says %v", err)
	}
	q = ask(t, second)
	late := ask(t, second)
	if err := errors.Join(second.Tell(q.ID, 2), second.Stop(), second.Tell(late.ID, 3)); err != nil {
		t.Error(err)
	}
	third := must.Get(tarry.ResumeStudy(store, tarry.Options{Budget: 41}))(t)
	if r := third.Result(); len(r.Evaluations) != 3 || r.Best.Value != 3 {
		t.Errorf("the third has %v", r)
	}
	if err := second.Observe(q.X, 9); err == nil {
		t.Error("a study whose store another one has takes a value")
	}
	if err := third.Tell(ask(t, third).ID, 4); err != nil {
		t.Error(err)
	}
	third.Close()
	if _, err := journal.Verify(store); err != nil {
		t.Error(err)
	}
}

// fragile is a store that panics or refuses from some event on.
type fragile struct {
	journal.Memory
	left   int
	breaks func() error
}

func (f *fragile) Append(r journal.Record) error {
	if f.left--; f.left == 0 {
		return f.breaks()
	}
	return f.Memory.Append(r)
}

// However a study ends, its store is free then.
func TestAStoreIsFreeHoweverItsStudyEnds(t *testing.T) {
	fails := func(context.Context, tarry.Query) (float64, error) { panic("the oven is cold") }
	full := errors.New("full")
	for name, ends := range map[string]func(*fragile) error{
		"cancelled": func(f *fragile) error {
			ctx, cancel := context.WithCancel(t.Context())
			run := must.Get(tarry.Start(ctx, unitSpace(t), hill, tarry.Options{Budget: 10000, Journal: f}))(t)
			cancel()
			_, err := run.Wait()
			return err
		},
		"stopped":         func(f *fragile) error { return endsOf(t, f, hill, (*tarry.Run).Stop) },
		"no value at all": func(f *fragile) error { return endsOf(t, f, fails, func(*tarry.Run) {}) },
		"a full disk": func(f *fragile) error {
			f.left, f.breaks = 9, func() error { return full }
			return endsOf(t, f, hill, func(*tarry.Run) {})
		},
		"a journal that panics": func(f *fragile) error {
			f.left, f.breaks = 9, func() error { panic("torn") }
			return endsOf(t, f, hill, func(*tarry.Run) {})
		},
		"a journal that panics under a study": func(f *fragile) (err error) {
			f.left, f.breaks = 5, func() error { panic("torn") }
			study := newStudy(t, tarry.Options{Budget: 9, Journal: f})
			defer func() { err = fmt.Errorf("it panicked: %v", recover()) }()
			for {
				_ = study.Tell(ask(t, study).ID, 1)
			}
		},
		"a start that fails": func(f *fragile) error {
			f.left, f.breaks = 1, func() error { return full }
			_, err := tarry.NewStudy(unitSpace(t), tarry.Options{Budget: 9, Journal: f, Known: []tarry.Observation{{X: tarry.Point{0.5, 0.5}, Value: 1}}})
			return err
		},
	} {
		f := &fragile{left: -1}
		err := ends(f)
		t.Logf("%s: %.90v", name, err)
		study, err := tarry.ResumeStudy(f, tarry.Options{Budget: 20000})
		if name == "a start that fails" && err != nil && !errors.Is(err, tarry.ErrInUse) {
			continue // it has not begun, and is not resumed
		}
		if err != nil {
			t.Errorf("%s: then it is not free: %v", name, err)
			continue
		}
		study.Close()
	}
}

// endsOf runs a study, does something to it, and waits for its end.
func endsOf(t *testing.T, store tarry.Store, f tarry.Objective, do func(*tarry.Run)) error {
	run := must.Get(tarry.Start(t.Context(), unitSpace(t), f, tarry.Options{Budget: 20, Workers: 1, Policy: policy(t, "random"), Journal: store.(journal.Appender)}))(t)
	do(run)
	_, err := run.Wait()
	return err
}
