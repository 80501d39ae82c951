package learn

import (
	"math"

	"github.com/tarry-bo/tarry/internal/check"
)

// The defaults of SVM.
const (
	defaultTolerance     = 1e-3
	defaultMaxIterations = 1_000_000
)

// SVM is a support vector classifier with the kernel exp(-Gamma ||x-x'||²). C and Gamma have no default: they are what
// an experiment tunes.
type SVM struct {
	// C is the price of a violated margin, > 0. Large values follow the training data more closely and train longer.
	C float64
	// Gamma is the inverse squared width of the kernel, > 0, in units of the features: scale them first. 1/features is
	// a common start for standardised data.
	Gamma float64
	// Tolerance is the largest violation of the optimality conditions to stop at. 0 means 0.001, as in LIBSVM.
	Tolerance float64
	// MaxIterations bounds the number of pair steps, each O(rows). 0 means a million, which takes about a second with
	// 400 rows. A training that reaches it returns the model it has, with Converged false.
	MaxIterations int
}

// Validate returns nil or everything that is wrong with the settings; errors unwrap to check.ErrInvalidOption.
func (s SVM) Validate() error {
	var c check.List
	c.Positive("SVM.C", s.C)
	c.Positive("SVM.Gamma", s.Gamma)
	c.NotNegative("SVM.Tolerance", s.Tolerance)
	c.Between("SVM.MaxIterations", s.MaxIterations, 0, math.MaxInt32)
	return c.Err()
}

// TrainOn fits the classifier to the rows given to Distances. Label y[i], 0 or 1, belongs to row i, and both labels must be
// there. An error, unwrapping to check.ErrInvalidOption, names every setting and the first label that is wrong. The result
// depends on the arguments only.
func (s SVM) TrainOn(g *Gram, y []int) (*SVMModel, error) {
	var c check.List
	c.Join(s.Validate())
	checkLabels(&c, y, g.n)
	if err := c.Err(); err != nil {
		return nil, err
	}
	if s.Tolerance == 0 {
		s.Tolerance = defaultTolerance
	}
	if s.MaxIterations == 0 {
		s.MaxIterations = defaultMaxIterations
	}
	solver := newSMO(newKernel(g, s.Gamma), y, s.C)
	converged := solver.run(s.Tolerance, s.MaxIterations)
	m := &SVMModel{
		Iterations: solver.iterations, Converged: converged, Gap: solver.gap, Objective: solver.objective(),
		gamma: s.Gamma, features: g.features, bias: solver.bias(),
	}
	for i, b := range solver.beta {
		if b != 0 {
			m.vectors = append(m.vectors, g.row(i)...)
			m.coefficients = append(m.coefficients, b)
		}
	}
	m.SupportVectors = len(m.coefficients)
	return m, nil
}
