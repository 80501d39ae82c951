// Package particles moves points of many dimensions until they are like draws from a posterior: Stein variational gradient descent (Liu & Wang
// 2016), priors whose logarithm has a gradient, and the particles of a kernel's hyperparameters or of a network whose features are a kernel. It is pure: nothing in it is
// random but the start, whose stream is given; who steps decides how often.
package particles

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Swarm is V particles of D numbers, with what a step needs. It is for one goroutine. Memory: 24VD bytes.
type Swarm struct {
	at        blas64.General // V×D
	score     blas64.General // gradients of the log density of the target; then what attracts less what repels
	direction blas64.General
	near      blas64.General // V×V: exp(-h |θ_j - θ_v|²)
	squares   []float64
	// Narrow multiplies the bandwidth by the median distance where it is above 1: particles at that distance then are alike by V to the power of -Narrow and not
	// by 1/V.
	Narrow float64
}

// NewSwarm returns a swarm that begins at the particles (V×D, copied), at least one. Particles of different length are bugs and panic.
func NewSwarm(start [][]float64) *Swarm {
	v, d := len(start), len(start[0])
	block := func(rows, columns int) blas64.General {
		return blas64.General{Rows: rows, Cols: columns, Stride: columns, Data: make([]float64, rows*columns)}
	}
	s := &Swarm{at: block(v, d), score: block(v, d), direction: block(v, d), near: block(v, v)}
	for i, theta := range start {
		if len(theta) != d {
			panic("particles: particles of different length")
		}
		copy(s.Particle(i), theta)
	}
	return s
}

// Len returns V.
func (s *Swarm) Len() int { return s.at.Rows }

// Particle returns particle v, which holds until the next step and may be changed.
func (s *Swarm) Particle(v int) []float64 { return row(s.at, v) }

// Score returns where the gradient of the target's log density at particle v is to be written before Direction.
func (s *Swarm) Score(v int) []float64 { return row(s.score, v) }

func row(m blas64.General, i int) []float64 { return m.Data[i*m.Stride : i*m.Stride+m.Cols] }

// Direction returns for each particle where it goes:
//
//	φ(θ_v) = 1/V Σ_j [k(θ_j, θ_v) score_j - 2h (θ_j - θ_v) k(θ_j, θ_v)],  k = exp(-h |θ_j - θ_v|²)
//
// The first term attracts to where the target is great, the second keeps particles apart. A bandwidth h of 0 is log V over the square of the median
// of the distances. The score is used up, and the rows hold until the next call. Cost O(V²D).
func (s *Swarm) Direction(h float64) [][]float64 {
	n := s.Len()
	s.distances()
	if h <= 0 {
		h = s.bandwidth()
	}
	for i, d := range s.near.Data {
		s.near.Data[i] = math.Exp(-h * d)
	}
	floats.AddScaled(s.score.Data, -2*h, s.at.Data)
	out := make([][]float64, n)
	for v := range n {
		out[v] = row(s.direction, v)
		floats.ScaleTo(out[v], 2*h*floats.Sum(row(s.near, v))/float64(n), s.Particle(v))
	}
	blas64.Gemm(blas.NoTrans, blas.NoTrans, 1/float64(n), s.near, s.score, 1, s.direction)
	return out
}

// distances fills near with the squares of the distances.
func (s *Swarm) distances() {
	s.squares = s.squares[:0]
	for i := range s.Len() {
		for j := range i {
			d := floats.Distance(s.Particle(i), s.Particle(j), 2)
			s.near.Data[i*s.Len()+j], s.near.Data[j*s.Len()+i] = d*d, d*d
			s.squares = append(s.squares, d*d)
		}
		s.near.Data[i*s.Len()+i] = 0
	}
}

// bandwidth is log V over the median of the squares, 1 where that says nothing.
func (s *Swarm) bandwidth() float64 {
	if len(s.squares) == 0 {
		return 1
	}
	slices.Sort(s.squares)
	if median := s.squares[len(s.squares)/2]; median > 0 {
		return max(s.Narrow, 1) * math.Log(float64(s.Len())) / median
	}
	return 1
}

// Move adds the directions times a rate.
func (s *Swarm) Move(directions [][]float64, rate float64) {
	for v, d := range directions {
		floats.AddScaled(s.Particle(v), rate, d)
	}
}
