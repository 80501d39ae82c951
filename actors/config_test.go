package actors

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

func TestAConfigurationReportsEveryViolation(t *testing.T) {
	worst := Config{
		Study:     loop.Config{Initial: -1, Timeout: -time.Second, Retries: 101},
		Objective: following,
		Workers:   5000,
		Grace:     -time.Minute,
	}
	const want = "Config.Policy = <nil>: want a policy\n" +
		"Config.Space = empty: want a space made by NewSpace or NewList of package tarry, or by space.New or space.List\n" +
		"Config.Budget = 0: want 1 ≤ Budget ≤ 100000\n" +
		"Config.Initial = -1: want 0 ≤ Initial ≤ 100000; 0 means 2 d + 1, at most 18 and half the budget; with auto 5, at most a third of the budget and a tenth of a finite space, or with a fidelity at least 10 or a quarter\n" +
		"Config.Timeout = -1s: want a duration ≥ 0; 0 means as long as it takes\n" +
		"Config.Retries = 101: want 0 ≤ Retries ≤ 100\n" +
		"Config.Workers = 5000: want 0 ≤ Workers ≤ 1024\n" +
		"Config.Grace = -1m0s: want a duration ≥ 0; 0 means 5s"
	if err := worst.Validate(); err == nil || err.Error() != want || !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if e, err := Start(context.Background(), worst); e != nil || err == nil || err.Error() != want {
		t.Errorf("start: %v, %v", e, err)
	}
	if props, err := New(context.Background(), worst); props != nil || err == nil || err.Error() != want {
		t.Errorf("new: %v, %v", props, err)
	}
}

func TestWorkersAndAnObjectiveGoTogether(t *testing.T) {
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) {}, ""},
		{func(c *Config) { c.Objective, c.Workers = nil, 0 }, ""},
		{func(c *Config) { c.Objective = nil }, "Config.Workers = 1: want 0 without an Objective"},
		{func(c *Config) { c.Workers = 0 }, "Config.Workers = 0: want 1 ≤ Workers ≤ 1024 with an Objective"},
		{func(c *Config) { c.Workers = -2 }, "Config.Workers = -2: want 0 ≤ Workers ≤ 1024"},
		{func(c *Config) { c.Workers = loop.MaxWorkers }, ""},
		{func(c *Config) { c.Workers = loop.MaxWorkers + 1 }, "Config.Workers = 1025: want 0 ≤ Workers ≤ 1024"},
	} {
		config := plot(t, 1)
		c.change(&config)
		got := ""
		if err := config.Validate(); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The policy says what the study must know about it. A study that says otherwise is of another policy.
func TestTraitsAreThoseOfThePolicy(t *testing.T) {
	c := plot(t, 1)
	c.Study.Traits = policies.Traits{}
	d, err := NewDriver(c)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Loop().Config().Traits; !got.Equal(c.Policy.Traits()) {
		t.Errorf("traits %+v", got)
	}
	c.Study.Traits = policies.Traits{Name: "another", Model: true}
	if _, err := NewDriver(c); err == nil || !strings.Contains(err.Error(), `"another"`) || !strings.Contains(err.Error(), `"random"`) {
		t.Errorf("error %v, want both names in it", err)
	}
}
