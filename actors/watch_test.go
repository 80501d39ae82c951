package actors

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/workers"
)

// A study whose loop waits for an attempt that nobody is at ends with an error that names it, and can be resumed.
func TestAStudyThatStandsStillSaysSo(t *testing.T) {
	inVirtualTime(t, func(t *testing.T) {
		config := plot(t, 10)
		config.Objective = lasting(time.Minute)
		store := &journal.Memory{}
		config.Journal, config.Resumable = store, true
		e := begin(t, config)
		e.system.Root.Send(e.pid, computed{loop.WorkerJoined{Worker: 50, Slots: 1}}) // of whom nobody but the loop knows
		began := time.Now()
		end := e.Wait()
		if !errors.Is(end.Err, ErrStalled) || !strings.Contains(end.Err.Error(), "attempt 1 at evaluation 2 on worker 50") {
			t.Fatalf("ended with %v", end.Err)
		}
		if took := time.Since(began); took > looksAlike*lookEvery+time.Second {
			t.Errorf("it was said after %v", took)
		}
		l, open, err := journal.Replay(store)
		if err != nil || l.Finished() || len(open) == 0 {
			t.Errorf("the journal: %v, finished %v, %d effects open", err, l.Finished(), len(open))
		}
	})
}

// Waiting is no standstill: for a slow objective, a slow policy, an answer that follows, a context, a worker, a pause.
func TestAStudyThatWaitsIsLeftAlone(t *testing.T) {
	const long = time.Hour
	for name, change := range map[string]func(*Config){
		"objective": func(c *Config) { c.Objective = lasting(long) },
		"policy":    func(c *Config) { c.Policy = pondering(long) },
		"deaf objective after its timeout": func(c *Config) {
			c.Study.Timeout, c.Study.Exclusive = time.Minute, true
			c.Objective = func(context.Context, workers.Task) (float64, error) { time.Sleep(long); return 1, nil }
		},
		"answer":  func(c *Config) { c.Objective = following },
		"workers": func(c *Config) { c.Objective, c.Workers = nil, 0 },
	} {
		inVirtualTime(t, func(t *testing.T) {
			config := plot(t, 3)
			change(&config)
			e := begin(t, config)
			time.Sleep(long / 2)
			select {
			case <-e.Ended():
				t.Errorf("%s: ended: %v", name, e.Wait().Err)
			default:
			}
			e.Stop("enough")
			if end := e.Wait(); end.Err != nil {
				t.Errorf("%s: %v", name, end.Err)
			}
			time.Sleep(2 * long)
		})
	}
}
