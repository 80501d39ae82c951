package fidelity

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func TestUplinkPathsAtHandWorkedDistances(t *testing.T) {
	for _, c := range []struct{ distance, sight, blocked, chance float64 }{
		{18, 69.64208349, 78.29976877, 1}, {100, 85.28136089, 104.58864934, 0.23098475}, {200, 91.60299080, 115.21500819, 0.09351799},
	} {
		must.Near(t, "loss with line of sight", sightLoss(c.distance), c.sight, 1e-8)
		must.Near(t, "loss without", blockedLoss(c.distance, 1.5), c.blocked, 1e-8)
		must.Near(t, "chance of a line of sight", sightChance(c.distance), c.chance, 1e-8)
	}
	must.Near(t, "power at -80 dBm + 0.8 times 100 dB", transmitted(-80, 0.8, 100), 0, 1e-12)
	must.Near(t, "power at most", transmitted(24, 0, 100), 23, 0)
	must.Near(t, "shares of direct and scattered power", directPart+scatterPart, 1, 1e-3)
}

func TestTheUplinkHas912Decisions(t *testing.T) {
	p := Uplink(1, 0)
	if decisions := p.Parameters[0].Levels() * p.Parameters[1].Levels(); decisions != 912 {
		t.Errorf("%d decisions, want 912", decisions)
	}
	if low, high := p.Parameters[0].Level(0), p.Parameters[0].Level(113); p.Parameters[0].Value(low) != -202 || p.Parameters[0].Value(high) != 24 {
		t.Errorf("P0 from %v to %v", p.Parameters[0].Value(low), p.Parameters[0].Value(high))
	}
}

// channels are those of the first sample of a task, by base station and user.
func channels(seed uint64, task int) (out [cells][users]channel) {
	layout, stream := uplinkTask(seed, task)
	for c := range cells {
		for u := range users {
			out[c][u] = layout.path(u, c).draw(layout.facing[u], stream)
		}
	}
	return out
}

// realGram is p H H* as a real matrix of twice the rows: a complex number a + bi is the block (a -b; b a).
func realGram(h channel, p float64) *mat.Dense {
	real2 := mat.NewDense(2*baseAntennas, 2*userAntennas, nil)
	for i := range baseAntennas {
		for j := range userAntennas {
			v := h[i*userAntennas+j]
			real2.Set(2*i, 2*j, real(v))
			real2.Set(2*i+1, 2*j+1, real(v))
			real2.Set(2*i, 2*j+1, -imag(v))
			real2.Set(2*i+1, 2*j, imag(v))
		}
	}
	var out mat.Dense
	out.Mul(real2, real2.T())
	out.Scale(p, &out)
	return &out
}

// sum is the sum of the rates.
func (n *uplinkNetwork) sum(powers *[users]float64, samples int) float64 {
	return sumRate(n.rates(powers, samples))
}

// plainRate is the sum of the rates by its formula, user by user.
func plainRate(h [cells][users]channel, powers [users]float64) float64 {
	bits := 0.0
	for c := range cells {
		for u := c * cellUsers; u < (c+1)*cellUsers; u++ {
			interference := mat.NewDense(2*baseAntennas, 2*baseAntennas, nil)
			for i := range 2 * baseAntennas {
				interference.Set(i, i, 1)
			}
			for v := range users {
				if v != u && powers[v] > 0 {
					interference.Add(interference, realGram(h[c][v], powers[v]))
				}
			}
			var ratio mat.Dense
			if err := ratio.Solve(interference, realGram(h[c][u], powers[u])); err != nil {
				panic(err)
			}
			for i := range 2 * baseAntennas {
				ratio.Set(i, i, 1+ratio.At(i, i))
			}
			log, _ := mat.LogDet(&ratio)
			bits += log / 2 / math.Ln2
		}
	}
	return bits
}

func TestTheRateIsThatOfTheFormulaUserByUser(t *testing.T) {
	if raced {
		t.Skip("pure, and run in full without the race detector")
	}
	for seed := range uint64(3) {
		n, h := newUplink(seed, 2, 1), channels(seed, 2)
		for _, x := range [][2]float64{{24, 1}, {-80, 0.8}, {-60, 0.5}, {-120, 1}, {-30, 0}, {-150, 0.9}} {
			powers := n.powers(x[0], x[1])
			got, want := n.sum(&powers, 1), plainRate(h, powers)
			if math.Abs(got-want) > 1e-9*want {
				t.Errorf("seed %d, %v: rate %.12f, want %.12f", seed, x, got, want)
			}
		}
		// One user that is heard alone: the greatest ratio of signal to noise that there can be.
		for u := range users {
			var alone [users]float64
			alone[u] = 200
			got, want := n.sum(&alone, 1), plainRate(h, alone)
			if math.Abs(got-want) > 1e-6*want {
				t.Errorf("seed %d, user %d alone: rate %.12f, want %.12f", seed, u, got, want)
			}
		}
	}
}

// What one user sends is heard at every base station: users of other cells hear it as interference, over their own link.
func TestAUserOfAnotherCellDisturbsOverItsOwnLink(t *testing.T) {
	n, h := newUplink(4, 0, 1), channels(4, 0)
	var two [users]float64
	two[0], two[cellUsers] = 1e-3, 10 // the first of cell 0 and the first of cell 1
	must.Near(t, "rate of two users", n.sum(&two, 1), plainRate(h, two), 1e-9)
	var one [users]float64
	one[0] = 1e-3
	alone := n.sum(&one, 1)
	one[0], one[cellUsers] = 0, 10
	if both := alone + n.sum(&one, 1); n.sum(&two, 1) >= both {
		t.Errorf("two users have %v, each alone %v together", n.sum(&two, 1), both)
	}
}

