package comparison

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// result is what is kept of one run.
type result struct {
	job
	simple, cumulative []float64   // by queries after the initial ones; see sim.Performance
	values             []float64   // observed value of the best query known then; NaN before the first answer
	best               space.Point // configuration of the last of them, in user units; nil without an answer
	answered, late     int         // evaluations with a value, and those of them whose value was late
	fallbacks          int         // queries chosen uniformly because the policy failed
	coverage           loop.Coverage
	noise              float64 // standard deviation
	initial            int     // queries before the ones that count
	wall               time.Duration
}

// simulator is sim.Run, or its stand-in in tests.
type simulator func(context.Context, sim.Scenario, ...sim.Observer) (sim.Performance, error)

// one simulates a job. It calls started for every query that is sent out.
func (c comparison) one(ctx context.Context, run simulator, j job, started func()) (result, error) {
	begin := time.Now()
	scenario, err := c.scenario(j)
	if err != nil {
		return result{}, err
	}
	outcome, err := run(ctx, scenario, sim.Dispatches(started))
	if err != nil {
		return result{}, err
	}
	r := result{
		job: j, simple: outcome.SimpleRegret, cumulative: outcome.CumulativeRegret,
		late: outcome.Result.Counters.LateValues, fallbacks: outcome.Result.Counters.Fallbacks,
		coverage: outcome.Result.Coverage, noise: scenario.Noise, initial: scenario.Config().Initial, wall: time.Since(begin),
	}
	for _, e := range outcome.Result.Evaluations {
		if e.Status.Valued() {
			r.answered++
		}
	}
	r.values = make([]float64, len(outcome.Best))
	for k, number := range outcome.Best {
		r.values[k] = nan
		if number > 0 {
			e := outcome.Result.Evaluations[number-1]
			r.values[k], r.best = e.Value, scenario.Problem.Space.Value(e.X)
		}
	}
	return r, nil
}

// runAll simulates all jobs, so many at a time, and hands each result to emit as soon as those before it are there. It
// returns the results in the order of the jobs: all of them, or with an error those that were complete. A context that
// ends gives the error interrupted.
func (c comparison) runAll(ctx context.Context, run simulator, m console.Meter, emit func(result) error) ([]result, error) {
	jobs := c.jobs()
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	next, finished := make(chan int), make(chan finish)
	go console.Feed(inner, next, len(jobs))
	var wait sync.WaitGroup
	for range min(c.parallel, len(jobs)) {
		wait.Go(func() {
			for i := range next {
				r, err := c.one(inner, run, jobs[i], m.Query)
				finished <- finish{i, r, err}
			}
		})
	}
	go func() {
		wait.Wait()
		close(finished)
	}()

	queue := inOrder{results: make([]*result, len(jobs)), emit: emit}
	var failure error
	for f := range finished {
		err := f.err
		switch {
		case err == nil:
			m.Run()
			err = queue.add(f.index, f.result)
		case inner.Err() != nil: // it was told to stop
			err = nil
		default:
			err = fmt.Errorf("%s: %w", c.label(jobs[f.index]), err)
		}
		if err != nil && failure == nil {
			failure = err
			cancel()
		}
	}
	if err := queue.flush(); failure == nil {
		failure = err
	}
	done := queue.done()
	if failure == nil && len(done) < len(jobs) {
		failure = console.Interrupted{State: fmt.Sprintf("%d of %d runs are complete, and only they are in the results", len(done), len(jobs))}
	}
	return done, failure
}

// finish is the end of a job.
type finish struct {
	index  int
	result result
	err    error
}

// label names a run in an error.
func (c comparison) label(j job) string {
	return fmt.Sprintf("problem %s, policy %s, seed %d", c.problems[j.problem].name, c.policies[j.policy].Name, c.seed+uint64(j.seed))
}

// inOrder passes results on in the order of their places, whatever the order in which they come, until emit fails.
type inOrder struct {
	results []*result
	passed  int // places that were passed on, or passed over
	emit    func(result) error
	err     error
}

// add takes the result of a place and passes on what no longer waits for anything.
func (q *inOrder) add(index int, r result) error {
	q.results[index] = &r
	for q.err == nil && q.passed < len(q.results) && q.results[q.passed] != nil {
		q.err = q.emit(*q.results[q.passed])
		q.passed++
	}
	return q.err
}

// flush passes on what waits behind results that will never come.
func (q *inOrder) flush() error {
	for ; q.err == nil && q.passed < len(q.results); q.passed++ {
		if r := q.results[q.passed]; r != nil {
			q.err = q.emit(*r)
		}
	}
	return q.err
}

// done is every result that came, in order.
func (q *inOrder) done() []result {
	var out []result
	for _, r := range q.results {
		if r != nil {
			out = append(out, *r)
		}
	}
	return out
}
