package safety

import (
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

// world is one random study under a promise: workers, delays, losses, and constraints that may be an enemy.
type world struct {
	promise  Promise
	queries  int // how many start in all, more than promised where lost ones are replaced
	workers  int
	delay    float64 // mean, in queries
	loss     float64 // probability that an answer is not expected any more after its delay
	returns  float64 // probability that it comes after all, later
	literal  bool    // safe queries are counted like all others, as the source does
	violates func(r *rand.Rand, round int) bool
}

// flight is a query whose answer has not come.
type flight struct {
	comes      float64
	lost, safe bool
	violated   bool
}

func drawWorld(r *rand.Rand) world {
	w := world{
		promise: Promise{Alpha: r.Float64() * r.Float64(), Queries: 1 + r.IntN(80), Eta: []float64{0, .05, .5, 2, 10}[r.IntN(5)], Delta: []float64{0, 0, -1, .5, .95}[r.IntN(5)]},
		workers: 1 + r.IntN(12), delay: 8 * r.Float64(), literal: r.IntN(2) == 0, returns: r.Float64(),
	}
	if r.IntN(2) == 0 {
		w.promise.Alpha = float64(1+r.IntN(6)) / 10 // products that are whole numbers
	}
	if r.IntN(3) > 0 {
		w.loss = .4 * r.Float64()
	}
	w.queries = w.promise.Queries * (2 + r.IntN(3)) / 2
	rate, burst := r.Float64(), 1+r.IntN(10)
	w.violates = []func(*rand.Rand, int) bool{
		func(*rand.Rand, int) bool { return true }, // whenever it may
		func(r *rand.Rand, _ int) bool { return r.Float64() < rate },
		func(_ *rand.Rand, round int) bool { return round/burst%2 == 1 }, // in bursts
		func(_ *rand.Rand, round int) bool { return round > w.promise.Queries/2 },
	}[r.IntN(4)]
	return w
}

// play returns the true violations under a way to see the account.
func (w world) play(r *rand.Rand, beta func(Account) Beta) (violations int) {
	var a Account
	var pending []flight
	for round := range w.queries {
		for {
			var still []flight
			open := 0
			for _, f := range pending {
				if f.comes <= float64(round) {
					w.tell(r, &a, &f)
				}
				if f.comes > float64(round) {
					still = append(still, f)
					if !f.lost {
						open++
					}
				}
			}
			if pending = still; open < w.workers {
				break
			}
			pending[r.IntN(len(pending))].comes = float64(round) // wait for one of them
		}
		f := flight{comes: float64(round) + w.delay*r.ExpFloat64(), safe: beta(a).Infinite}
		if !f.safe && w.violates(r, round) {
			f.violated = true
			violations++
		}
		if f.safe && !w.literal {
			a.StartSafe()
			continue
		}
		a.Start()
		pending = append(pending, f)
	}
	return violations
}

// tell brings an answer, or loses it, in which case it may come later or never.
func (w world) tell(r *rand.Rand, a *Account, f *flight) {
	switch {
	case f.lost:
		a.Lost--
		a.Answer(f.violated)
	case r.Float64() >= w.loss:
		a.Answer(f.violated)
	default:
		a.Lose()
		f.lost = true
		f.comes = 1e9
		if r.Float64() < w.returns {
			f.comes = float64(w.queries) * r.Float64() * 2
		}
	}
}

func TestThePromiseIsKeptInEveryWorld(t *testing.T) {
	full, worlds := 0, uint64(10_000)
	if raced {
		worlds = 2_000
	}
	for seed := range worlds {
		r := rng.New(seed, rng.Test, 1)
		w := drawWorld(r)
		if err := w.promise.Validate(); err != nil {
			t.Fatal(err)
		}
		terms := w.promise.Terms()
		violations := w.play(r, func(a Account) Beta {
			beta := w.promise.Beta(a)
			// The count of what is allowed is there for round-off alone; the promise does not rest on it.
			if delta := w.promise.delta(terms, a); terms.Allowed > 0 && a.Counted() >= terms.Allowed && delta < 1-1e-9 {
				t.Fatalf("seed %d: %+v with %+v has delta %v", seed, w.promise, a, delta)
			}
			return beta
		})
		if violations > 0 && !(float64(violations) < w.promise.below()) || violations > terms.Allowed {
			t.Errorf("seed %d: %d violations under %+v, %+v", seed, violations, w.promise, terms)
		}
		if violations > 0 && violations == terms.Allowed {
			full++
		}
	}
	if full < int(worlds/10) {
		t.Errorf("only %d worlds use what they are allowed: nothing was tested", full)
	}
}

// Without the count of pending queries the same worlds violate more than was promised.
func TestPendingQueriesThatCountAsSafeBreakThePromise(t *testing.T) {
	broken, affordable := 0, 0
	for seed := range uint64(2_000) {
		r := rng.New(seed, rng.Test, 1)
		w := drawWorld(r)
		if w.promise.Terms().Allowed == 0 {
			continue
		}
		affordable++
		violations := w.play(r, func(a Account) Beta {
			a.Pending, a.Lost = 0, 0
			return w.promise.Beta(a)
		})
		if violations > w.promise.Terms().Allowed {
			broken++
		}
	}
	if broken < affordable/3 {
		t.Errorf("%d of %d worlds break the promise", broken, affordable)
	}
	t.Logf("%d of %d worlds break the promise", broken, affordable)
}

// Safe queries that count while they are pending hold a study back for nothing.
func TestSafeQueriesThatDoNotCountLeaveMoreFreedom(t *testing.T) {
	free := map[bool]int{}
	for seed := range uint64(300) {
		for _, literal := range []bool{false, true} {
			r := rng.New(seed, rng.Test, 2)
			w := drawWorld(r)
			w.literal = literal
			w.violates = func(*rand.Rand, int) bool { return false }
			w.play(r, func(a Account) Beta {
				beta := w.promise.Beta(a)
				if !beta.Infinite {
					free[literal]++
				}
				return beta
			})
		}
	}
	if free[false] <= free[true] {
		t.Errorf("%d free queries, %d where safe ones count", free[false], free[true])
	}
	t.Logf("%d free queries, %d where safe ones count", free[false], free[true])
}

// With noise a violation is hidden where the noise is large. The worst enemy violates by as little as it can, at every query.
func TestThePromiseIsKeptWithTheConfidenceOfTheMargin(t *testing.T) {
	const runs, sigma, confidence = 4000, .5, .9
	p := Promise{Alpha: .2, Queries: 25, Eta: 2}
	margin, err := GaussianGuardBand(sigma, p.Queries, confidence)
	if err != nil {
		t.Fatal(err)
	}
	broken := func(m GuardBand) (n int) {
		for seed := range uint64(runs) {
			r := rng.New(seed, rng.Test, 3)
			var a Account
			violations := 0
			for range p.Queries {
				q := -1e-9
				if p.Beta(a).Infinite {
					q = 10 * sigma
				} else {
					violations++
				}
				a.Start()
				a.Answer(m.Violates(q + sigma*r.NormFloat64()))
			}
			if violations > p.Terms().Allowed {
				n++
			}
		}
		return n
	}
	if n := broken(margin); float64(n) > (1-confidence)*runs {
		t.Errorf("the promise is broken in %d of %d runs", n, runs)
	}
	if n := broken(GuardBand{}); float64(n) < .5*runs {
		t.Errorf("without a margin the promise is broken in only %d of %d runs", n, runs)
	}
}
