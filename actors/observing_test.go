package actors

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// observe brings a value from elsewhere, and returns which evaluation it was said to be.
func (e *Engine) observe(t *testing.T, value float64) int {
	r, err := e.Answer(Observation{X: []float64{.5, .25}, Value: value})
	if err != nil {
		t.Error(err)
	}
	return r.Evaluation
}

// Whoever brings values while the policy chooses hears which evaluations they are: the ones with these values.
func TestAnObservationIsAnsweredWithTheNumberOfItsEvaluation(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 30)
		c.Policy, c.Objective, c.Workers = pondering(time.Second), lasting(1700*time.Millisecond), 1
		c.Study.Traits = c.Policy.Traits()
		e := begin(t, c)
		numbers, waited := map[float64]int{}, 0
		var mutex sync.Mutex
		var all sync.WaitGroup
		for k := range 20 {
			time.Sleep(300 * time.Millisecond)
			all.Go(func() {
				began := time.Now()
				n := e.observe(t, float64(100+k))
				mutex.Lock()
				defer mutex.Unlock()
				if numbers[float64(100+k)] = n; time.Since(began) > 0 {
					waited++
				}
			})
		}
		all.Wait()
		evaluations := e.ends().Result.Evaluations
		for value, n := range numbers {
			if n < 1 || n > len(evaluations) || !evaluations[n-1].Foreign || evaluations[n-1].Value != value {
				t.Errorf("the value %v is said to be evaluation %d of %d", value, n, len(evaluations))
			}
		}
		if waited == 0 || waited == len(numbers) {
			t.Errorf("%d of %d waited for the policy", waited, len(numbers))
		}
	})
}

// A study that is paused while the policy chooses keeps what is observed then, and does not let whoever observed it wait for the one that resumes it.
func TestAnObservationDoesNotWaitForWhoeverResumesTheStudy(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		c := plot(t, 9)
		store := &journal.Memory{}
		c.Policy, c.Objective, c.Workers, c.Journal, c.Resumable = pondering(30*time.Second), lasting(10*time.Second), 2, store, true
		c.Study.Traits = c.Policy.Traits()
		e, err := Start(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second) // the policy has begun
		got := make(chan int, 2)
		go func() { got <- e.observe(t, 7) }()
		synctest.Wait()
		if len(got) > 0 {
			t.Fatal("it was answered before it has a number")
		}
		e.Pause(false)
		synctest.Wait()
		go func() { got <- e.observe(t, 8) }()
		synctest.Wait()
		if len(got) != 2 || <-got != 0 || <-got != 0 {
			t.Error("whoever observes waits for a study that is paused, or hears of a number that is not there")
		}
		e.Wait()
		l, _, err := journal.Resume(store)
		if err != nil || l.Waiting() != 2 {
			t.Fatal(l.Waiting(), err)
		}
		if _, err := l.Step(loop.Stamped{Seq: uint64(len(store.All()) + 1), Event: loop.ProposeFailed{Ask: 1}}); err != nil {
			t.Fatal(err)
		}
		for k, want := range []float64{7, 8} {
			if n, is := l.Admitted(k + 1); !is || l.Evaluations()[n-1].Value != want {
				t.Errorf("observation %d is evaluation %d", k+1, n)
			}
		}
	})
}
