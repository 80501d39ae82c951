package surrogate

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"pgregory.net/rapid"
)

// Odd but finite data: coarse points with many duplicates, corners, targets that are equal, tiny or huge, noise that
// may be zero. Nothing may panic and nothing may become NaN.
func TestOddDataGivesNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rng.New(seed, rng.Test, 0)
		kernels := everyKernel()
		k := kernels[rapid.IntRange(0, len(kernels)-1).Draw(t, "kernel")]
		grid := rapid.IntRange(1, 50).Draw(t, "grid")
		n := rapid.IntRange(0, 45).Draw(t, "n")
		scale := math.Pow(10, rapid.SampledFrom([]float64{-150, -5, 0, 5, 150}).Draw(t, "scale"))
		constant := rapid.Bool().Draw(t, "constant")
		p := Prior{Kernel: k, Noise: rapid.SampledFrom([]float64{0, 1e-12, 1e-4, 1}).Draw(t, "noise")}
		point := func() []float64 {
			return []float64{float64(r.IntN(grid+1)) / float64(grid), float64(r.IntN(grid+1)) / float64(grid)}
		}
		target := func() float64 {
			if constant {
				return scale
			}
			return scale * r.NormFloat64()
		}
		var points, x []space.Unit
		var y []float64
		for range 20 {
			points = append(points, point())
		}
		for range n {
			x, y = append(x, point()), append(y, target())
		}
		post, err := p.Condition(x, y, NewPool(k, points, true))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			post = post.Append(point(), target())
		}
		for i := range y {
			y[i] = target()
		}
		post = post.Retarget(append(y, post.Targets()[n:]...))
		pending := []int{n, n + 3}
		post = post.Hallucinate(post.Targets(), pending)
		finite := func(what string, values ...float64) {
			for _, v := range values {
				if math.IsNaN(v) {
					t.Fatalf("%s: %v", what, values)
				}
			}
		}
		dmean, dvar := make([]float64, 2), make([]float64, 2)
		mean, variance := post.PredictGrad(point(), dmean, dvar)
		finite("prediction", mean, variance, dmean[0], dmean[1], dvar[0], dvar[1])
		if variance < 0 {
			t.Fatalf("variance %v", variance)
		}
		finite("pool mean", post.PoolMean()...)
		finite("pool variance", post.PoolVariance()...)
		finite("evidence", post.LogEvidence(), post.InformationGain(), post.VarianceAt(0))
		loo, looVariance := post.LeaveOneOut()
		finite("leave-one-out", append(loo, looVariance...)...)
		chain, chainVariance := post.ForwardChain()
		finite("forward chain", append(chain, chainVariance...)...)
		finite("draw", post.Draw(r, 8).At(point()))
		finite("pool draw", post.DrawPool(r)...)
		got, report, err := Fit(p, x, y, FitOptions{MaxEvaluations: 8}, r)
		if err == nil {
			finite("fit", append(got.Kernel.Params(), got.Noise, report.LogEvidence, report.LogPosterior)...)
		}
	})
}
