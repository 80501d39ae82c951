package space

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"
)

// unitCube is the uniform distribution on [0,1]^d as gonum's samplers want it: its quantile is the identity.
type unitCube int

// Quantile copies p to dst.
func (unitCube) Quantile(dst, p []float64) []float64 {
	if dst == nil {
		dst = make([]float64, len(p))
	}
	copy(dst, p)
	return dst
}

func sampled(sampler samplemv.Sampler, n, d int) []Unit {
	batch := mat.NewDense(n, d, nil)
	sampler.Sample(batch)
	rows := make([]Unit, n)
	for i := range rows {
		rows[i] = batch.RawRowView(i)[:d:d]
	}
	return rows
}