func TestAFidelityOfTheUplinkIsTheMeanOfItsSamples(t *testing.T) {
	p, n := Uplink(2, 1), newUplink(2, 1, 100)
	x := space.Point{-80, 0.8}
	powers := n.powers(x[0], x[1])
	for level, samples := range []int{10, 20, 50, 100} {
		sum := 0.0
		for s := range samples {
			single := uplinkNetwork{samples: n.samples[s : s+1]}
			sum += single.sum(&powers, 1)
		}
		must.Near(t, fmt.Sprint(samples, " samples"), p.Value(x, level), sum/float64(samples), 1e-9)
		must.Near(t, "the same through its coordinate", p.At(append(slices.Clone(x), p.Levels[level])), p.Value(x, level), 0)
	}
}

// The search that leaves out decisions finds what the search of all 912 finds.
func TestTheOptimumOfTheUplinkIsThatOfAllDecisions(t *testing.T) {
	n := newUplink(3, 1, 2)
	for _, goal := range []func([users]float64) float64{sumRate, fairRate} {
		of := func(basis, share float64) float64 {
			powers := n.powers(basis, share)
			return goal(n.rates(&powers, 2))
		}
		x, value := n.optimum(of)
		best := math.Inf(-1)
		for basis := leastBasis; basis <= mostBasis; basis += basisStep {
			for _, share := range lossShares {
				best = max(best, of(float64(basis), share))
			}
		}
		if value != best || of(x[0], x[1]) != best {
			t.Errorf("optimum %v at %v, of all decisions %v", value, x, best)
		}
	}
}

func TestFullPowerIsBestForTheSumOfRatesAndNotForTheirGeometricMean(t *testing.T) {
	for seed := range uint64(3) {
		n := newUplink(seed, 0, 5)
		full := n.powers(mostBasis, 1)
		at := func(goal func([users]float64) float64) func(basis, share float64) float64 {
			return func(basis, share float64) float64 {
				powers := n.powers(basis, share)
				return goal(n.rates(&powers, 5))
			}
		}
		if x, _ := n.optimum(at(sumRate)); n.powers(x[0], x[1]) != full {
			t.Errorf("seed %d: the sum is greatest at %v", seed, x)
		}
		if x, v := n.optimum(at(fairRate)); v < 1.1*at(fairRate)(mostBasis, 1) || x[1] == 0 || x[1] == 1 {
			t.Errorf("seed %d: the geometric mean is greatest at %v, %v times that at full power", seed, x, v/at(fairRate)(mostBasis, 1))
		}
	}
	must.Near(t, "30 times the geometric mean of equal rates", fairRate([users]float64(slices.Repeat([]float64{2}, users))), 60, 1e-12)
}

func TestUsersOfTheUplinkMoveByUpToTenMetersAndStayInTheirRing(t *testing.T) {
	moved := 0
	for task := range 20 {
		before, _ := uplinkTask(5, task)
		after, _ := uplinkTask(5, task+1)
		for u := range users {
			if step := cmplx.Abs(after.users[u] - before.users[u]); step > strayStep {
				t.Errorf("task %d, user %d: a step of %v m", task, u, step)
			} else if step > 0 {
				moved++
			}
			if d := cmplx.Abs(after.users[u] - bases[u/cellUsers]); d < nearest || d > farthest {
				t.Errorf("task %d, user %d: %v m from its base station", task, u, d)
			}
		}
		if before.shadow != after.shadow || before.sight != after.sight {
			t.Errorf("task %d: other shadowing than before", task)
		}
	}
	if moved < 500 {
		t.Errorf("%d of 600 steps", moved)
	}
}

// The power of a channel is what is left of the path, with and without line of sight.
func TestChannelsHaveThePowerOfTheirPath(t *testing.T) {
	for _, p := range []uplinkPath{{loss: 80, shadow: 3, sighted: true, arriving: 1}, {loss: 110, shadow: -5}} {
		stream, sum := rng.New(1, rng.Test, 0), 0.0
		const draws = 2000
		for range draws {
			for _, v := range p.draw(0.3, stream) {
				sum += real(v)*real(v) + imag(v)*imag(v)
			}
		}
		got, want := 10*math.Log10(sum/draws/baseAntennas/userAntennas), p.shadow-p.loss-noiseLevel
		must.Near(t, "power over noise in dB", got, want, 0.05)
	}
}

func TestCholeskyOfAHermitianMatrix(t *testing.T) {
	// (2 1+i; 1-i 3) has the determinant 4 and the factor (√2 0; (1-i)/√2 √2).
	a := []complex128{2, complex(1, -1), 3}
	must.Near(t, "determinant", cholesky(a, 2), 4, 1e-15)
	for i, want := range []complex128{complex(math.Sqrt2, 0), complex(math.Sqrt2/2, -math.Sqrt2/2), complex(math.Sqrt2, 0)} {
		if cmplx.Abs(a[i]-want) > 1e-15 {
			t.Errorf("entry %d is %v, want %v", i, a[i], want)
		}
	}
	if d := cholesky([]complex128{1, 2, 1}, 2); d != 0 {
		t.Errorf("determinant %v of an indefinite matrix", d)
	}
}

func BenchmarkUplink(b *testing.B) {
	p := Uplink(1, 0)
	for level, samples := range p.Levels {
		b.Run(fmt.Sprint(samples, "samples"), func(b *testing.B) {
			for b.Loop() {
				p.Value(space.Point{-80, 0.8}, level)
			}
		})
	}
	n := newUplink(1, 0, mostSamples)
	b.Run("optimum", func(b *testing.B) {
		for b.Loop() {
			uplinkProblem("", n, fairRate).Optimum()
		}
	})
	b.Run("task", func(b *testing.B) {
		for b.Loop() {
			Uplink(1, 0)
		}
	})
}
