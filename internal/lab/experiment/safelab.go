package experiment

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// safeWorld is what a study of safe optimization meets: a list of candidates, with the truth about them.
type safeWorld struct {
	candidates []space.Unit
	objective  []float64 // at each candidate
	constraint []float64 // a candidate is safe where it is at least 0
	seed       int       // a candidate that is known to be safe
	noise      float64   // standard deviation of the noise of the objective
	blur       float64   // that of the constraint
	kernel     surrogate.Kernel
	nugget     float64 // variance of what the model takes for noise, at least; 0 means safeNugget
	mean       float64 // what the model takes off the objective
}

// safeMethod is how a study is kept safe.
type safeMethod struct {
	caution  func(safety.Account) (safety.Beta, error) // of the next query
	omega    float64                                   // answers below count as violations
	law      delay.Law                                 // in rounds; nil: each answer is known before the next query
	asSafe   bool                                      // whether pending queries count as safe ones
	seedFree bool                                      // whether queries of the seed are counted as safe at once; not so in the source
}

// promised is the caution of a promise.
func promised(p safety.Promise) func(safety.Account) (safety.Beta, error) {
	return func(a safety.Account) (safety.Beta, error) { return p.Beta(a), nil }
}

// safeQuery is a query without an answer.
type safeQuery struct {
	candidate, due int // the round of which the choice can use the answer
	f, q           float64
	awaited        bool // by the account
}

// safeStudy is one under way. Pending queries are believed to come out as expected, so that none is made twice in vain.
type safeStudy struct {
	safeWorld
	safeMethod
	on      [2]*surrogate.Posterior // objective and constraint, of the answers
	safe    []int                   // candidates whose answer was no violation, and the seed
	account safety.Account
	pending []safeQuery
	stream  *rand.Rand
}

// safeNugget is the variance of the noise in a model of what has none.
const safeNugget = 1e-6

// run makes so many queries and returns them, and the candidate that is recommended after each: of those whose answer was no violation
// the one with the greatest lower bound of the objective. The safe set itself is no place to recommend from: where the caution is 0 it
// is a guess, and where it is infinite the seed alone.
func (w safeWorld) run(m safeMethod, rounds int, seed uint64, step func()) (queries, answers []int, err error) {
	s := &safeStudy{safeWorld: w, safeMethod: m, stream: rng.New(seed, rng.Noise, 0)}
	pool := surrogate.NewPool(w.kernel, w.candidates, false)
	for i, sd := range []float64{w.noise, w.blur} {
		if s.on[i], err = (surrogate.Prior{Kernel: w.kernel, Noise: max(sd*sd, cmp.Or(w.nugget, safeNugget))}).Condition(nil, nil, pool); err != nil {
			return nil, nil, err
		}
	}
	s.learn(s.measure(w.seed))
	region, err := s.region()
	for t := 1; t <= rounds && err == nil; t++ {
		next, _ := region.Next()
		s.start(next, t, seed)
		s.settle(t + 1)
		if region, err = s.region(); err != nil {
			break
		}
		queries, answers = append(queries, next), append(answers, s.answer())
		step()
	}
	return queries, answers, err
}

func (s *safeStudy) measure(candidate int) safeQuery {
	f, q := s.stream.NormFloat64(), s.stream.NormFloat64()
	return safeQuery{candidate: candidate, f: s.objective[candidate] + s.noise*f, q: s.constraint[candidate] + s.blur*q}
}

func (s *safeStudy) learn(q safeQuery) {
	x := s.candidates[q.candidate]
	if q.candidate == s.seed || q.q >= s.omega {
		s.safe = append(s.safe, q.candidate)
	}
	s.on[0], s.on[1] = s.on[0].Append(x, q.f-s.mean), s.on[1].Append(x, q.q)
}

// start makes the query of round t.
func (s *safeStudy) start(candidate, t int, seed uint64) {
	q := s.measure(candidate)
	q.due = t + 1
	if s.law != nil {
		wait, arrives := s.law.Draw(rng.New(seed, rng.Delay, uint64(t)), delay.Case{X: s.candidates[candidate]})
		if q.due = math.MaxInt; arrives {
			q.due = t + max(int(math.Ceil(wait)), 1)
		}
	}
	if q.awaited = !s.asSafe && !(s.seedFree && candidate == s.seed); q.awaited {
		s.account.Start()
	} else {
		s.account.StartSafe()
	}
	s.pending = append(s.pending, q)
}

// settle learns the answers that are due.
func (s *safeStudy) settle(round int) {
	s.pending = slices.DeleteFunc(s.pending, func(q safeQuery) bool {
		if q.due > round {
			return false
		}
		s.learn(q)
		violated := q.q < s.omega
		if q.awaited {
			s.account.Answer(violated)
		} else if violated {
			s.account.Contradict()
		}
		return true
	})
}

// answerBeta is the caution about the objective of a recommendation, as in the source.
const answerBeta = 3

