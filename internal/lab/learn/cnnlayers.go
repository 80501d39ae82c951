package learn

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
)

const (
	minSide = 4    // 3 x 3 filters leave 2 x 2 of it, which pool to one cell
	maxSide = 1024 // with it, the number of features fits 32 bits
	taps    = 9    // weights of a filter
)

// shape holds the sizes of a network.
type shape struct {
	width, height, classes, channels, hidden int

	cellsWide, cellsHigh int // of an image after filters and pooling
	features             int // channels x cellsHigh x cellsWide, in this order: what the first dense layer sees
	inputs               int // what the last one sees: the outputs of the hidden layer, or the features without one
}

func newShape(width, height, classes, channels, hidden int) shape {
	s := shape{width: width, height: height, classes: classes, channels: channels, hidden: hidden}
	s.cellsWide, s.cellsHigh = (width-2)/2, (height-2)/2
	s.features = channels * s.cellsWide * s.cellsHigh
	if s.inputs = hidden; hidden == 0 {
		s.inputs = s.features
	}
	return s
}

// parameters returns how many weights and biases there are.
func (s *shape) parameters() int {
	return s.channels*(taps+1) + s.hidden*(s.features+1) + s.classes*(s.inputs+1)
}

// parameters holds the weights and biases of a network, or the gradient in them, in one contiguous slice with its parts.
type parameters struct {
	all     []float64
	weights []float64 // filters and dense: those that the penalty is on

	filters      []float64 // channels x 9, each filter row by row
	inner        []float64 // hidden x features, by rows
	dense        []float64 // classes x inputs, by rows
	filterBiases []float64 // one for each channel
	innerBiases  []float64 // one for each output of the hidden layer
	denseBiases  []float64 // one for each class
}

// view returns the parts of a slice of s.parameters() numbers.
func (s *shape) view(all []float64) parameters {
	p, rest := parameters{all: all}, all
	next := func(n int) []float64 {
		part := rest[:n]
		rest = rest[n:]
		return part
	}
	p.filters, p.inner, p.dense = next(s.channels*taps), next(s.hidden*s.features), next(s.classes*s.inputs)
	p.weights = all[:len(all)-len(rest)]
	p.filterBiases, p.innerBiases, p.denseBiases = next(s.channels), next(s.hidden), next(s.classes)
	return p
}

// initialize draws the weights of He et al. 2015: normal with variance 2 over the number of inputs.
func (p parameters) initialize(s shape, stream *rand.Rand) {
	for i := range p.filters {
		p.filters[i] = stream.NormFloat64() * math.Sqrt(2.0/taps)
	}
	for i := range p.inner {
		p.inner[i] = stream.NormFloat64() * math.Sqrt(2/float64(s.features))
	}
	for i := range p.dense {
		p.dense[i] = stream.NormFloat64() * math.Sqrt(2/float64(s.inputs))
	}
}

// pass is the memory of a pass of one image through a network, forth and back.
type pass struct {
	features []float64 // output of filters, ReLU and pooling
	winners  []int32   // for each feature the first pixel of the window it comes from, -1 where the ReLU is shut
	hidden   []float64 // output of the hidden layer and its ReLU
	scores   []float64
	slopes   []float64 // of the loss in the features
	inner    []float64 // of the loss in the output of the hidden layer
}

func newPass(s shape) *pass {
	return &pass{
		features: make([]float64, s.features), winners: make([]int32, s.features),
		hidden: make([]float64, s.hidden), scores: make([]float64, s.classes), slopes: make([]float64, s.features), inner: make([]float64, s.hidden),
	}
}

// extract computes features and winners of an image. ReLU and maximum commute, so each cell is the largest of its four
// filter outputs or zero, whichever is more. Of equal outputs the first in reading order wins, and zero beats an output
// of zero, so that nothing flows back through a ReLU that is just shut.
func (s *shape) extract(p parameters, x []float64, m *pass) {
	w, next := s.width, 0
	for c := range s.channels {
		f := (*[taps]float64)(p.filters[c*taps:])
		for row := range s.cellsHigh {
			top := 2 * row * w
			s.extractRow(f, p.filterBiases[c], x[top:top+4*w], top, m.features[next:next+s.cellsWide], m.winners[next:])
			next += s.cellsWide
		}
	}
}

