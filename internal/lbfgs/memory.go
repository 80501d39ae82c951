package lbfgs

// memory holds the last curvature pairs s = change of x, y = change of the gradient, oldest first from head.
type memory struct {
	s, y        [][]float64
	alpha       []float64 // coefficients of the first loop
	curvature   []float64 // s·y on the free coordinates, zero when the pair is to be skipped
	head, count int
}

func newMemory(size, d int) memory {
	m := memory{s: make([][]float64, size), y: make([][]float64, size)}
	m.alpha, m.curvature = make([]float64, size), make([]float64, size)
	backing := make([]float64, 2*size*d)
	for i := range size {
		m.s[i] = backing[2*i*d : (2*i+1)*d]
		m.y[i] = backing[(2*i+1)*d : (2*i+2)*d]
	}
	return m
}

func (m *memory) clear() { m.head, m.count = 0, 0 }

// scale multiplies the curvature of all pairs.
func (m *memory) scale(factor float64) {
	for n := range m.count {
		for j := range m.y[(m.head+n)%len(m.y)] {
			m.y[(m.head+n)%len(m.y)][j] *= factor
		}
	}
}

// leastCurvature is the part of |s|·|y| below which s·y is round-off and would make the model indefinite or wild.
const leastCurvature = 1e-12

// push stores the pair of a step from (x, gx) to (z, gz), unless the function curved downwards along it.
func (m *memory) push(x, z, gx, gz []float64) {
	if m.count == len(m.s) {
		// The oldest pair makes room even when the new one turns out to be useless, which saves a second buffer.
		m.head = (m.head + 1) % len(m.s)
		m.count--
	}
	slot := (m.head + m.count) % len(m.s)
	s, y := m.s[slot], m.y[slot]
	var sy, ss, yy float64
	for i := range s {
		s[i], y[i] = z[i]-x[i], gz[i]-gx[i]
		sy += s[i] * y[i]
		ss += s[i] * s[i]
		yy += y[i] * y[i]
	}
	if useful(sy, ss, yy) {
		m.count++
	}
}

func useful(sy, ss, yy float64) bool {
	return sy > 0 && sy*sy > leastCurvature*leastCurvature*ss*yy
}

// apply replaces the vector q by H q, H the inverse Hessian model on the coordinates that are not held, and reports
// whether any pair was of use. The pairs are restricted to these coordinates too, and skipped where that leaves no
// curvature. The held entries of q must be zero and stay so. Nocedal & Wright 2006, Algorithm 7.4.
func (m *memory) apply(q []float64, held []bool) bool {
	scale := 0.0
	for n := m.count - 1; n >= 0; n-- {
		i := (m.head + n) % len(m.s)
		s, y := m.s[i], m.y[i]
		var sy, ss, yy float64
		for j, h := range held {
			if !h {
				sy += s[j] * y[j]
				ss += s[j] * s[j]
				yy += y[j] * y[j]
			}
		}
		m.curvature[i] = 0
		if !useful(sy, ss, yy) {
			continue
		}
		if scale == 0 {
			scale = sy / yy
		}
		m.curvature[i] = sy
		m.alpha[i] = dot(s, q) / sy
		addFree(q, -m.alpha[i], y, held)
	}
	for j := range q {
		q[j] *= scale
	}
	for n := range m.count {
		i := (m.head + n) % len(m.s)
		if m.curvature[i] > 0 {
			addFree(q, m.alpha[i]-dot(m.y[i], q)/m.curvature[i], m.s[i], held)
		}
	}
	return scale > 0
}

// addFree adds a·v to q on the coordinates that are not held.
func addFree(q []float64, a float64, v []float64, held []bool) {
	for j, h := range held {
		if !h {
			q[j] += a * v[j]
		}
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}
