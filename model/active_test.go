package model

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// crowdedModel has n queries at random points, of which the given share has no answer.
func crowdedModel(how feedback.Imputation, n int, unanswered float64, seed uint64) sight {
	m := empty(how, Config{Active: 60})
	m.learned.prior.Kernel = surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.3, 0.5}, Outputscale: 1}
	stream := rng.New(seed, rng.Test, 0)
	for number := 1; number <= n; number++ {
		m.Open(number, number, 0, []float64{stream.Float64(), stream.Float64()})
	}
	for number := 1; number <= n; number++ {
		if stream.Float64() >= unanswered {
			m.Reveal(Objective, number, Measurement{Value: float64(stream.IntN(50))}, n+1, 0) // with ties
		}
	}
	m.units = m.measure()
	return m
}

// naiveMembers is the rule of members, with everything computed anew in each step. Cost O(n³).
func naiveMembers(m sight) []int {
	set := m.buffer.View(m.want.Pending, m.units)
	target := map[int]float64{}
	var waiting, answered []int
	for i, number := range set.Numbers {
		if target[number] = set.Targets[i]; slices.Contains(set.Unanswered, i) {
			waiting = append(waiting, number)
		} else {
			answered = append(answered, number)
		}
	}
	slices.Sort(answered)
	size := 45 // three quarters of 60
	var kept []int
	keep := func(number int) {
		if !slices.Contains(kept, number) {
			kept = append(kept, number)
		}
	}
	for k := len(waiting) - 1; k >= 0 && k >= len(waiting)-22; k-- { // half of 45
		keep(waiting[k])
	}
	worth := target
	if m.prior().Noise > 0 {
		worth = naivelyExpected(m, answered, target)
	}
	byValue := slices.Clone(answered)
	slices.SortFunc(byValue, func(a, b int) int { return cmp.Or(-cmp.Compare(worth[a], worth[b]), a-b) })
	for _, number := range byValue[:min(11, len(byValue))] { // a quarter of 45
		keep(number)
	}
	if len(answered) > 0 {
		keep(slices.MinFunc(answered, func(a, b int) int { return cmp.Or(-cmp.Compare(target[a], target[b]), a-b) }))
	}
	for _, number := range answered[max(len(answered)-5, 0):] { // an eighth of 45
		keep(number)
	}
	others := slices.DeleteFunc(answered, func(number int) bool { return slices.Contains(kept, number) })
	if most := 4 * 60; len(others) > most {
		var some []int
		for k := range most {
			some = append(some, others[k*len(others)/most])
		}
		others = some
	}
	for len(kept) < size && len(others) > 0 {
		far, least := 0, math.Inf(1)
		for i, candidate := range others {
			closest := math.Inf(-1)
			for _, number := range kept {
				closest = max(closest, m.prior().Kernel.Eval(m.points[number-1], m.points[candidate-1]))
			}
			if closest < least {
				far, least = i, closest
			}
		}
		keep(others[far])
		others = slices.Delete(others, far, far+1)
	}
	slices.Sort(kept)
	return kept
}

// naivelyExpected is what a Gaussian process on thirty of the answers, evenly spread, expects at each of them.
func naivelyExpected(m sight, answered []int, target map[int]float64) map[int]float64 {
	some := answered
	if len(answered) > 30 {
		some = nil
		for k := range 30 {
			some = append(some, answered[k*len(answered)/30])
		}
	}
	gram, y := mat.NewSymDense(len(some), nil), mat.NewVecDense(len(some), nil)
	for i, a := range some {
		y.SetVec(i, target[a]-m.prior().Mean)
		for j, b := range some[:i+1] {
			gram.SetSym(i, j, m.prior().Kernel.Eval(m.points[a-1], m.points[b-1]))
		}
		gram.SetSym(i, i, gram.At(i, i)+m.prior().Noise)
	}
	var factor mat.Cholesky
	var weights mat.VecDense
	if !factor.Factorize(gram) || factor.SolveVecTo(&weights, y) != nil {
		panic("the covariance of points apart with noise is positive definite")
	}
	out := map[int]float64{}
	for _, a := range answered {
		for i, b := range some {
			out[a] += weights.AtVec(i) * m.prior().Kernel.Eval(m.points[a-1], m.points[b-1])
		}
	}
	return out
}

