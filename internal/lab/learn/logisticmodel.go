package learn

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// LogisticModel is a trained logistic regression. Its methods do not write to it.
type LogisticModel struct {
	Weights []float64 // one for each feature
	Bias    float64
	Steps   int     // steps of gradient descent taken
	Loss    float64 // what training minimises, over all training rows at the final weights, penalty included
}

// Decision returns the log odds of class 1, Weights·x + Bias. It panics unless x has as many values as a training row.
func (m *LogisticModel) Decision(x []float64) float64 {
	if len(x) != len(m.Weights) {
		panic("learn: wrong number of features")
	}
	return floats.Dot(m.Weights, x) + m.Bias
}

// Probability returns the probability of class 1, 1/(1 + exp(-Decision)).
func (m *LogisticModel) Probability(x []float64) float64 { return sigmoid(m.Decision(x)) }

// Predict returns the class of x: 1 where Decision is positive, otherwise 0.
func (m *LogisticModel) Predict(x []float64) int {
	if m.Decision(x) > 0 {
		return 1
	}
	return 0
}

// Accuracy returns the fraction of the rows of x that are predicted as y says, NaN when there are none. It panics when
// x and y differ in length.
func (m *LogisticModel) Accuracy(x [][]float64, y []int) float64 { return accuracy(m.Predict, x, y) }

// sigmoid returns 1/(1 + exp(-z)). Where exp overflows the quotient is 0, as it should be.
func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// loss returns the penalised mean loss over the chosen rows. With z the log odds, the loss of a row of class y is
// log(1 + exp(z)) - y z; the larger exponent is taken out so that exp cannot overflow.
func (m *LogisticModel) loss(x [][]float64, y, rows []int, decay float64) float64 {
	sum := 0.0
	for _, i := range rows {
		z := m.Decision(x[i])
		sum += max(z, 0) + math.Log1p(math.Exp(-math.Abs(z))) - float64(y[i])*z
	}
	return sum/float64(len(rows)) + decay/2*floats.Dot(m.Weights, m.Weights)
}

// gradient writes the gradient of loss in the weights to dst and returns the derivative in the bias. For one row these
// are (p - y) x and p - y, where p is the probability of class 1.
func (m *LogisticModel) gradient(dst []float64, x [][]float64, y, rows []int, decay float64) float64 {
	floats.ScaleTo(dst, decay, m.Weights)
	slope, share := 0.0, 1/float64(len(rows))
	for _, i := range rows {
		residual := share * (m.Probability(x[i]) - float64(y[i]))
		floats.AddScaled(dst, residual, x[i])
		slope += residual
	}
	return slope
}

// finite reports whether all weights are finite numbers.
func (m *LogisticModel) finite() bool {
	sum := m.Bias * 0
	for _, w := range m.Weights {
		sum += w * 0 // 0 for a finite weight, NaN otherwise
	}
	return sum == 0
}
