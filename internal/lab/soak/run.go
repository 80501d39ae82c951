package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/loop"
)

// record is what is kept of a study, and a line of the JSON output.
type record struct {
	Study     int           `json:"study"`
	Kind      string        `json:"kind"`
	Space     string        `json:"space"`
	Policy    string        `json:"policy"`
	Points    string        `json:"points"`
	Large     bool          `json:"large"`
	Known     bool          `json:"known_model"`
	Replayed  bool          `json:"replayed"`
	Active    int           `json:"active"` // most rows of the model; 0: the default
	Slots     int           `json:"slots"`
	Tells     int           `json:"tells"`
	Ended     string        `json:"ended"` // why; with fewer tells than were asked for, because no point was left
	Counters  loop.Counters `json:"counters"`
	Worst     float64       `json:"worst_proposal_s"`
	Seconds   float64       `json:"seconds"`
	Violation string        `json:"violation,omitempty"`
	stopped   bool          // told to stop before its end
}

// one plays a study.
func (s soaking) one(ctx context.Context, number int, tell func(n int)) record {
	begin := time.Now()
	t := s.draw(number)
	w, err := t.play(ctx, tell)
	o := record{
		Study: number, Kind: t.kind.Name, Space: t.domain.Name, Policy: t.config.Traits.Name, Points: t.points.String(),
		Large: t.large, Known: t.config.Model.Known(), Replayed: t.replay, Active: t.config.Model.Active, Worst: w.worst.Seconds(), Seconds: time.Since(begin).Seconds(),
	}
	for _, n := range t.slots {
		o.Slots += n
	}
	if w.Siege != nil {
		o.Tells, o.Counters = w.Tells, w.Loop.Counters()
		if w.Result != nil {
			o.Ended = w.Result.Reason
		}
	}
	if err != nil && errors.Is(err, ctx.Err()) {
		o.stopped = true
	} else if err != nil {
		o.Violation = err.Error()
	}
	return o
}

// perform plays all studies, prints what goes wrong as it comes, and the table in the end.
func (s soaking) perform(ctx context.Context, k console.Streams) (err error) {
	lines, closeLines, err := console.Lines(s.json, k)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLines()) }()
	w := console.Human(s.json, k)
	encoder := json.NewEncoder(lines)
	var tally tally
	numbers := s.numbers()
	bad := 0
	err = s.playAll(ctx, numbers, k.Stderr, func(o record) error {
		tally.add(o)
		if o.Violation != "" {
			bad++
			fmt.Fprintf(w, "study %d (%s values, space %s, policy %s, %s points): %s\nrepeat: %s\n",
				o.Study, o.Kind, o.Space, o.Policy, o.Points, o.Violation, s.commandLine(o.Study))
		}
		return encoder.Encode(o)
	})
	fmt.Fprintln(w, tally.table())
	fmt.Fprintf(w, "reproduce: %s\n", s.commandLine(s.study))
	switch {
	case err != nil:
		return err
	case bad > 0:
		return fmt.Errorf("%d of %s broke a rule", bad, console.Plural(tally.studies(), "study"))
	case tally.studies() < len(numbers):
		return console.Interrupted{State: fmt.Sprintf("%d of %s are complete, and only they are in the table", tally.studies(), console.Plural(len(numbers), "study"))}
	}
	return nil
}

// playAll plays the studies, so many at a time, and hands each record to emit as it comes. Studies that were told to stop
// are left out. An error of emit ends all of it.
func (s soaking) playAll(ctx context.Context, numbers []int, stderr io.Writer, emit func(record) error) error {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	next, done := make(chan int), make(chan record)
	go console.Feed(inner, next, len(numbers))
	var tells atomic.Int64
	var wait sync.WaitGroup
	for range min(s.parallel, len(numbers)) {
		wait.Go(func() {
			for i := range next {
				done <- s.one(inner, numbers[i], func(n int) { tells.Add(int64(n)) })
			}
		})
	}
	go func() {
		wait.Wait()
		close(done)
	}()
	p := progress{w: stderr, begin: time.Now(), studies: len(numbers), tells: s.total(numbers)}
	tick := time.NewTicker(console.PlainEvery)
	defer tick.Stop()
	var failure error
	for {
		select {
		case now := <-tick.C:
			p.report(now, int(tells.Load()))
		case o, more := <-done:
			if !more {
				return failure
			}
			if o.stopped || failure != nil {
				continue
			}
			p.complete++
			if failure = emit(o); failure != nil {
				cancel()
			}
		}
	}
}

// total is how many evaluations the studies have.
func (s soaking) total(numbers []int) int {
	n := 0
	for _, number := range numbers {
		n += s.evaluations(number)
	}
	return n
}
