package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// arrivals are answers to queries of these rounds, first seen by those, with these values. All are of the policy.
func arrivals(of ...[3]float64) (out []Answer) {
	for i, a := range of {
		out = append(out, Answer{Query: Query{Number: i + 1, Round: int(a[0])}, Seen: int(a[1]), Value: a[2], Forecast: &Forecast{}})
	}
	return out
}

// A script by hand: three successes double the side, two failures halve it, and what was chosen before that counts for neither.
func TestATrustRegionCountsArrivals(t *testing.T) {
	rules := tolerances{side: 0.4, successes: 3, failures: 2}
	v := View{Space: cube(t, 2), History: arrivals(
		[3]float64{1, 2, 1}, [3]float64{2, 3, 2}, [3]float64{3, 4, 3}, // three successes: 0.8 from round 4 on
		[3]float64{3, 5, 0}, [3]float64{2, 6, 0}, // chosen before
		[3]float64{4, 7, 1}, [3]float64{5, 8, 3}, // two failures, the second as good as the best: 0.4 from round 8 on
		[3]float64{7, 9, 9},                              // chosen before: it is the best now, and no success
		[3]float64{8, 10, 9.001}, [3]float64{9, 11, 9.5}, // not better by a thousandth of the distance to the median: a failure; a success
		[3]float64{10, 12, 1}, [3]float64{10, 12, 1}, // two failures: 0.2
	)}
	sides := []float64{0.4, 0.4, 0.8, 0.8, 0.8, 0.8, 0.4, 0.4, 0.4, 0.4, 0.4, 0.2}
	successes := []int{1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}
	failures := []int{0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1, 0}
	all := v.History
	for n := range all {
		v.History = all[:n+1]
		if r := rules.trust(v); r.side != sides[n] || r.successes != successes[n] || r.failures != failures[n] {
			t.Errorf("after %d answers: side %v, %d successes and %d failures, want %v, %d, %d", n+1, r.side, r.successes, r.failures, sides[n], successes[n], failures[n])
		}
	}
	all[11].Forecast = nil
	if r := rules.trust(v); r.side != 0.4 || r.failures != 1 {
		t.Errorf("a query that the policy did not choose made it %v, %d failures", r.side, r.failures)
	}
	all[1].Infeasible, v.History = true, all[:2]
	if r := rules.trust(v); r.best != 1 || r.failures != 1 {
		t.Errorf("an infeasible query made %v the best, %d failures", r.best, r.failures)
	}
}

// ledger counts successes and failures in the dumbest way: for each answer all of those before it are looked at again.
func ledger(rules tolerances, history []Answer) (side float64, since, restarts, begun int) {
	side = rules.side
	run := 0 // successes in a row; below 0 failures
	for i, a := range history {
		var before []float64
		for _, b := range history[:i] {
			if b.Query.Round >= begun {
				before = append(before, b.Value)
			}
		}
		if a.Query.Round < begun || a.Query.Round < since {
			continue
		}
		slices.Sort(before)
		n := len(before)
		if n == 0 || a.Value > before[n-1] && a.Value-before[n-1] > 0.001*(before[n-1]-before[n/2]) {
			run = max(run, 0) + 1
		} else {
			run = min(run, 0) - 1
		}
		switch {
		case run == rules.successes:
			side, since, run = math.Min(2*side, 1.6), a.Seen, 0
		case run == -rules.failures:
			side, since, run = side/2, a.Seen, 0
		}
		if side < 0.0078125 {
			side, since, begun, run, restarts = rules.side, a.Seen, a.Seen, 0, restarts+1
		}
	}
	return side, since, restarts, begun
}

func TestTheStateOfATrustRegionIsThatOfTheLedger(t *testing.T) {
	restarts, wide := 0, 0
	for seed := range uint64(60) {
		stream := rng.New(seed, rng.Test, 92)
		rules := tolerances{side: 0.8, successes: 2, failures: 2 + stream.IntN(3)}
		var of [][3]float64
		for k := range 150 {
			value := stream.NormFloat64()
			if seed%2 == 0 {
				value += float64(k)
			}
			of = append(of, [3]float64{float64(k + 1), float64(k + 2 + stream.IntN(6)), value})
		}
		slices.SortStableFunc(of, func(a, b [3]float64) int { return int(a[1] - b[1]) })
		v := View{Space: cube(t, 2), History: arrivals(of...)}
		r := rules.trust(v)
		side, since, again, begun := ledger(rules, v.History)
		if r.side != side || r.since != since || r.restarts != again || r.begun != begun {
			t.Errorf("seed %d: side %v since %d, %d starts since %d, want %v, %d, %d, %d", seed, r.side, r.since, r.restarts, r.begun, side, since, again, begun)
		}
		restarts += again
		if side > 0.8 {
			wide++
		}
	}
	if restarts < 5 || wide < 5 {
		t.Errorf("%d new starts, %d regions wider than at first", restarts, wide)
	}
}

