package surrogate

import (
	"slices"
	"testing"
)

// A prefix is, to the bit, what stood before the other rows came, also after the targets changed.
func TestPrefixIsWhatWasThereBefore(t *testing.T) {
	points, x, y := study(60)
	k := fixturePrior(Matern52).Kernel
	pool := NewPool(k, points, false)
	for _, cut := range []int{0, 1, 17, 40, 60} {
		short := condition(t, Prior{Kernel: k, Noise: 0.01}, nil, nil, pool)
		for i := range cut {
			short = short.Append(x[i], y[i])
		}
		long := short
		for i := cut; i < len(x); i++ {
			long = long.Append(x[i], -y[i])
		}
		targets := append(slices.Clone(y[:cut]), make([]float64, len(x)-cut)...)
		back := long.Retarget(targets).Prefix(cut)
		samePosterior(t, "prefix", back, short.Retarget(y[:cut]), 0)
		if back.Len() != cut {
			t.Errorf("prefix of %d has %d rows", cut, back.Len())
		}
		// Growing again does not disturb the longer one.
		before := long.Alpha()
		if cut < len(x) {
			back.Append([]float64{0.123, 0.456}, 1)
		}
		if !slices.Equal(before, long.Alpha()) || long.X(len(x) - 1)[0] != x[len(x)-1][0] {
			t.Error("a branch from a prefix changed the rows behind it")
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("a prefix longer than the data was made")
		}
	}()
	condition(t, Prior{Kernel: k, Noise: 0.01}, nil, nil, nil).Prefix(1)
}

// The variance at an observed point by the inverse is that of the direct way, over noises from large to none.
func TestVarianceAtByTheInverse(t *testing.T) {
	_, x, y := study(80)
	for _, noise := range []float64{1, 1e-2, 1e-4, 2e-6, 1e-9} {
		post := condition(t, Prior{Kernel: fixturePrior(Matern52).Kernel, Noise: noise}, x, y, nil)
		for i := range x {
			_, want := post.Predict(x[i])
			near(t, "variance", post.VarianceAt(i), want, 1e-9)
		}
	}
}
