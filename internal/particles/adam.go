package particles

import "math"

// Constants of Adam (Kingma & Ba 2015).
const (
	firstMoment  = 0.9
	SecondMoment = 0.999 // usual memory of squares
	leastRoot    = 1e-8
)

// Adam moves particles along directions by steps whose length depends on how steady the directions are (Kingma & Ba 2015). It is for one
// goroutine. Memory: 16VD bytes.
type Adam struct {
	memory  float64      // of squares
	moments [2][]float64 // of the directions: means, and means of the squares
	steps   int
}

// NewAdam returns the state before the first step of so many particles of so many numbers. memory is what is kept of the mean of squares in
// a step, below 1.
func NewAdam(particles, numbers int, memory float64) *Adam {
	a := &Adam{memory: memory}
	for i := range a.moments {
		a.moments[i] = make([]float64, particles*numbers)
	}
	return a
}

// Move moves each particle along its direction, no number much farther than rate.
func (a *Adam) Move(swarm *Swarm, directions [][]float64, rate float64) {
	a.steps++
	first, second := 1-math.Pow(firstMoment, float64(a.steps)), 1-math.Pow(a.memory, float64(a.steps))
	rate, root := rate/first, 1/math.Sqrt(second)
	for v, direction := range directions {
		theta, d := swarm.Particle(v), len(direction)
		m, s := a.moments[0][v*d:(v+1)*d], a.moments[1][v*d:(v+1)*d]
		for i, g := range direction {
			m[i] = firstMoment*m[i] + (1-firstMoment)*g
			s[i] = a.memory*s[i] + (1-a.memory)*g*g
			theta[i] += rate * m[i] / (math.Sqrt(s[i])*root + leastRoot)
		}
	}
}
