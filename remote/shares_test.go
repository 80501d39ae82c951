package remote

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

func TestSharesAreEqualAndTheOddOnesGoRound(t *testing.T) {
	for slots := range 12 {
		for n := range 8 {
			got := make([]int, n)
			for turn := range n {
				sum := 0
				for i, share := range divide(slots, n, turn) {
					if share != slots/n && share != slots/n+1 {
						t.Errorf("%d slots for %d: %v", slots, n, divide(slots, n, turn))
					}
					sum += share
					got[i] += share
				}
				if sum != slots {
					t.Errorf("%d slots for %d: %v", slots, n, divide(slots, n, turn))
				}
			}
			for i := range got {
				if got[i] != slots { // over as many turns as there are studies everybody has had the same
					t.Errorf("%d slots for %d: after all turns %v", slots, n, got)
				}
			}
		}
	}
}

// Two studies share a worker: at no time has it more than it has slots, each study has half of them, and with one slot they take turns.
func TestTwoStudiesShareAWorker(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Rotation: 20 * time.Millisecond})
	var mutex sync.Mutex
	running, most, done := map[string]int{}, map[string]int{}, 0
	evaluate := func(ctx context.Context, j *Job) (tarry.Outcome, error) {
		mutex.Lock()
		running[j.Study.Name]++
		most[j.Study.Name] = max(most[j.Study.Name], running[j.Study.Name])
		all := 0
		for _, n := range running {
			all += n
		}
		most[""] = max(most[""], all)
		mutex.Unlock()
		time.Sleep(2 * time.Millisecond)
		mutex.Lock()
		defer mutex.Unlock()
		running[j.Study.Name]--
		done++
		return tarry.Outcome{Value: j.X[0]}, nil
	}
	employ(t, connect(t, s), Worker{Evaluate: evaluate, Slots: 5})
	eventually(t, "it joins", func() bool { return len(hub.Workers()) == 1 })
	a := start(t, hub, tarry.Options{Budget: 200, Name: "a"})
	b := start(t, hub, tarry.Options{Budget: 200, Name: "b"})
	for _, run := range []*tarry.Run{a, b} {
		result, err := run.Wait()
		fatal(t, err)
		if len(result.Evaluations) != 200 || result.Counters.Vanished > 0 {
			t.Errorf("%d evaluations, %+v", len(result.Evaluations), result.Counters)
		}
	}
	if done != 400 || most[""] > 5 || most["b"] > 5 || most["a"] < 2 || most["b"] < 2 {
		t.Errorf("%d done, at most %v at once", done, most)
	}
}

func TestStudiesWithOneSlotTakeTurns(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Rotation: 10 * time.Millisecond})
	employ(t, connect(t, s), Worker{Objective: hill})
	a := start(t, hub, tarry.Options{Budget: 100_000, Name: "a"})
	b := start(t, hub, tarry.Options{Budget: 100_000, Name: "b"})
	for _, run := range []*tarry.Run{a, b} {
		eventually(t, "both get on", func() bool { return len(run.Snapshot().Evaluations) > 20 })
		run.Stop()
		_, err := run.Wait()
		fatal(t, err)
	}
}

func TestStudiesGoToWorkersThatHaveWhatTheyNeed(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	run := start(t, hub.With("gpu", "big"), tarry.Options{Budget: 4, Name: "needs"})
	plain, right, only := newGated(), newGated(), newGated()
	employ(t, connect(t, s), Worker{Objective: plain.evaluate, Name: "plain", Labels: []string{"gpu"}})
	employ(t, connect(t, s), Worker{Objective: only.evaluate, Name: "only", Labels: []string{"gpu", "big"}, Study: "other"})
	eventually(t, "two join", func() bool { return len(hub.Workers()) == 2 })
	employ(t, connect(t, s), Worker{Objective: right.evaluate, Name: "right", Labels: []string{"big", "new", "gpu"}})
	for k := range 4 {
		right.values <- float64(k)
	}
	_, err := run.Wait()
	fatal(t, err)
	other := start(t, hub, tarry.Options{Budget: 20, Name: "other"})
	got(t, "what it came for", only.began)
	other.Stop()
	_, err = other.Wait()
	fatal(t, err)
	if len(right.began) < 4 {
		t.Errorf("%d attempts at the worker with all labels", len(right.began))
	}
	if run, err := tarry.Start(t.Context(), square(t), nil, tarry.Options{Budget: 1, Remote: hub.With("")}); err == nil {
		run.Stop()
		t.Error("an empty label was taken")
	}
}

