package journal

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// around is a store that has another one as its field.
type around struct{ *Memory }

// joins steps a recorder and keeps what happened.
func joins(r *Recorder, worker int) error {
	if _, _, err := r.Step(0, loop.WorkerJoined{Worker: worker, Slots: 1}); err != nil {
		return err
	}
	return r.Sync()
}

// A store is one study's at a time: another one is refused before it has written or read anything, and the first goes on.
func TestAStoreIsOneStudysAtATime(t *testing.T) {
	store := &Memory{}
	first, err := NewRecorder(newLoop(t, 9), store)
	if err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]Store{"the store": store, "around the store": around{store}, "around it by a pointer": &around{store}} {
		if _, _, err := Resume(same); !errors.Is(err, ErrInUse) {
			t.Errorf("%s is resumed: %v", name, err)
		}
		if _, err := NewRecorder(newLoop(t, 4), same); !errors.Is(err, ErrInUse) {
			t.Errorf("%s begins anew: %v", name, err)
		}
	}
	if h, err := store.Header(); err != nil || h.Config.Budget != 9 {
		t.Errorf("the study of the store has a budget of %d: %v", h.Config.Budget, err)
	}
	if err := joins(first, 1); err != nil {
		t.Error(err)
	}
	if _, _, err := Replay(store); err != nil {
		t.Errorf("the store cannot be read: %v", err)
	}
}

// A study that has yielded is heard until another one has its store, and then no more, also of what it had collected before.
func TestAStudyThatYieldedIsHeardUntilAnotherHasItsStore(t *testing.T) {
	store := &Memory{}
	first, err := NewRecorder(newLoop(t, 9), store)
	if err != nil {
		t.Fatal(err)
	}
	first.Ahead()
	first.Yield()
	if err := joins(first, 1); err != nil {
		t.Error(err)
	}
	if _, err := NewRecorder(newLoop(t, 4), store); err == nil || errors.Is(err, ErrInUse) {
		t.Errorf("a store with a study begins anew: %v", err)
	}
	if err := joins(first, 2); err != nil {
		t.Errorf("a newcomer that could not begin has put an end to the study: %v", err)
	}
	if _, _, err := first.Step(0, loop.WorkerJoined{Worker: 3, Slots: 1}); err != nil {
		t.Error(err)
	}
	_, second, err := Resume(store)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Sync(); !errors.Is(err, ErrNotKept) || !errors.Is(err, ErrInUse) {
		t.Errorf("what had to wait is kept beside the study that goes on: %v", err)
	}
	if err := joins(second, 4); err != nil {
		t.Error(err)
	}
	if n := len(store.All()); n != 3 {
		t.Errorf("the store has %d events, want 3", n)
	}
}

// A study that nobody holds any more gives its store up.
func TestAStudyThatIsForgottenGivesItsStoreUp(t *testing.T) {
	store := &Memory{}
	if _, err := NewRecorder(newLoop(t, 9), store); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 100 {
		runtime.GC()
		var second *Recorder
		if _, second, err = Resume(store); err == nil {
			second.Yield()
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err != nil {
		t.Error(err)
	}
	for range 100 {
		runtime.GC()
		tenants.Lock()
		_, known := tenants.of[store]
		tenants.Unlock()
		if !known {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the store is never forgotten")
}
