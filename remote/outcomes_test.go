package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// Whatever an objective returns means elsewhere what it means in the process of its study.
func TestWhatObjectivesReturnMeansTheSameElsewhere(t *testing.T) {
	said := func(_ context.Context, q tarry.Query) (tarry.Outcome, error) {
		switch q.ID.Evaluation {
		case 1:
			return tarry.Outcome{Value: 4, Cost: 2.5, Constraints: []float64{.5}}, nil
		case 2:
			return tarry.Outcome{Value: 9, Constraints: []float64{1.5}}, nil
		case 3:
			return tarry.Outcome{}, fmt.Errorf("%w: it does not converge", tarry.ErrInfeasible)
		case 4:
			if q.ID.Attempt == 1 {
				return tarry.Outcome{}, fmt.Errorf("%w: preempted", tarry.ErrLost)
			}
			return tarry.Outcome{Value: 3, Constraints: []float64{0}}, nil
		case 5:
			return tarry.Outcome{}, errors.New("out of memory")
		case 6:
			return tarry.Outcome{Value: math.NaN(), Constraints: []float64{0}}, nil
		case 7:
			panic("no")
		case 8:
			return tarry.Outcome{Value: 1}, nil // a constraint is missing
		case 9:
			return tarry.Outcome{}, tarry.ErrAnswerFollows
		}
		return tarry.Outcome{Value: 2, Constraints: []float64{1}, Infeasible: true}, nil
	}
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: DefaultHeartbeat})
	policy, err := tarry.ParsePolicy("random")
	fatal(t, err)
	play := func(r tarry.Remote, f tarry.OutcomeFunc) *tarry.Result {
		o := tarry.Options{Budget: 10, Policy: policy, Remote: r, Constraints: []tarry.Constraint{tarry.AtMost("latency", 1)}}
		if f != nil {
			o.Workers = 1
		}
		run, err := tarry.StartOutcomes(t.Context(), square(t), f, o)
		fatal(t, err)
		eventually(t, "the ninth follows", func() bool {
			r := run.Snapshot()
			return len(r.Evaluations) == 10 && r.Evaluations[9].Status != tarry.Pending
		})
		fatal(t, run.TellOutcome(tarry.EvaluationID{Evaluation: 9, Attempt: 1}, tarry.Outcome{Value: 6, Constraints: []float64{0}}))
		result, err := run.Wait()
		fatal(t, err)
		return result
	}
	employ(t, connect(t, s), Worker{Outcomes: said})
	here, there := play(nil, said), play(hub, nil)
	for i, e := range there.Evaluations {
		want := here.Evaluations[i]
		first := func(reason string) string { reason, _, _ = strings.Cut(reason, "\n"); return reason }
		if e.Status != want.Status || e.Measured != want.Measured || e.Value != want.Value || e.Cost != want.Cost || fmt.Sprint(e.Constraints, e.X) != fmt.Sprint(want.Constraints, want.X) || first(e.Reason) != first(want.Reason) {
			t.Errorf("evaluation %d is\n%+v\nhere\n%+v", e.ID.Evaluation, e, want)
		}
	}
	if there.Best.Value != here.Best.Value || there.Best.Value != 6 {
		t.Errorf("best %v, here %v", there.Best, here.Best)
	}
}

// A journal on disk of a study whose workers are elsewhere is verified like any other.
func TestAJournalOfRemoteWorkersIsVerified(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Rotation: 5 * time.Millisecond, Heartbeat: DefaultHeartbeat})
	path := filepath.Join(t.TempDir(), "study.db")
	store, err := sqlite.Create(path)
	fatal(t, err)
	policy, err := tarry.ParsePolicy("ts-sdf")
	fatal(t, err)
	run := start(t, hub, tarry.Options{Budget: 30, Journal: store, Policy: policy})
	other := start(t, hub, tarry.Options{Budget: 10_000, Name: "other"}) // so that slots come and go
	for k := range 3 {
		employ(t, connect(t, s), Worker{Name: fmt.Sprint("w", k), Slots: 3, Objective: func(ctx context.Context, q tarry.Query) (float64, error) {
			time.Sleep(time.Millisecond)
			return hill(ctx, q)
		}})
	}
	_, err = run.Wait()
	fatal(t, err)
	other.Stop()
	_, err = other.Wait()
	fatal(t, err)
	fatal(t, store.Close())
	store, err = sqlite.Open(path)
	fatal(t, err)
	defer store.Close()
	report, err := journal.Verify(store)
	if err != nil || report.Digests == 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