// The choice of rows is that of the rule written down plainly, without noise and with some.
func TestTheChoiceOfRowsIsTheRule(t *testing.T) {
	t.Parallel()
	for _, how := range imputations {
		for _, c := range []struct {
			n          int
			unanswered float64
			noise      float64
		}{{61, 0, 0}, {100, 0.1, 0}, {180, 0.2, 0}, {400, 0.03, 0}, {400, 0, 0}, {130, 0.8, 0}, {70, 0.95, 0}, {61, 0, .1}, {180, .2, 1}, {400, 0.03, .01}, {130, 0.8, .3}} {
			m := crowdedModel(how, c.n, c.unanswered, uint64(c.n))
			m.learned.prior.Noise = c.noise
			members := len(m.buffer.View(how, m.units).Numbers)
			if members <= 60 {
				continue // answers of those that ignore the others
			}
			got, want := m.members(), naiveMembers(m)
			if !slices.Equal(got, want) {
				t.Errorf("%v, %d queries, %v unanswered, noise %v:\n%v\nwant\n%v", how, c.n, c.unanswered, c.noise, got, want)
			}
			if len(got) > 45 || len(slices.Compact(slices.Clone(got))) != len(got) {
				t.Errorf("%v: %d rows: %v", how, len(got), got)
			}
			if again := m.members(); !slices.Equal(got, again) {
				t.Errorf("%v: the same model gives %v, then %v", how, got, again)
			}
		}
	}
}

// Where values have noise, what the model expects at a place does not depend on how many rows it may have: of lucky values and unlucky ones at good places
// neither are left out for what they are.
func TestAChoiceOfRowsDoesNotRaiseTheBestPlaces(t *testing.T) {
	t.Parallel()
	const n, noise, peak = 3000, .3, 1.
	hill := func(u float64) float64 {
		return max(peak*math.Exp(-200*(u-.75)*(u-.75)), .85*math.Exp(-200*(u-.25)*(u-.25)))
	}
	for seed := range uint64(3) {
		stream := rng.New(seed, rng.Test, 9)
		m := empty(feedback.Ignore, Config{Active: 300})
		m.learned.prior = surrogate.Prior{Kernel: surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.1}, Outputscale: .3}, Noise: noise * noise, Mean: .3}
		for number := 1; number <= n; number++ {
			u := stream.Float64()
			if number%5 > 0 {
				u = .25 + .05*stream.NormFloat64() // most queries were at the lower hill
			}
			m.Open(number, number, 0, []float64{min(max(u, 0), 1)})
			m.Reveal(Objective, number, Measurement{Value: hill(u) + noise*stream.NormFloat64()}, number+1, 0)
		}
		m.units.Scale, m.units.Shift = 1, 0
		rows := m.members()
		var x []space.Unit
		var y []float64
		for _, number := range rows {
			value, _ := m.target(number)
			x, y = append(x, m.point(number)), append(y, value)
		}
		p, err := m.prior().Condition(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range []float64{.25, .75} {
			mean, variance := p.Predict(space.Unit{u})
			if off := (mean - hill(u)) / math.Sqrt(variance); math.Abs(off) > 3.5 {
				t.Errorf("seed %d: %v ± %v is expected at %v of %d rows, which is %v", seed, mean, math.Sqrt(variance), u, len(rows), hill(u))
			}
		}
	}
}

// Up to the limit everything is a row.
func TestUpToTheLimitEveryQueryIsARow(t *testing.T) {
	m := crowdedModel(feedback.Hallucinate, 60, 0.3, 1)
	if got := m.members(); len(got) != 60 || !slices.IsSorted(got) {
		t.Errorf("%d rows: %v", len(got), got)
	}
}

// The far points leave no hole: each is at least as far from every other row as any query is from its nearest row.
func TestTheFarPointsCover(t *testing.T) {
	m := crowdedModel(feedback.Ignore, 240, 0, 3)
	rows := m.members()
	near := func(number int, to []int) (greatest float64) { // correlation
		for _, other := range to {
			if other != number {
				greatest = max(greatest, m.prior().Kernel.Eval(m.points[number-1], m.points[other-1]))
			}
		}
		return greatest
	}
	answered := m.buffer.Answered(feedback.Ignore)
	hole := 1.0
	for _, number := range answered {
		if !slices.Contains(rows, number) {
			hole = min(hole, near(number, rows))
		}
	}
	kept := m.worthKeeping(&answered, 45)
	for _, number := range rows {
		if !slices.Contains(kept, number) && near(number, rows) > hole {
			t.Errorf("query %d has correlation %v with another row, and some query only %v with any", number, near(number, rows), hole)
		}
	}
	if len(rows) != 45 || len(kept) > 16 || hole < 0.3 {
		t.Errorf("%d rows, %d kept for their value or age, a query with correlation %v", len(rows), len(kept), hole)
	}
}