// Lengthscales 0.1 and 0.4 have the geometric mean 0.2: a region of side 0.1 is 0.05 wide and 0.2 high.
// An int of eleven values has one every 0.09: the neighbors, into whose steps the region reaches, are in it.
func TestABoxIsAsLongAsTheLengthscalesAreToEachOther(t *testing.T) {
	s := must.Get(space.New(space.Float("x", 0, 1), space.Categorical("kind", "a", "b", "c"), space.Float("y", 0, 1), space.Int("n", 0, 10)))(t)
	prior := shortPrior(4)
	prior.Kernel = prior.Kernel.WithValues([]float64{0.1, 7, 0.4, 0.2, 1})
	v := View{Space: s}
	v.Posterior = must.Get(prior.Condition(nil, nil, nil))(t)
	n := s.Parameter(3)
	b := v.boxAround(space.Unit{0.5, 0.5, 0.95, n.Unit(5)}, 0.1)
	for k, want := range [][2]float64{{0.475, 0.525}, {0, 1}, {0.85, 1}, {n.Unit(4), n.Unit(6)}} {
		must.Near(t, "lower side", b.lower[k], want[0], 1e-12)
		must.Near(t, "upper side", b.upper[k], want[1], 1e-12)
	}
}

// What is proposed lies in the box around the greatest mean, for both utilities and in any space.
func TestProposalsAreInTheTrustRegion(t *testing.T) {
	spaces := []space.Space{
		cube(t, 1), cube(t, 6), cube(t, 30),
		must.Get(space.New(space.Float("x", 0, 1), space.Categorical("kind", "a", "b"), space.Int("n", 0, 40), space.LogFloat("rate", 1e-5, 1).When("kind", "a")))(t),
		lineOf(t, 200),
	}
	for i, s := range spaces {
		x, y, seen := historyOf(s, 24, uint64(i))
		v := told(t, s, shortPrior(s.Dim()), feedback.Hallucinate, x, y, seen)
		for _, p := range []TuRBO{
			{Pending: feedback.Hallucinate, Length: 0.1, Successes: 99, Failures: 99}, {Pending: feedback.Hallucinate, Length: 0.1, Successes: 99, Failures: 99, Of: TrustImprovement},
		} {
			r, center := p.locate(v)
			proposals := must.Get(p.Propose(v, 3, rng.New(1, rng.Test, 5)))(t)
			for _, q := range proposals[:1] { // the model of the others has the first as pending
				if b := v.boxAround(center, r.side); !b.has(q.X) || r.side != 0.1 {
					t.Errorf("space %d: %v is not in %v … %v", i, q.X, b.lower, b.upper)
				}
			}
			for k, q := range proposals {
				for _, o := range proposals[:k] {
					if slices.Equal(q.X, o.X) {
						t.Errorf("space %d: %v twice", i, q.X)
					}
				}
			}
		}
	}
}

// On a list the query is the best point of the box, and the box grows where all of its points are known.
func TestOnAListTheBoxGrowsUntilAPointIsFree(t *testing.T) {
	s := lineOf(t, 101)
	var x []space.Unit
	var y []float64
	var seen []int
	for i := 40; i <= 60; i++ {
		x, y, seen = append(x, s.UnitPoints()[i]), append(y, -math.Abs(float64(i)-50)/10), append(seen, i-38)
	}
	v := told(t, s, shortPrior(1), feedback.Ignore, x, y, seen)
	v.Quiet = true
	p := TuRBO{Length: 0.05, Failures: 100, Of: TrustImprovement, Pending: feedback.Ignore}
	f, best := v.improvable(), math.Inf(-1)
	for i := 30; i <= 70; i++ { // of side 0.4: those of side 0.05, 0.1 and 0.2 are known
		if i < 40 || i > 60 {
			best = max(best, f.Value(s.UnitPoints()[i]))
		}
	}
	got := must.Get(p.Propose(v, 1, rng.New(1, rng.Test, 6)))(t)[0].X
	if math.Abs(got[0]-0.5) > 0.2+1e-9 || math.Abs(got[0]-0.5) < 0.11-1e-9 || f.Value(got) < best-1e-9 {
		t.Errorf("%v is worth %v, the best of the box %v", got, f.Value(got), best)
	}
}

// A region that is too narrow starts again: 2 d uniform points without a forecast, and then around the best of those that have an answer.
func TestANewTrustRegionKnowsItsOwnQueriesOnly(t *testing.T) {
	s, rules := cube(t, 2), TuRBO{Pending: feedback.Ignore, Length: 1.0 / 64, Failures: 1}
	stream := rng.New(8, rng.Test, 0)
	x, y, seen := []space.Unit{{0.2, 0.2}}, []float64{5}, []int{2}
	step := func(value float64) Proposal {
		v := told(t, s, shortPrior(2), feedback.Ignore, x, y, seen)
		p := must.Get(rules.Propose(v, 1, stream))(t)[0]
		x, y, seen = append(x, p.X), append(y, value), append(seen, len(x)+2)
		return p
	}
	for range 2 { // 1/64, then 1/128
		if p := step(0); p.Forecast == nil || math.Abs(p.X[0]-0.2) > 1.0/64 {
			t.Errorf("%v with forecast %v in the first region", p.X, p.Forecast)
		}
	}
	uniform := x
	for k := range 4 {
		p := step(float64(k))
		if p.Forecast != nil {
			t.Errorf("uniform point %d has a forecast", k+1)
		}
		uniform = append(uniform, p.X)
	}
	if p := step(0); p.Forecast == nil || math.Abs(p.X[0]-uniform[len(uniform)-1][0]) > 1.0/32 {
		t.Errorf("%v is not around %v, the best of the new region", p.X, uniform[len(uniform)-1])
	}
}