// extractRow computes one row of cells of one filter from four rows of pixels, the first of which is pixel top of the
// image. The four outputs of a cell are computed beside each other from 4 x 4 pixels, each loaded once, and the filtered
// image is never stored.
func (s *shape) extractRow(f *[taps]float64, bias float64, x []float64, top int, features []float64, winners []int32) {
	w := s.width
	r0, r1, r2, r3 := x[:w], x[w:2*w], x[2*w:3*w], x[3*w:4*w]
	winners = winners[:len(features)]
	for cell := range features {
		i := 2 * cell
		r := (*[4]float64)(r0[i:])
		a, b, c, d := r[0], r[1], r[2], r[3]
		f0, f1, f2 := f[0], f[1], f[2]
		v0 := bias + (f0*a + f1*b + f2*c)
		v1 := bias + (f0*b + f1*c + f2*d)
		r = (*[4]float64)(r1[i:])
		a, b, c, d = r[0], r[1], r[2], r[3]
		v2 := bias + (f0*a + f1*b + f2*c)
		v3 := bias + (f0*b + f1*c + f2*d)
		f0, f1, f2 = f[3], f[4], f[5]
		v0 += f0*a + f1*b + f2*c
		v1 += f0*b + f1*c + f2*d
		r = (*[4]float64)(r2[i:])
		a, b, c, d = r[0], r[1], r[2], r[3]
		v2 += f0*a + f1*b + f2*c
		v3 += f0*b + f1*c + f2*d
		f0, f1, f2 = f[6], f[7], f[8]
		v0 += f0*a + f1*b + f2*c
		v1 += f0*b + f1*c + f2*d
		r = (*[4]float64)(r3[i:])
		a, b, c, d = r[0], r[1], r[2], r[3]
		v2 += f0*a + f1*b + f2*c
		v3 += f0*b + f1*c + f2*d
		best, window := higher(v0, top+i, 0, -1)
		best, window = higher(v1, top+i+1, best, window)
		best, window = higher(v2, top+i+w, best, window)
		best, window = higher(v3, top+i+w+1, best, window)
		features[cell], winners[cell] = math.Float64frombits(uint64(best)), int32(window)
	}
}

// higher returns the output v of the window that starts at pixel start, as the bits of a float64, if it is more than
// the best so far, and otherwise the best with its window. Positive floats are ordered as their bits are, and the bits
// of a negative one are a negative integer. Integers, because they are chosen without a branch: no processor can
// predict which of four outputs is the largest, and its wrong guesses took half of the time.
func higher(v float64, start int, best int64, window int) (int64, int) {
	if bits := int64(math.Float64bits(v)); bits > best {
		best, window = bits, start
	}
	return best, window
}

// score computes the score of each class from the features.
func (s *shape) score(p parameters, m *pass) {
	for j := range m.hidden {
		m.hidden[j] = max(floats.Dot(p.inner[j*s.features:(j+1)*s.features], m.features)+p.innerBiases[j], 0)
	}
	inputs := s.seen(m)
	for k := range m.scores {
		m.scores[k] = floats.Dot(p.dense[k*s.inputs:(k+1)*s.inputs], inputs) + p.denseBiases[k]
	}
}

// seen is what the last layer sees.
func (s *shape) seen(m *pass) []float64 {
	if s.hidden == 0 {
		return m.features
	}
	return m.hidden
}

// back adds share times the gradient of the loss of one image to g. Features, winners, hidden and scores in m must be those of
// the image.
func (s *shape) back(p, g parameters, x []float64, label int, share float64, m *pass) {
	total := floats.LogSumExp(m.scores)
	clear(m.slopes)
	clear(m.inner)
	inputs, slopes := s.seen(m), m.slopes
	if s.hidden > 0 {
		slopes = m.inner
	}
	for k, score := range m.scores {
		slope := math.Exp(score - total) // the probability of the class
		if k == label {
			slope--
		}
		slope *= share
		floats.AddScaled(g.dense[k*s.inputs:(k+1)*s.inputs], slope, inputs)
		floats.AddScaled(slopes, slope, p.dense[k*s.inputs:(k+1)*s.inputs])
		g.denseBiases[k] += slope
	}
	s.backHidden(p, g, m)
	s.backFilters(g, x, m)
}

// backHidden adds the gradient in the hidden layer, and the slopes of the features. Nothing flows back through a ReLU that is shut.
func (s *shape) backHidden(p, g parameters, m *pass) {
	for j, slope := range m.inner {
		if m.hidden[j] == 0 {
			continue
		}
		floats.AddScaled(g.inner[j*s.features:(j+1)*s.features], slope, m.features)
		floats.AddScaled(m.slopes, slope, p.inner[j*s.features:(j+1)*s.features])
		g.innerBiases[j] += slope
	}
}

// backFilters adds the gradient in filters and their biases, given the slopes of the features. Only the winner of a
// cell has an influence on it.
func (s *shape) backFilters(g parameters, x []float64, m *pass) {
	w, cells := s.width, s.cellsWide*s.cellsHigh
	for c := range s.channels {
		slopes := m.slopes[c*cells : (c+1)*cells]
		var sum float64
		var s0, s1, s2, s3, s4, s5, s6, s7, s8 float64
		for cell, winner := range m.winners[c*cells : (c+1)*cells] {
			if winner < 0 {
				continue
			}
			v, at := slopes[cell], int(winner)
			r0, r1, r2 := (*[3]float64)(x[at:]), (*[3]float64)(x[at+w:]), (*[3]float64)(x[at+2*w:])
			sum += v
			s0, s1, s2 = s0+v*r0[0], s1+v*r0[1], s2+v*r0[2]
			s3, s4, s5 = s3+v*r1[0], s4+v*r1[1], s5+v*r1[2]
			s6, s7, s8 = s6+v*r2[0], s7+v*r2[1], s8+v*r2[2]
		}
		f := (*[taps]float64)(g.filters[c*taps:])
		f[0], f[1], f[2] = f[0]+s0, f[1]+s1, f[2]+s2
		f[3], f[4], f[5] = f[3]+s3, f[4]+s4, f[5]+s5
		f[6], f[7], f[8] = f[6]+s6, f[7]+s7, f[8]+s8
		g.filterBiases[c] += sum
	}
}
