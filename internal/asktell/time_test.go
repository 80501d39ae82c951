package asktell_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/policies"
)

func TestAttemptsThatTimeOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := small(t)
		o.Timeout, o.Retries = time.Minute, 1
		c := dial(t, server(t, exampleSpace(t), o))
		begin := time.Now()
		for id := 1; id <= 3; id++ {
			answer := c.do(`{"op":"ask"}`)
			if want := begin.Add(time.Minute).UTC().Format(time.RFC3339); !strings.Contains(answer, fmt.Sprintf(`"id":%d,"x"`, id)) || !strings.Contains(answer, `"deadline":"`+want+`"`) {
				t.Errorf("%s has no deadline %s", answer, want)
			}
		}
		time.Sleep(90 * time.Second)
		c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":1,"value":0.5}`) // would have been tried again
		c.must(`{"error":"nobody waits for attempt 1 at evaluation 2 any more; a value would count all the same","line":5}`, `{"op":"renew","id":2}`)
		if answer := c.do(`{"op":"ask","n":2}`); !strings.Contains(answer, `"id":2,"attempt":2`) || !strings.Contains(answer, `"id":3,"attempt":2`) {
			t.Errorf("tried again: %s", answer)
		}
		time.Sleep(1500 * time.Millisecond)
		c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":2,"attempt":1,"value":0.25}`)
		if answer := c.do(`{"op":"state"}`); !strings.Contains(answer, `"pending":[{"id":3,"attempt":2,`) || !strings.Contains(answer, `"age":91.5}]`) {
			t.Errorf("state: %s", answer)
		}
		time.Sleep(time.Minute)
		c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":3,"value":1}`)
		c.must(`{"ok":true,"repeated":true,"stands":"value 1"}`, `{"op":"cancel","id":3}`)
		c.hangUp()
	})
}

func TestLeases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := small(t)
		o.Lease = time.Minute
		c := dial(t, server(t, exampleSpace(t), o))
		c.do(`{"op":"ask","n":2}`)
		for range 3 {
			time.Sleep(50 * time.Second)
			c.must(`{"ok":true}`, `{"op":"renew","id":1,"attempt":1}`)
		}
		c.must(`{"error":"nobody waits for attempt 1 at evaluation 2 any more; a value would count all the same","line":5}`, `{"op":"renew","id":2}`)
		c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":2,"value":1}`)
		c.must(`{"ok":true}`, `{"op":"tell","id":1,"value":1}`)
		c.do(`{"op":"ask"}`)
		time.Sleep(61 * time.Second)
		c.must(`{"error":"nobody waits for attempt 1 at evaluation 3 any more; a value would count all the same","line":9}`, `{"op":"renew","id":3}`)
		c.hangUp()
	})
}

func TestValuesOutsideTheWindowAreLate(t *testing.T) {
	o := small(t)
	o.Window = tarry.Window{Rounds: 2}
	c := dial(t, server(t, exampleSpace(t), o))
	c.do(`{"op":"ask","n":6}`)
	c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":1,"value":1}`)
	c.must(`{"ok":true}`, `{"op":"tell","id":6,"value":1}`)
	c.hangUp()
}

// thinker is a policy during whose thoughts something happens.
type thinker struct{ meanwhile func() }

func (p thinker) Traits() policies.Traits { return policies.Traits{Name: "thinker"} }
func (p thinker) Propose(policies.View, int, *rand.Rand) ([]policies.Proposal, error) {
	p.meanwhile()
	return nil, errors.New("no idea")
}

// While the policy thinks, an attempt fails: who asked gets that one again, and what the policy chose waits for the next.
func TestAQueryThatWaits(t *testing.T) {
	var study *tarry.Study
	meanwhile := func() {
		if err := study.Fail(tarry.EvaluationID{Evaluation: 1, Attempt: 1}, errors.New("machine lost")); err != nil {
			t.Error(err)
		}
	}
	o := tarry.Options{Budget: 4, Initial: 1, Retries: 1, Policy: thinker{func() { meanwhile() }}}
	s := server(t, exampleSpace(t), o)
	study = s.Study.(*tarry.Study)
	c := dial(t, s)
	c.do(`{"op":"ask"}`)
	if answer := c.do(`{"op":"ask"}`); !strings.Contains(answer, `"id":1,"attempt":2`) {
		t.Errorf("asked meanwhile: %s", answer)
	}
	meanwhile = func() {}
	if answer := c.do(`{"op":"state"}`); !strings.Contains(answer, `{"id":2,"attempt":0,"x":`) || !strings.Contains(answer, `"age":0,"waiting":true}]`) {
		t.Errorf("state: %s", answer)
	}
	c.must(`{"error":"id = 2: want the number of a query that was given out; this one waits for an ask","line":4}`, `{"op":"tell","id":2,"value":1}`)
	c.must(`{"ok":true}`, `{"op":"fail","id":1}`)
	if answer := c.do(`{"op":"ask"}`); !strings.HasPrefix(answer, `{"queries":[{"id":2,"x"`) {
		t.Errorf("then: %s", answer)
	}
	c.hangUp()
}

// What is observed while a policy thinks waits until it is done.
func TestAnObservationThatWaits(t *testing.T) {
	const observation = `{"op":"observe","x":{"lr":0.1,"layers":3,"kind":"sgd"},"value":1}`
	var other *client
	done := make(chan bool)
	s := server(t, exampleSpace(t), tarry.Options{Budget: 4, Initial: 1, Policy: thinker{func() {
		go func() {
			defer close(done)
			other.must(`{"ok":true,"id":3}`, observation)
		}()
	}}})
	c := dial(t, s)
	other = dial(t, s)
	c.do(`{"op":"ask","n":2}`)
	<-done
	other.must(`{"ok":true,"id":4}`, observation)
	c.hangUp()
	other.hangUp()
}