// A worker that cannot serve a study says so once, and the study goes on elsewhere.
func TestAWorkerDeclinesAStudy(t *testing.T) {
	s := serve(t)
	log, logs := logged()
	hub := newHub(t, connect(t, s), Options{Logger: log})
	employ(t, connect(t, s), Worker{Name: "picky", Slots: 3, Evaluate: func(_ context.Context, j *Job) (tarry.Outcome, error) {
		if j.Study.Name == "bad" {
			return tarry.Outcome{}, Decline("the command has no place for x")
		}
		return tarry.Outcome{Value: 1}, nil
	}})
	eventually(t, "it joins", func() bool { return len(hub.Workers()) == 1 })
	bad := start(t, hub, tarry.Options{Budget: 5, Name: "bad"})
	eventually(t, "it declines", func() bool { return logs.FilterMessage("study declined").Len() == 1 })
	if got := hub.Workers()[0].Declined; len(got) != 1 || got["bad"] != "the command has no place for x" {
		t.Errorf("it declined %v", got)
	}
	good := start(t, hub, tarry.Options{Budget: 5, Name: "good"})
	_, err := good.Wait()
	fatal(t, err)
	employ(t, connect(t, s), Worker{Objective: hill, Name: "willing"})
	result, err := bad.Wait()
	fatal(t, err)
	if len(result.Evaluations) != 5 || result.Counters.Failures != 0 || logs.FilterMessage("study declined").Len() != 1 {
		t.Errorf("%d evaluations, %+v", len(result.Evaluations), result.Counters)
	}
	if line := logs.FilterMessage("study declined").All()[0].ContextMap(); line["reason"] != "the command has no place for x" || line["worker"] != "picky" {
		t.Errorf("%v", line)
	}
}

func TestAHubHasOneStudyOfAName(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{})
	run := start(t, hub, tarry.Options{Budget: 1, Name: "one"})
	if _, err := tarry.Start(t.Context(), square(t), nil, tarry.Options{Budget: 1, Name: "one", Remote: hub}); err == nil {
		t.Error("two studies have one name")
	}
	for range 20 { // who has waited for the end of a study may begin the next at once
		run.Stop()
		_, err := run.Wait()
		fatal(t, err)
		run = start(t, hub, tarry.Options{Budget: 1, Name: "one"})
	}
	employ(t, connect(t, s), Worker{Objective: hill})
	_, err := run.Wait()
	fatal(t, err)
	hub.Close()
	if _, err := tarry.Start(t.Context(), square(t), nil, tarry.Options{Budget: 1, Remote: hub}); err == nil {
		t.Error("a hub that is closed took a study")
	}
}

// A slot that went to the next study is its as soon as what ran there has ended, and not at the turn after that.
func TestASlotGoesToTheNextStudyWhenItIsFree(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Rotation: time.Hour})
	w := byHand(t, connect(t, s), "w", "1", 1)
	a := start(t, hub, tarry.Options{Budget: 9, Name: "a"})
	first := got(t, "a job", w.jobs)
	b := start(t, hub, tarry.Options{Budget: 9, Name: "b"})
	for range 4 { // whosever turn it is now
		hub.mutex.Lock()
		hub.turn++
		hub.shareAll()
		turn := hub.workers[key{"w", "1"}].seats[hub.studies["b"]].target
		hub.mutex.Unlock()
		w.result(found(first.id, 1))
		next := got(t, "the next job", w.jobs)
		if want := map[int]string{0: "a", 1: "b"}[turn]; next.Study != want {
			t.Errorf("study %s is next, want %s", next.Study, want)
		}
		first = next
	}
	for _, run := range []*tarry.Run{a, b} {
		run.Stop()
		_, _ = run.Wait()
	}
}
