package policies

import (
	"math/rand/v2"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/space"
)

func (v View) maxima(n int, stream *rand.Rand) []float64 {
	least := v.Target()
	var mean, variance []float64
	if v.Posterior.Pool() != nil {
		mean, variance = v.Posterior.PoolMean(), v.Posterior.PoolVariance()
	} else {
		for _, x := range space.HaltonPoints(256, v.Space.Dim(), stream) {
			m, s := v.Posterior.Predict(v.Space.SnapAt(x, v.Context))
			mean, variance = append(mean, m), append(variance, s)
		}
	}
	g := acquisition.MaximumOf(mean, variance)
	out := make([]float64, n)
	for i := range out {
		out[i] = max(g.Quantile((float64(i)+.5)/float64(n)), least)
	}
	return out
}
