package page

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// many writes a study of n evaluations on eight workers, with failures and answers that are late, as one commit.
func many(t *testing.T, folder, name string, n int) {
	t.Helper()
	fatal := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	s, err := tarry.NewSpace(tarry.LogFloat("lr", 1e-5, 1), tarry.Int("layers", 1, 8), tarry.Float("dropout", 0, 1), tarry.Categorical("kind", "a", "b", "c"))
	fatal(err)
	policy, err := tarry.ParsePolicy("random")
	fatal(err)
	l, err := loop.New(loop.Config{Space: s, Budget: tarry.MaxBudget, Traits: policy.Traits(), Pending: n, Retries: 1})
	fatal(err)
	store, err := sqlite.Create(filepath.Join(folder, name+".db"))
	fatal(err)
	defer store.Close()
	steps, err := journal.NewRecorder(l, store)
	fatal(err)
	at := time.Duration(0)
	var todo []loop.Effect
	step := func(e loop.Event) {
		at += 100 * time.Millisecond
		_, r, err := steps.Step(at, e)
		fatal(err)
		todo = append(todo, r.Effects...)
	}
	step(loop.WorkerJoined{Worker: 1, Slots: 8})
	for len(l.Evaluations()) < n && len(todo) > 0 {
		effect := todo[0]
		todo = todo[1:]
		switch e := effect.(type) {
		case loop.Ask:
			step(l.Task().Run(policy))
		case loop.Dispatch:
			k := e.Evaluation
			switch {
			case k%50 == 3:
				step(loop.EvaluationFailed{Evaluation: k, Attempt: e.Attempt, Failure: outcome.Failure{Reason: "exit code 1"}})
			case k%300 == 7:
				step(loop.AnswerFollows{Evaluation: k, Attempt: e.Attempt})
			default:
				step(loop.FeedbackArrived{Evaluation: k, Attempt: e.Attempt, Outcome: outcome.Of(1 - math.Abs(e.X[2]-0.3) - e.X[1]/20 + 0.1*math.Sin(float64(k)))})
			}
		}
	}
	fatal(steps.Sync())
}
