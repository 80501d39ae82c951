package surrogate

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
)

// Rows that leave one after another, that are rotated out together, and the rest conditioned on anew, are the same, with a pool and with known noise.
func TestAPosteriorWithoutRowsIsThatOfTheOthers(t *testing.T) {
	points, x, y := study(400)
	p, r := fixturePrior(Matern52), stream(19)
	pool := NewPool(p.Kernel, points, false)
	variances := make([]float64, len(x))
	for i := range variances {
		variances[i] = r.Float64() * 1e-2
	}
	known, err := p.ConditionKnown(x, y, variances, pool)
	if err != nil {
		t.Fatal(err)
	}
	for name, post := range map[string]*Posterior{"pool": condition(t, p, x, y, pool), "no pool": condition(t, p, x, y, nil), "known noise": known} {
		for _, rows := range [][]int{nil, {0}, {399}, {200, 392, 394, 399}, {70, 71, 72}, some(r.Perm(400)[:30]), some(r.Perm(400)[:320]), some(r.Perm(400))} {
			name := fmt.Sprintf("%s, without %d rows", name, len(rows))
			one := post
			for _, i := range slices.Backward(rows) {
				one = one.Remove(i)
			}
			rest := except(y, rows)
			samePosterior(t, name, post.Without(rows, rest), one, 1e-8)
			if len(rows) == 0 {
				continue
			}
			together := post.rotated(rows)
			together.squarePool()
			if together = together.Retarget(rest); !slices.Equal(together.alpha, one.alpha) || !slices.Equal(together.poolVariance, one.poolVariance) || !slices.Equal(together.poolMean, one.poolMean) {
				t.Errorf("%s: rotated together they have other digits", name)
			}
			anew, ok := post.anew(rows)
			if !ok {
				t.Fatalf("%s: not positive definite", name)
			}
			samePosterior(t, name, anew.Retarget(rest), one, 1e-8)
			if post.X(0)[0] != x[0][0] || post.Len() != 400 || !slices.Equal(post.Targets(), y) {
				t.Errorf("%s: the posterior itself changed", name)
			}
		}
	}
}

// some are rows in their order.
func some(rows []int) []int {
	slices.Sort(rows)
	return rows
}

// Few rows near the end are rotated out, many of all are not; and whatever leaves, one factor is allocated, not one for each row.
func TestTheWayRowsLeaveIsTheFasterOne(t *testing.T) {
	_, x, y := study(600)
	post := condition(t, fixturePrior(Matern52), x, y, nil)
	spread := func(count int) (rows []int) {
		for a := range count {
			rows = append(rows, a*len(x)/count)
		}
		return rows
	}
	for _, c := range []struct {
		rows []int
		anew bool
	}{{[]int{0}, false}, {[]int{590, 595, 599}, false}, {spread(8), false}, {spread(150), true}, {spread(500), true}} {
		if got := post.fasterAnew(c.rows); got != c.anew {
			t.Errorf("%d rows from %d on: anew %v", len(c.rows), c.rows[0], got)
		}
		rest := except(y, c.rows)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		post.Without(c.rows, rest)
		runtime.ReadMemStats(&after)
		if most := uint64(8*len(x)*len(x) + 2*8*len(c.rows)*len(x)); after.TotalAlloc-before.TotalAlloc > most {
			t.Errorf("%d rows: %d bytes, at most %d", len(c.rows), after.TotalAlloc-before.TotalAlloc, most)
		}
	}
}

func TestRowsThatCannotLeave(t *testing.T) {
	post := condition(t, fixturePrior(SE), fixtureX, fixtureY, nil)
	mustPanic(t, "a row before the first", func() { post.Without([]int{-1}, fixtureY[1:]) })
	mustPanic(t, "a row behind the last", func() { post.Without([]int{len(fixtureX)}, fixtureY[1:]) })
	mustPanic(t, "too many targets", func() { post.Without([]int{1}, fixtureY) })
}
