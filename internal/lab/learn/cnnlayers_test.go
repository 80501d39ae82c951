package learn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/rng"
)

// drawn returns a network with random weights and biases, and n random images with labels for it.
func drawn(s shape, n int) (m *CNNModel, x [][]float64, y []int) {
	r := rng.New(1, rng.Test, 2)
	m = &CNNModel{shape: s, params: s.view(make([]float64, s.parameters()))}
	for i := range m.params.all {
		m.params.all[i] = r.NormFloat64() / 2
	}
	for range n {
		image := make([]float64, s.width*s.height)
		for j := range image {
			image[j] = r.Float64()
		}
		x, y = append(x, image), append(y, r.IntN(s.classes))
	}
	return m, x, y
}

func TestGradientOfTheNetworkAgainstFiniteDifferences(t *testing.T) {
	s := newShape(7, 6, 3, 2, 0) // 5 x 4 after the filters, 2 x 2 after pooling: one column is dropped
	m, x, y := drawn(s, 9)
	rows, memory := []int{3, 1, 4, 8, 5}, newPass(s)
	for _, decay := range []float64{0, 0.3} {
		loss := func(p []float64) float64 {
			return (&CNNModel{shape: s, params: s.view(p)}).loss(memory, x, y, rows, decay)
		}
		want := s.view(fd.Gradient(nil, loss, m.params.all, &fd.Settings{Formula: fd.Central}))
		got := s.view(make([]float64, s.parameters()))
		m.gradient(got, memory, x, y, rows, decay)
		for _, group := range []struct {
			name      string
			got, want []float64
			size      int
		}{
			{"filters", got.filters, want.filters, 2 * 9},
			{"biases of filters", got.filterBiases, want.filterBiases, 2},
			{"dense weights", got.dense, want.dense, 3 * 2 * 2 * 2},
			{"dense biases", got.denseBiases, want.denseBiases, 3},
		} {
			if len(group.got) != group.size || floats.Norm(group.want, 1) < 1e-3 {
				t.Fatalf("%s: %d derivatives, want %d that are not all zero: %v", group.name, len(group.got), group.size, group.want)
			}
			for i, g := range group.got {
				near(t, fmt.Sprintf("decay %g, %s: derivative %d", decay, group.name, i), g, group.want[i], 1e-8)
			}
		}
	}
}

// The filtered image is computed in full, one pixel after the other, and then pooled.
func TestFeaturesAgainstTheDefinition(t *testing.T) {
	for _, size := range [][2]int{{4, 4}, {5, 4}, {4, 7}, {8, 8}, {9, 11}, {28, 28}} {
		s := newShape(size[0], size[1], 2, 3, 0)
		m, x, _ := drawn(s, 3)
		memory, shut := newPass(s), 0
		for _, image := range x {
			s.extract(m.params, image, memory)
			for i, got := range memory.features {
				cells := s.cellsWide * s.cellsHigh
				c, row, column := i/cells, i%cells/s.cellsWide*2, i%s.cellsWide*2
				want, winner := 0.0, int32(-1)
				for dy := range 2 {
					for dx := range 2 {
						first := (row+dy)*s.width + column + dx
						if v := filtered(m.params, image, s.width, c, first); v > want {
							want, winner = v, int32(first)
						}
					}
				}
				near(t, fmt.Sprintf("%v: feature %d", size, i), got, want, 1e-14)
				if memory.winners[i] != winner {
					t.Errorf("%v: winner of cell %d is %d, want %d", size, i, memory.winners[i], winner)
				}
				if winner < 0 {
					shut++
				}
			}
		}
		if n := 3 * s.features; n > 50 && (shut == 0 || shut == n) {
			t.Errorf("%v: %d of %d cells are shut", size, shut, n)
		}
	}
}

// filtered returns the output of filter c at the window whose first pixel is first.
func filtered(p parameters, x []float64, width, c, first int) float64 {
	v := p.filterBiases[c]
	for k, f := range p.filters[9*c : 9*c+9] {
		v += f * x[first+k/3*width+k%3]
	}
	return v
}

// A filter that copies the middle of its window, on an image whose middle is two blocks of 2 x 2.
func TestPoolingWithTies(t *testing.T) {
	s := newShape(6, 4, 2, 1, 0)
	p := s.view(make([]float64, s.parameters()))
	p.filters[4] = 1
	image := func(a, b, c, d, e, f, g, h float64) []float64 {
		return []float64{
			9, 9, 9, 9, 9, 9,
			9, a, b, e, f, 9,
			9, c, d, g, h, 9,
			9, 9, 9, 9, 9, 9,
		}
	}
	for _, tc := range []struct {
		what    string
		image   []float64
		bias    float64
		want    []float64
		winners []int32 // windows begin a row and a column before their middle
	}{
		{"each place wins", image(1, 2, 3, 4, 5, 8, 7, 6), 0, []float64{4, 8}, []int32{7, 3}},
		{"the first of four", image(3, 3, 3, 3, 1, 3, 3, 3), 0, []float64{3, 3}, []int32{0, 3}},
		{"the first of two", image(1, 0, 2, 2, 2, 1, 2, 0), 0, []float64{2, 2}, []int32{6, 2}},
		{"zero is shut", image(0, 0, 0, 0, -1, 0, -1, -2), 0, []float64{0, 0}, []int32{-1, -1}},
		{"minus zero is shut", image(0, 0, 0, 0, 0, 0, 0, 0), math.Copysign(0, -1), []float64{0, 0}, []int32{-1, -1}},
		{"the bias shuts", image(1, 2, 3, 4, 1, 1, 1, 5), -4, []float64{0, 1}, []int32{-1, 9}},
		{"the bias opens", image(-1, -2, -3, -4, -9, -8, -7, -6), 6.5, []float64{5.5, 0.5}, []int32{0, 9}},
	} {
		memory := newPass(s)
		p.filterBiases[0] = tc.bias
		s.extract(p, tc.image, memory)
		if !slices.Equal(memory.features, tc.want) || !slices.Equal(memory.winners, tc.winners) {
			t.Errorf("%s: features %v of %v, want %v of %v", tc.what, memory.features, memory.winners, tc.want, tc.winners)
		}
	}
}
