package space

import (
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/samplemv"
)

// unitCube is the uniform distribution on [0,1]^d as gonum's samplers want it: its quantile is the identity.
type unitCube int

// Quantile copies p to x.
func (unitCube) Quantile(x, p []float64) []float64 {
	if x == nil {
		x = make([]float64, len(p))
	}
	copy(x, p)
	return x
}

func sampled(sampler samplemv.Sampler, n, d int) [][]float64 {
	batch := mat.NewDense(n, d, nil)
	sampler.Sample(batch)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = batch.RawRowView(i)[:d:d]
	}
	return rows
}
