package langevin

import (
	"errors"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Posterior is a normal law over m parameters, minus whose logarithm is spread over devices.
type Posterior struct {
	Devices   []Device
	Mean      []float64
	Precision []float64 // m x m, row by row
}

// Device has the quadratic ½ θᵀ Gram θ - θᵀ Cross.
type Device struct {
	Gram  []float64 // m x m, row by row
	Cross []float64 // m
}

// gradient is Gram θ - Cross.
func (d Device) gradient(theta, out []float64) {
	m := len(theta)
	for i := range out {
		sum := -d.Cross[i]
		for j, v := range d.Gram[i*m : (i+1)*m] {
			sum += v * theta[j]
		}
		out[i] = sum
	}
}

// NewPosterior returns the law to which the devices add up. The error says that there is none.
func NewPosterior(devices ...Device) (Posterior, error) {
	m := len(devices[0].Cross)
	p := Posterior{Devices: devices, Precision: make([]float64, m*m)}
	cross := mat.NewVecDense(m, nil)
	for _, d := range devices {
		for i, v := range d.Gram {
			p.Precision[i] += v
		}
		cross.AddVec(cross, mat.NewVecDense(m, d.Cross))
	}
	var factor mat.Cholesky
	if !factor.Factorize(mat.NewSymDense(m, p.Precision)) {
		return Posterior{}, errors.New("the sum of the devices' matrices is not positive definite")
	}
	var mean mat.VecDense
	if err := factor.SolveVecTo(&mean, cross); err != nil {
		return Posterior{}, err
	}
	p.Mean = mean.RawVector().Data
	return p, nil
}

// Regression draws n pairs of covariates u ~ N(0, I) and labels θ*ᵀu + N(0, 1) with θ* ~ N(0, I), and spreads them evenly over k devices,
// of which n is a multiple. The posterior is that of θ under the prior N(0, I), of which each device has its share. Dimension, n and k are
// the source's; the law of covariates and of θ* is ours.
func Regression(stream *rand.Rand, m, n, k int) (Posterior, error) {
	truth, u := make([]float64, m), make([]float64, m)
	for i := range truth {
		truth[i] = stream.NormFloat64()
	}
	devices := make([]Device, k)
	for j := range devices {
		d := Device{Gram: make([]float64, m*m), Cross: make([]float64, m)}
		for i := range m {
			d.Gram[i*m+i] = 1 / float64(k)
		}
		for range n / k {
			label := stream.NormFloat64()
			for i := range u {
				u[i] = stream.NormFloat64()
				label += u[i] * truth[i]
			}
			for i, a := range u {
				d.Cross[i] += a * label
				for l, b := range u {
					d.Gram[i*m+l] += a * b
				}
			}
		}
		devices[j] = d
	}
	return NewPosterior(devices...)
}

// Error is the squared distance of theta to the mean.
func (p Posterior) Error(theta []float64) float64 {
	sum := 0.0
	for i, v := range theta {
		sum += (v - p.Mean[i]) * (v - p.Mean[i])
	}
	return sum
}

// Temperature is (θ-μ)ᵀ P (θ-μ)/m for mean μ and precision P: 1 on average over samples of the posterior.
func (p Posterior) Temperature(theta []float64) float64 {
	m, sum := len(theta), 0.0
	for i := range m {
		for j := range m {
			sum += (theta[i] - p.Mean[i]) * p.Precision[i*m+j] * (theta[j] - p.Mean[j])
		}
	}
	return sum / float64(m)
}
