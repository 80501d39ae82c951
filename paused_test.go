package tarry_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// following starts a study whose four answers follow, and returns its queries when all have come.
func following(ctx context.Context, t *testing.T, o tarry.Options) (*tarry.Run, []tarry.Query) {
	t.Helper()
	asked := make(chan tarry.Query, 4)
	o.Budget, o.Pending, o.Workers = 12, 4, 1
	run := must.Get(tarry.Start(ctx, unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) {
		asked <- q
		return 0, tarry.ErrAnswerFollows
	}, o))(t)
	queries := make([]tarry.Query, 4)
	for i := range queries {
		queries[i] = <-asked
	}
	return run, queries
}

// Who tells a study that is paused hears that it has not ended, and the value counts for the run that resumes it.
func TestWhatIsToldWhileAStudyIsPausedIsForWhoResumesIt(t *testing.T) {
	for name, pause := range map[string]func(*tarry.Run, context.CancelFunc){
		"by Pause":                 func(r *tarry.Run, _ context.CancelFunc) { r.Pause(false) },
		"at once":                  func(r *tarry.Run, _ context.CancelFunc) { r.Pause(true) },
		"by the end of a context":  func(_ *tarry.Run, cancel context.CancelFunc) { cancel() },
		"since its time was over":  nil,
		"and kept in memory alone": func(r *tarry.Run, _ context.CancelFunc) { r.Pause(true) },
	} {
		t.Run(name, func(t *testing.T) {
			disk := must.Get(sqlite.Create(filepath.Join(t.TempDir(), "study.db")))(t)
			defer disk.Close()
			o := tarry.Options{Journal: disk}
			if name == "and kept in memory alone" {
				o.Journal = &journal.Memory{}
			}
			if pause == nil {
				o.MaxTime = time.Second
				pause = func(*tarry.Run, context.CancelFunc) {}
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			run, queries := following(ctx, t, o)
			pause(run, cancel)
			_, _ = run.Wait()
			q := queries[0]
			for what, err := range map[string]error{
				"Tell": q.Tell(1), "Run.Tell": run.Tell(q.ID, 1), "Fail": run.Fail(q.ID, errors.New("no")), "Report": q.Report(1, 1),
				"Enqueue": run.Enqueue(q.X), "Observe": run.Observe(q.X, 1), "Cancel": run.Cancel(1, "no"),
			} {
				if !errors.Is(err, tarry.ErrPaused) || !errors.Is(err, tarry.ErrEnded) || strings.Contains(err.Error(), "the study has ended") {
					t.Errorf("%s: %v", what, err)
				}
			}
			resumed := must.Get(tarry.Resume(t.Context(), o.Journal.(tarry.Store), hill, tarry.Options{}))(t)
			if err := resumed.Tell(q.ID, 7); err != nil {
				t.Error(err)
			}
			resumed.Pause(true)
			if r, _ := resumed.Wait(); r.Evaluations[0].Value != 7 {
				t.Errorf("the value is %v, want 7", r.Evaluations[0])
			}
		})
	}
}

// A study that was stopped, or that nobody can resume, has ended.
func TestWhatIsToldToAnEndedStudyIsNotPaused(t *testing.T) {
	for name, o := range map[string]tarry.Options{"stopped": {Journal: &journal.Memory{}}, "without a store": {}} {
		run, queries := following(t.Context(), t, o)
		if name == "stopped" {
			run.Stop()
		} else {
			run.Pause(true)
		}
		_, _ = run.Wait()
		if err := queries[0].Tell(1); !errors.Is(err, tarry.ErrEnded) || errors.Is(err, tarry.ErrPaused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A run of a study that had ended takes no value, whoever is fast; a study by ask and tell takes all of them.
func TestARunOfAStudyThatHadEndedTakesNothing(t *testing.T) {
	for range 20 {
		store := &journal.Memory{}
		run, queries := following(t.Context(), t, tarry.Options{Journal: store})
		run.Stop()
		_, _ = run.Wait()
		again := must.Get(tarry.Resume(t.Context(), store, hill, tarry.Options{}))(t)
		for _, q := range queries {
			if err := again.Tell(q.ID, 1); !errors.Is(err, tarry.ErrEnded) || errors.Is(err, tarry.ErrPaused) {
				t.Errorf("%v: %v", q.ID, err)
			}
		}
		if r, _ := again.Wait(); r.Count(tarry.Cancelled) != 4 {
			t.Errorf("%v: want four that were cancelled", r)
		}
		study := must.Get(tarry.ResumeStudy(store, tarry.Options{}))(t)
		for _, q := range queries {
			if err := study.Tell(q.ID, 1); err != nil {
				t.Error(err)
			}
		}
		study.Close()
	}
}
