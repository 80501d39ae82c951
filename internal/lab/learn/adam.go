package learn

import "math"

// The constants of Adam, as recommended by Kingma and Ba 2015.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// adam is the optimizer of Kingma and Ba 2015, algorithm 1.
type adam struct {
	rate, decay    float64   // the n-th step, from 0, has the rate rate/(1 + n decay)
	taken          float64   // steps
	mean, square   []float64 // running means of the gradient and of its square, both biased towards their start at 0
	power1, power2 float64   // beta1 and beta2 to the number of steps taken
}

// newAdam returns the optimizer of n parameters before its first step.
func newAdam(n int, rate, decay float64) *adam {
	return &adam{rate: rate, decay: decay, mean: make([]float64, n), square: make([]float64, n), power1: 1, power2: 1}
}

// step moves the parameters by one step against the gradient.
func (a *adam) step(params, gradient []float64) {
	a.power1 *= beta1
	a.power2 *= beta2
	scale1, scale2 := 1/(1-a.power1), 1/(1-a.power2)
	rate := a.rate / (1 + a.decay*a.taken)
	a.taken++
	mean, square := a.mean[:len(params)], a.square[:len(params)]
	gradient = gradient[:len(params)]
	for i, g := range gradient {
		m := beta1*mean[i] + (1-beta1)*g
		v := beta2*square[i] + (1-beta2)*g*g
		mean[i], square[i] = m, v
		params[i] -= rate * (m * scale1) / (math.Sqrt(v*scale2) + epsilon)
	}
}