func (s *safeStudy) answer() int {
	best, bound := s.seed, math.Inf(-1)
	for _, i := range s.safe {
		if lower := s.on[0].PoolMean()[i] - answerBeta*math.Sqrt(s.on[0].PoolVariance()[i]); lower > bound {
			best, bound = i, lower
		}
	}
	return best
}

func (s *safeStudy) region() (safety.Region, error) {
	on := s.on
	for _, q := range s.pending {
		for i := range on {
			on[i] = on[i].Append(s.candidates[q.candidate], on[i].PoolMean()[q.candidate])
		}
	}
	beta, err := s.caution(s.account)
	return safety.Region{
		Objective: on[0], Constraints: []safety.Constraint{{Belief: on[1]}}, Seeds: []int{s.seed}, Beta: beta,
	}, err
}

// Curves of the experiments by queries, in percent; the last is a single number.
const (
	safeRate   = "violation_rate" // violations among the queries so far
	safeRatio  = "optimality"     // objective at the answer, of that at the best safe candidate; 0 where the answer is not safe
	safeBroken = "broken"         // 100 where more queries violated than was promised
)

// leastOptimum is the objective at the best safe candidate from which a ratio to it means something.
const leastOptimum = 0.5

// record measures a run under a promise.
func (w safeWorld) record(p safety.Promise, queries, answers []int) Record {
	best, violations := math.Inf(-1), 0
	for i, q := range w.constraint {
		if q >= 0 {
			best = max(best, w.objective[i])
		}
	}
	rate, ratio := make([]float64, len(queries)), make([]float64, len(queries))
	for t, next := range queries {
		if w.constraint[next] < 0 {
			violations++
		}
		rate[t] = 100 * float64(violations) / float64(t+1)
		if w.constraint[answers[t]] >= 0 {
			ratio[t] = 100 * w.objective[answers[t]] / max(best, leastOptimum)
		}
	}
	broken := 0.0
	if violations > p.Terms().Allowed {
		broken = 100
	}
	return Record{safeRate: rate, safeRatio: ratio, safeBroken: {broken}}
}

// safeArm is a study of safe optimization.
type safeArm struct {
	group, name string
	promise     safety.Promise // against which runs are measured
	world       func(seed uint64) (safeWorld, error)
	method      func(safeWorld) (safeMethod, error)
}

func (a safeArm) arm() Arm {
	return Arm{Group: a.group, Name: a.name, Steps: a.promise.Queries, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
		w, err := a.world(seed)
		if err != nil {
			return nil, err
		}
		m, err := a.method(w)
		if err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		queries, answers, err := w.run(m, a.promise.Queries, seed, step)
		if err != nil {
			return nil, err
		}
		return w.record(a.promise, queries, answers), nil
	}}
}

// The methods. SafeOpt keeps no promise of its own: it rests on a kernel that is right and a bound on the norm of the constraint.
const (
	armSafeOpt = "SafeOpt"
	armDSafe   = "d-safe-bocp"
	armPSafe   = "p-safe-bocp"
)

// safeOpt is SafeOpt for a constraint whose norm is at most bound, and that is measured with the noise of the world.
func safeOpt(bound float64, rounds int, wrong float64) func(safeWorld) (safeMethod, error) {
	return func(w safeWorld) (safeMethod, error) {
		gains, err := w.gains(rounds)
		return safeMethod{caution: func(a safety.Account) (safety.Beta, error) {
			return safety.NormBeta(bound, w.blur, gains[min(a.Started, rounds)], wrong)
		}}, err
	}
}

// gains are the information about the constraint, in nats, that 0, 1, 2, … greedy queries bring: at least 1 - 1/e of the largest.
func (w safeWorld) gains(rounds int) ([]float64, error) {
	out := make([]float64, rounds+1)
	if w.blur == 0 {
		return out, nil
	}
	p, err := (surrogate.Prior{Kernel: w.kernel, Noise: w.blur * w.blur}).Condition(nil, nil, surrogate.NewPool(w.kernel, w.candidates, false))
	for t := 1; t <= rounds && err == nil; t++ {
		at := 0
		for i, v := range p.PoolVariance() {
			if v > p.PoolVariance()[at] {
				at = i
			}
		}
		out[t] = out[t-1] + 0.5*math.Log1p(p.PoolVariance()[at]/p.Noise())
		p = p.Append(w.candidates[at], 0)
	}
	return out, err
}

// dSafe is D-SAFE-BOCP under a promise.
func dSafe(p safety.Promise) func(safeWorld) (safeMethod, error) {
	return func(safeWorld) (safeMethod, error) { return safeMethod{caution: promised(p)}, p.Validate() }
}

// pSafe is P-SAFE-BOCP under a promise that is to hold with that confidence.
func pSafe(p safety.Promise, confidence float64) func(safeWorld) (safeMethod, error) {
	return func(w safeWorld) (safeMethod, error) {
		band, err := safety.GaussianGuardBand(w.blur, p.Queries, confidence)
		return safeMethod{caution: promised(p), omega: band.Omega}, err
	}
}

// percentOf writes a share.
func percentOf(share float64) string { return fmt.Sprintf("%g %%", 100*share) }
