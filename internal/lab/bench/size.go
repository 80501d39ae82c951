package bench

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/loop"
)

// costs is what was measured at one number of answers. Times are in seconds; what was not measured is NaN.
type costs struct {
	n, rows, timed     int // answers, rows of the posterior, suggestions
	suggest            spread
	mean, share        float64 // mean of the suggestions; and with what a suggestion bears of the next fit
	model, search      float64 // medians of parts of a suggestion
	rebuild            float64 // median of first suggestions, whose factor is made from scratch
	withFit            float64 // median while a fit runs beside
	retarget           float64 // median
	fit                float64 // median
	fitEvaluations     int
	fitRows            int     // answers that its last evaluations looked at
	heapMB, heapPeakMB float64 // held at the end; most in use after a suggestion, garbage included
	allocated          float64 // bytes of a suggestion, median
}

// nan stands for what was not measured.
var nan = math.NaN()

// spread says how some values are distributed.
type spread struct{ median, p90, max float64 }

// spreadOf returns quantiles by rank: the least value that so many are not above; all NaN without values.
func spreadOf(values []float64) spread {
	if len(values) == 0 {
		return spread{nan, nan, nan}
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := func(q float64) float64 { return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)] }
	return spread{rank(.5), rank(.9), rank(1)}
}

func medianOf(values []float64) float64 { return spreadOf(values).median }

// sizing is the measurement of one size under way. A study that has grown too far from the size is left for another.
type sizing struct {
	benchmark
	n        int
	study    *study.Study
	fit      loop.Fit     // of n answers, as the loop asks for it
	hyper    *loop.Fitted // its result; nil for a policy without a model
	rebuilds []float64    // seconds
	studies  int
}

// size measures one number of answers.
func (b benchmark) size(ctx context.Context, n int, progress func(string)) (costs, error) {
	r := &sizing{benchmark: b, n: n}
	c := costs{n: n, retarget: nan, withFit: nan, fit: nan}
	before := heldHeap()
	if b.Policy.Traits().Model {
		progress("fit")
		if err := r.learn(ctx, &c); err != nil {
			return c, err
		}
	}
	progress("suggestions")
	if err := r.alone(ctx, &c); err != nil {
		return c, err
	}
	c.heapMB = max(float64(heldHeap())-float64(before), 0) / 1e6
	if r.hyper != nil {
		progress("suggestions beside a fit")
		if err := r.beside(ctx, &c); err != nil {
			return c, err
		}
	}
	c.rebuild = medianOf(r.rebuilds)
	c.share = c.mean
	if r.hyper != nil {
		c.share += (c.fit + max(c.rebuild-c.suggest.median, 0)) / (fitEvery * float64(n))
	}
	runtime.KeepAlive(r)
	return c, nil
}

// fitEvery is how many answers come from one fit to the next, as a share of those that there are.
const fitEvery = 0.2

// heldHeap is how many bytes are held after everything unreachable was freed.
func heldHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held as well
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// minDrift is how many suggestions a study makes at least before another takes its place.
const minDrift = 5

// next makes a suggestion at n answers, or up to a tenth more.
func (r *sizing) next(ctx context.Context) (study.Suggestion, error) {
	if err := ctx.Err(); err != nil {
		return study.Suggestion{}, err
	}
	if r.study == nil || r.study.Answers >= r.n+max(minDrift, r.n/10) {
		r.study = nil
		s, err := r.NewStudy(r.n, r.seed+uint64(r.studies))
		if err == nil {
			err = s.ReachFit(ctx, r.n, r.hyper)
		}
		if err != nil {
			return study.Suggestion{}, err
		}
		first, err := s.Suggest()
		if err != nil {
			return study.Suggestion{}, err
		}
		r.study, r.rebuilds = s, append(r.rebuilds, first.Total.Seconds())
		r.studies++
	}
	return r.study.Suggest()
}

// Without -repeats there are so many suggestions, as time allows.
const (
	fewSuggestions, manySuggestions = 5, 200
	timeForSuggestions              = time.Second
)

// enough reports whether so many suggestions, which took that long, will do.
func (b benchmark) enough(done int, spent time.Duration) bool {
	if b.repeats > 0 {
		return done >= b.repeats
	}
	return done >= manySuggestions || done >= fewSuggestions && spent >= timeForSuggestions
}

// alone times suggestions while nothing else goes on, and new targets for their posteriors.
func (r *sizing) alone(ctx context.Context, c *costs) error {
	var total, model, search, retarget, bytes []float64
	for spent := time.Duration(0); !r.enough(len(total), spent); {
		s, err := r.next(ctx)
		if err != nil {
			return err
		}
		spent += s.Total
		total, model, search = append(total, s.Total.Seconds()), append(model, s.Model.Seconds()), append(search, s.Search.Seconds())
		bytes = append(bytes, float64(s.Allocated))
		c.heapPeakMB = max(c.heapPeakMB, float64(s.InUse)/1e6)
		if p := s.View.Posterior; p != nil {
			c.rows = p.Len()
			y := p.Targets()
			for i := range y {
				y[i] = 1.001*y[i] + 0.001 // all of them, as a new answer does that moves the mean: none keeps its weight
			}
			begin := time.Now()
			p.Retarget(y)
			retarget = append(retarget, time.Since(begin).Seconds())
		}
	}
	c.timed, c.suggest, c.model, c.search = len(total), spreadOf(total), medianOf(model), medianOf(search)
	c.mean = stat.Of(total).Mean
	c.retarget, c.allocated = medianOf(retarget), medianOf(bytes)
	return nil
}

// beside times suggestions while fits of all answers run on one CPU more, one after the other.
func (r *sizing) beside(ctx context.Context, c *costs) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(r.cpus + 1))
	running, stop := make(chan struct{}), make(chan struct{})
	var fits sync.WaitGroup
	fits.Go(func() {
		close(running)
		for {
			select {
			case <-stop:
				return
			default:
				r.fit.Run()
			}
		}
	})
	defer fits.Wait()
	defer close(stop)
	<-running
	var total []float64
	for spent := time.Duration(0); !r.enough(len(total), spent); {
		s, err := r.next(ctx)
		if err != nil {
			return err
		}
		spent += s.Total
		total = append(total, s.Total.Seconds())
	}
	c.withFit = medianOf(total)
	return nil
}
