package learn

import "math"

// SVMModel is a trained support vector classifier. It is immutable and safe for concurrent use.
type SVMModel struct {
	Iterations     int     // pair steps taken
	Converged      bool    // whether the gap fell below the tolerance
	Gap            float64 // remaining violation of the optimality conditions
	Objective      float64 // dual objective Σ α_i - ½ Σ α_i α_j y_i y_j K_ij that was reached
	SupportVectors int     // rows that the decision function needs

	gamma, bias  float64
	features     int
	vectors      []float64 // SupportVectors x features, by rows
	coefficients []float64 // y_i α_i of each vector
}

// Decision returns Σ_i y_i α_i exp(-Gamma ||x_i-x||²) + b over the support vectors x_i: positive for class 1, beyond ±1
// outside the margin. It panics unless x has as many values as a training row. Cost O(SupportVectors x features).
func (m *SVMModel) Decision(x []float64) float64 {
	if len(x) != m.features {
		panic("learn: wrong number of features")
	}
	sum := m.bias
	for i, c := range m.coefficients {
		sum += c * math.Exp(-m.gamma*squaredDistance(x, m.vectors[i*m.features:(i+1)*m.features]))
	}
	return sum
}

// Predict returns the class of x: 1 where Decision is positive, otherwise 0.
func (m *SVMModel) Predict(x []float64) int {
	if m.Decision(x) > 0 {
		return 1
	}
	return 0
}

// Accuracy returns the fraction of the rows of x that are predicted as y says, NaN when there are none. It panics when
// x and y differ in length.
func (m *SVMModel) Accuracy(x [][]float64, y []int) float64 { return accuracy(m.Predict, x, y) }