// What an evaluation reports reaches its study, and ends the evaluation where nobody waits for it any more.
func TestReportsReachTheStudy(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	run := start(t, hub, tarry.Options{Budget: 2})
	cancelled := make(chan error, 1)
	employ(t, connect(t, s), Worker{Objective: func(ctx context.Context, q tarry.Query) (float64, error) {
		for epoch := range 3 {
			if err := q.Report(float64(epoch), float64(10*epoch)); err != nil {
				return 0, err
			}
		}
		if q.ID.Evaluation != 1 { // the second, and the one that takes the place of the first
			return 5, nil
		}
		if err := q.Report(math.NaN(), 1); err == nil {
			return 0, errors.New("a step that is none was taken")
		}
		fatal(t, run.Cancel(1, "no more"))
		err := error(nil)
		for step := 9.0; err == nil; step++ { // a report is lost where its answer takes longer than an interval
			err = q.Report(step, 9)
		}
		cancelled <- err
		return 0, err
	}})
	if err := got(t, "the end of the first", cancelled); !errors.Is(err, tarry.ErrCancelled) {
		t.Error(err)
	}
	run.Wait()
	all := run.Snapshot().Evaluations
	if len(all) < 2 || len(all[1].Reports) != 3 || all[1].Reports[2].Value != 20 || len(all[0].Reports) != 3 {
		t.Errorf("%+v", all)
	}
}

func TestWhatIsNoWorkerIsRefused(t *testing.T) {
	s := serve(t)
	conn := connect(t, s)
	for _, c := range []struct {
		worker Worker
		want   string
	}{
		{Worker{}, "Worker.Objective = 0 functions: want one of"},
		{Worker{Objective: hill, Slots: -1}, "Worker.Slots = -1"},
		{Worker{Objective: hill, Name: "a.b"}, "Worker.Name = a.b: want letters"},
		{Worker{Objective: hill, Instance: "*"}, "Worker.Instance = *"},
		{Worker{Objective: hill, Prefix: "x..y"}, "Worker.Prefix = x..y"},
		{Worker{Objective: hill, Labels: []string{""}}, "Worker.Labels"},
		{Worker{Objective: hill, Grace: -1}, "Worker.Grace"},
		{Worker{Objective: hill, Keep: -1}, "Worker.Keep"},
		{Worker{Objective: hill, Study: strings.Repeat("x", 300)}, "Worker.Study"},
	} {
		if err := c.worker.Work(t.Context(), conn); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q: %v", c.want, err)
		}
	}
	if err := Work(t.Context(), nil, hill); !errors.Is(err, tarry.ErrInvalidOption) {
		t.Error(err)
	}
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, "Options.Key = 0 bytes: want at least 16"},
		{Options{Key: secret, Prefix: "a b"}, "Options.Prefix = a b"},
		{Options{Key: secret, Heartbeat: -1}, "Options.Heartbeat"},
		{Options{Key: secret, Missed: -1}, "Options.Missed"},
		{Options{Key: secret, Rotation: -1}, "Options.Rotation"},
		{Options{Key: secret, Settle: -1}, "Options.Settle"},
	} {
		if _, err := NewHub(conn, c.options); !errors.Is(err, tarry.ErrInvalidOption) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q: %v", c.want, err)
		}
	}
	if _, err := NewHub(nil, Options{Key: secret}); !errors.Is(err, tarry.ErrInvalidOption) {
		t.Error(err)
	}
}

// A worker waits for a hub, and ends when its hub does not take it or its connection is closed for good.
func TestWhenAWorkerEnds(t *testing.T) {
	s := serve(t)
	conn := connect(t, s)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := (Worker{Objective: hill}).Work(ctx, conn); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without a hub: %v", err)
	}
	other, err := conn.Subscribe("tarry.join.*.*", func(m *nats.Msg) { _ = m.Respond([]byte(`{"epoch":1,"error":"version = 1: want 2"}`)) })
	fatal(t, err)
	if err := (Worker{Objective: hill}).Work(t.Context(), conn); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "want 2") {
		t.Errorf("a hub of another version: %v", err)
	}
	fatal(t, other.Unsubscribe())
	hub := newHub(t, connect(t, s), Options{})
	done := make(chan error, 1)
	go func() { done <- Worker{Objective: hill}.Work(t.Context(), conn) }()
	eventually(t, "it joins", func() bool { return len(hub.Workers()) == 1 })
	conn.Close()
	if err := got(t, "its end", done); !errors.Is(err, nats.ErrConnectionClosed) {
		t.Errorf("a connection that was closed: %v", err)
	}
}
