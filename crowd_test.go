package tarry_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
)

// Eight askers share a study with contexts, failures, timeouts, retries and batches. Each gets the query for his context
// or one that is to be tried again; none is given twice; the study comes to its end.
func TestACrowdOfAskers(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("hour", 0, 1).AsContext(), tarry.Float("price", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(16) {
		o := tarry.Options{Budget: 30, Initial: 3, Seed: seed, Timeout: 2 * time.Millisecond, Retries: int(seed % 4), Policy: policy(t, "random")}
		if seed%2 == 0 {
			o.Barrier = 4
		}
		if seed%8 == 3 {
			o.Policy = nil
		}
		study, err := tarry.NewStudy(s, o)
		if err != nil {
			t.Fatal(err)
		}
		c := crowd{study: study, given: map[tarry.EvaluationID]bool{}}
		var group sync.WaitGroup
		for k := range uint64(8) {
			group.Go(func() {
				if err := c.asker(rand.New(rand.NewPCG(seed, k))); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			})
		}
		group.Wait()
		if r := study.Result(); len(r.Evaluations) != 30 || r.Count(tarry.Pending) > 0 {
			t.Errorf("seed %d: %v", seed, r)
		}
	}
}

type crowd struct {
	study *tarry.Study
	mutex sync.Mutex
	given map[tarry.EvaluationID]bool
}

// asker asks until the study has ended, and answers, fails, or forgets what it is given.
func (c *crowd) asker(stream *rand.Rand) error {
	for {
		hour := stream.Float64()
		q, err := c.study.Ask(hour)
		switch {
		case errors.Is(err, tarry.ErrEnded):
			return nil
		case errors.Is(err, tarry.ErrBudgetSpent), errors.Is(err, tarry.ErrAwaiting):
			time.Sleep(100 * time.Microsecond)
			continue
		case err != nil:
			return err
		}
		if err := c.check(q, hour); err != nil {
			return err
		}
		switch stream.IntN(4) {
		case 0:
			err = c.study.Fail(q.ID, errors.New("till broken"))
		case 1: // nobody hears of it again
		default:
			err = c.study.Tell(q.ID, q.Float("price"))
		}
		if err != nil && !errors.Is(err, tarry.ErrContradiction) {
			return err
		}
	}
}

func (c *crowd) check(q tarry.Query, hour float64) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.given[q.ID] {
		return fmt.Errorf("query %v was given twice", q.ID)
	}
	c.given[q.ID] = true
	if q.ID.Attempt == 1 && q.Float("hour") != hour {
		return fmt.Errorf("query %v is for hour %v, asked for %v", q.ID, q.Float("hour"), hour)
	}
	return nil
}
