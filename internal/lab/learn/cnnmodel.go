package learn

import (
	"gonum.org/v1/gonum/floats"
)

// CNNModel is a trained convolutional network. Its methods do not write to it.
type CNNModel struct {
	Steps int     // steps of Adam taken
	Loss  float64 // what training minimizes, over all training rows at the final weights, penalty included

	shape  shape
	params parameters
}

// Accuracy returns the fraction of the rows of x that are predicted as y says, NaN when there are none. It panics when
// x and y differ in length.
func (m *CNNModel) Accuracy(x [][]float64, y []int) float64 {
	memory := newPass(m.shape) // one for all rows
	return accuracy(func(row []float64) int { return m.predict(memory, row) }, x, y)
}

func (m *CNNModel) predict(memory *pass, x []float64) int {
	m.forward(memory, x)
	return floats.MaxIdx(memory.scores)
}

// forward computes features and scores of an image.
func (m *CNNModel) forward(memory *pass, x []float64) {
	if len(x) != m.shape.width*m.shape.height {
		panic("learn: wrong number of pixels")
	}
	m.shape.extract(m.params, x, memory)
	m.shape.score(m.params, memory)
}

// loss returns the penalized mean loss over the chosen rows.
func (m *CNNModel) loss(memory *pass, x [][]float64, y, rows []int, decay float64) float64 {
	sum := 0.0
	for _, i := range rows {
		m.forward(memory, x[i])
		sum += floats.LogSumExp(memory.scores) - memory.scores[y[i]]
	}
	return sum/float64(len(rows)) + decay/2*floats.Dot(m.params.weights, m.params.weights)
}

// gradient writes the gradient of loss in all parameters to dst.
func (m *CNNModel) gradient(dst parameters, memory *pass, x [][]float64, y, rows []int, decay float64) {
	clear(dst.all)
	floats.AddScaled(dst.weights, decay, m.params.weights)
	share := 1 / float64(len(rows))
	for _, i := range rows {
		m.forward(memory, x[i])
		m.shape.back(m.params, dst, x[i], y[i], share, memory)
	}
}
