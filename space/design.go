package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Design says how the initial points are spread. Its zero value is Uniform.
type Design int

// The initial designs.
const (
	Uniform        Design = iota // independent uniform points
	LatinHypercube               // one point in each of n slices of every coordinate
	Halton                       // scrambled low-discrepancy points (Owen 2017)
)

var designs = []string{Uniform: "uniform", LatinHypercube: "latin-hypercube", Halton: "halton"}

// Designs returns the names of the designs, by their values.
func Designs() []string { return slices.Clone(designs) }

// String returns the name of the design.
func (d Design) String() string {
	if d >= 0 && int(d) < len(designs) {
		return designs[d]
	}
	return fmt.Sprintf("Design(%d)", int(d))
}

// Sample returns n points of the unit cube, snapped to the space. In a finite list each point is drawn from the list;
// Uniform gives all of them equal chances. What is held is drawn like an action; the caller overwrites it.
func (s Space) Sample(design Design, n int, stream *rand.Rand) []Unit {
	raw := make([]Unit, n)
	d := s.Dim()
	switch {
	case n == 0:
		return raw
	case design == Uniform:
		for i := range raw {
			raw[i] = s.Random(stream)
		}
		return raw
	case design == LatinHypercube:
		raw = latinHypercube(n, d, stream)
	default:
		raw = HaltonPoints(n, d, stream)
	}
	for i, u := range raw {
		raw[i] = s.Snap(u)
	}
	return raw
}

// SampleOpen is Sample for contexts and fidelities that are not known yet: where a parameter depends on one, every parameter has a coordinate as
// if it were active. The caller sets them, then calls Canonical.
func (s Space) SampleOpen(design Design, n int, stream *rand.Rand) []Unit {
	if !s.facesHeld() {
		return s.Sample(design, n, stream)
	}
	always := s
	always.when = nil
	return always.Sample(design, n, stream)
}

// Random returns one uniform point of the unit cube, snapped to the space; of a finite list, each point has the
// same chance.
func (s Space) Random(stream *rand.Rand) Unit { return s.random(nil, stream) }

// RandomAt is Random at unit coordinates of the parameters that are held, in their order.
func (s Space) RandomAt(held Unit, stream *rand.Rand) Unit {
	u := s.random(held, stream)
	for j, i := range s.held {
		u[i] = held[j]
	}
	return u
}

// random is RandomAt, with held coordinates that are drawn where none are given.
func (s Space) random(held Unit, stream *rand.Rand) Unit {
	u := s.uniform(stream)
	if s.points == nil {
		return s.snap(u, held)
	}
	point := s.unit[stream.IntN(len(s.unit))]
	for j, i := range s.actions {
		u[i] = point[j]
	}
	for _, i := range s.held {
		p := s.parameters[i]
		if p.discrete() {
			u[i] = p.Unit(p.Value(u[i]))
		}
	}
	return u
}

// uniform returns a point of the unit cube as it is drawn.
func (s Space) uniform(stream *rand.Rand) Unit {
	u := make([]float64, s.Dim())
	for i := range u {
		u[i] = stream.Float64()
	}
	return u
}

// latinHypercube returns n points of the d-dimensional unit cube, one in each of n slices of every coordinate. McKay et al. 1979.
func latinHypercube(n, d int, stream *rand.Rand) []Unit {
	points := cube(n, d)
	for j := range d {
		for slice, i := range stream.Perm(n) {
			points[i][j] = stream.Float64()/float64(n) + float64(slice)/float64(n)
		}
	}
	return points
}
