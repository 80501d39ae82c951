package experiment

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
)

// Options say how a plan is performed.
type Options struct {
	Seed     uint64 // of the first run of each arm; the next have Seed+1, …
	Seeds    int    // runs of each arm
	Parallel int    // runs at once; changes the time only
	Store    *Store // where runs are kept and found again; nil: nowhere
	OnStep   func() // called for each step of a run, from many goroutines
	OnRun    func() // called for each run that is complete, from one goroutine
}

// Run is one run with its place.
type Run struct {
	Group  string
	Arm    string
	Seed   uint64
	Record Record
	Wall   time.Duration // on the clock, without what was prepared: the longer, the more runs go on at once and the busier the machine is
	AtOnce int           // as many runs went on at once, at most; 0: not known
}

type job struct {
	arm  int
	seed uint64
}

// Missing returns the number of runs that are not in the store, and their steps.
func (p Plan) Missing(o Options) (runs, steps int) {
	for _, j := range p.jobs(o) {
		runs, steps = runs+1, steps+p.Arms[j.arm].Steps
	}
	return runs, steps
}

// jobs lists the runs that are not there yet, seed by seed, so that what is complete at any moment can be compared.
func (p Plan) jobs(o Options) []job {
	var out []job
	for i := range o.Seeds {
		for arm, a := range p.Arms {
			seed := o.Seed + uint64(i)
			if o.Store == nil || !o.Store.has(a.Group, a.Name, seed) {
				out = append(out, job{arm, seed})
			}
		}
	}
	return out
}

// Validate reports every violation at once.
func (o Options) Validate() error {
	var l check.List
	l.Between("-seeds", o.Seeds, 1, 1_000_000)
	l.Between("-parallel", o.Parallel, 1, 1024)
	last := uint64(max(o.Seeds, 1) - 1)
	l.Require(o.Seed+last >= o.Seed, "-seed", o.Seed, fmt.Sprintf("seed + %d below 2^64, since %d seeds are wanted", last, o.Seeds))
	return l.Err()
}

// Perform does the runs that are missing and returns all of them. A run that fails is named in the error, and the others go on.
// When ctx ends, or the store cannot be written, it returns those that are complete with the error; what is in the store then
// will not be done again.
func (p Plan) Perform(ctx context.Context, o Options) (Results, error) {
	if err := o.Validate(); err != nil {
		return Results{}, err
	}
	results := newResults(p, o)
	jobs := p.jobs(o)
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	next, done := make(chan job), make(chan finished)
	go feed(inner, next, jobs)
	var wait sync.WaitGroup
	atOnce := min(o.Parallel, len(jobs))
	for range atOnce {
		wait.Go(func() {
			for j := range next {
				f := p.one(inner, j, o.OnStep)
				f.run.AtOnce = atOnce
				done <- f
			}
		})
	}
	go func() {
		wait.Wait()
		close(done)
	}()
	var failures []error
	for f := range done {
		err := f.err
		if err == nil {
			if err = results.take(f.run, o); err != nil {
				cancel() // nothing would be kept
			}
		} else if inner.Err() != nil { // it was told to stop
			err = nil
		}
		if err != nil && len(failures) < mostFailures {
			failures = append(failures, fmt.Errorf("%s, %s, seed %d: %w", f.run.Group, f.run.Arm, f.run.Seed, err))
		}
	}
	return results, errors.Join(append(failures, ctx.Err())...)
}

// mostFailures bounds how many runs that failed are named.
const mostFailures = 20

// finished is the end of a run.
type finished struct {
	run Run
	err error
}

func feed(ctx context.Context, next chan<- job, jobs []job) {
	defer close(next)
	for _, j := range jobs {
		select {
		case next <- j:
		case <-ctx.Done():
			return
		}
	}
}

func (p Plan) one(ctx context.Context, j job, step func()) (f finished) {
	if step == nil {
		step = func() {}
	}
	arm := p.Arms[j.arm]
	f.run = Run{Group: arm.Group, Arm: arm.Name, Seed: j.seed}
	defer func() {
		if r := recover(); r != nil {
			f.err = fmt.Errorf("panic: %v", r)
		}
	}()
	if arm.Prepare != nil {
		if f.err = arm.Prepare(j.seed); f.err != nil {
			return f
		}
	}
	begin := time.Now()
	f.run.Record, f.err = arm.Run(ctx, j.seed, step)
	f.run.Wall = time.Since(begin)
	return f
}

// take keeps a run.
func (r Results) take(run Run, o Options) error {
	r.runs[place{run.Group, run.Arm, run.Seed}] = run
	if o.Store != nil {
		if err := o.Store.append(run); err != nil {
			return err
		}
	}
	if o.OnRun != nil {
		o.OnRun()
	}
	return nil
}
