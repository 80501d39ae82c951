package surrogate

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// Whatever is removed, the posterior is that of the rest, factorized from scratch.
func TestRemovedPointsLeaveThePosteriorOfTheRest(t *testing.T) {
	points, x, y := study(200)
	for _, noise := range []float64{1e-1, 1e-2, 1e-3} {
		p := Prior{Kernel: fixturePrior(Matern52).Kernel, Noise: noise, Mean: 0.3}
		pool := NewPool(p.Kernel, points, false)
		full := condition(t, p, x, y, pool)
		before := full.Alpha()
		for _, i := range []int{0, 1, 63, 64, 65, 100, 127, 128, 198, 199} {
			rest := full.Remove(i)
			scratch := condition(t, p, slices.Delete(slices.Clone(x), i, i+1), slices.Delete(slices.Clone(y), i, i+1), pool)
			samePosterior(t, fmt.Sprintf("without row %d", i), rest, scratch, 1e-8)
			near(t, "evidence", rest.LogEvidence(), scratch.LogEvidence(), 1e-8*math.Abs(scratch.LogEvidence()))
			if rest.Len() != 199 || i < 199 && rest.X(i)[0] != x[i+1][0] {
				t.Errorf("without row %d: %d rows, the next is %v", i, rest.Len(), rest.X(min(i, 198)))
			}
		}
		if !slices.Equal(before, full.Alpha()) {
			t.Error("removal changed the posterior that it was made from")
		}
	}
}

func TestRevisionsAreOneChangeAfterAnother(t *testing.T) {
	points, x, y := study(150)
	p := fixturePrior(SE)
	pool := NewPool(p.Kernel, points, false)
	start := condition(t, p, x[:100], y[:100], pool)
	stream := stream(77)
	keptX, keptY := slices.Clone(x[:100]), slices.Clone(y[:100])
	var edits []Edit
	step := start
	for i := 100; i < 150; i++ {
		edits = append(edits, Edit{X: x[i]})
		keptX, keptY = append(keptX, x[i]), append(keptY, y[i])
		step = step.Append(x[i], y[i])
		if i%3 == 0 {
			row := stream.IntN(len(keptX))
			edits = append(edits, Edit{Row: row})
			keptX, keptY = slices.Delete(keptX, row, row+1), slices.Delete(keptY, row, row+1)
			step = step.Remove(row)
		}
	}
	pending := []int{5, len(keptX) - 1}
	revised := start.Revise(edits, keptY, nil)
	if !slices.Equal(revised.Alpha(), step.Alpha()) || !slices.Equal(revised.PoolMean(), step.PoolMean()) {
		t.Error("a revision differs from its edits one by one")
	}
	samePosterior(t, "revised", revised, condition(t, p, keptX, keptY, pool), 1e-8)
	samePosterior(t, "revised", start.Revise(edits, keptY, pending), condition(t, p, keptX, keptY, pool).Hallucinate(keptY, pending), 1e-8)
}

func TestRemovingWhatIsNotThereIsABug(t *testing.T) {
	for _, i := range []int{-1, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("row %d was removed", i)
				}
			}()
			condition(t, fixturePrior(SE), fixtureX, fixtureY, nil).Remove(i)
		}()
	}
}
