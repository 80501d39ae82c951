package fidelity

import (
	"math"

	"gonum.org/v1/gonum/cmplxs"
	"gonum.org/v1/gonum/floats"
)

// uplinkNetwork is the links of a task with samples of their fading, in the form in which rates need them: what does not depend on the
// powers is computed once.
type uplinkNetwork struct {
	losses [users]float64 // path loss of each user to the own base station, dB
	// samples of what each base station hears.
	samples [][cells]heard
}

// heard is what a base station hears in one sample of the fading, at power 1 of each user.
type heard struct {
	// own are the channels of its own users beside each other: row i has those of antenna i.
	own [baseAntennas][]complex128
	// grams are H H* of the channel H of each user of any cell: lower triangles, real and imaginary parts in turn.
	grams [users][]float64
}

// newUplink draws the samples of a task.
func newUplink(seed uint64, task, samples int) *uplinkNetwork {
	layout, stream := uplinkTask(seed, task)
	n := &uplinkNetwork{samples: make([][cells]heard, samples)}
	var paths [users][cells]uplinkPath
	for u := range paths {
		for c := range cells {
			paths[u][c] = layout.path(u, c)
		}
		n.losses[u] = paths[u][u/cellUsers].loss
	}
	for s := range n.samples {
		for c := range cells {
			h := &n.samples[s][c]
			for u := range paths {
				h.add(paths[u][c].draw(layout.facing[u], stream), u, c)
			}
		}
	}
	return n
}

// add takes up the channel of a user to base station c.
func (h *heard) add(channel channel, u, c int) {
	gram := make([]float64, 0, 2*packed(baseAntennas))
	row := func(i int) []complex128 { return channel[i*userAntennas : (i+1)*userAntennas] }
	for i := range baseAntennas {
		if u/cellUsers == c {
			h.own[i] = append(h.own[i], row(i)...)
		}
		for j := range i + 1 {
			sum := complex(0, 0)
			for k, v := range row(j) {
				sum += row(i)[k] * complex(real(v), -imag(v))
			}
			gram = append(gram, real(sum), imag(sum))
		}
	}
	h.grams[u] = gram
}

// rates returns the rate of each user in bit/s/Hz, averaged over the first so many samples, when user u sends with powers[u] mW from each
// antenna:
//
//	log2 det(I + p H* Γ⁻¹ H),  Γ = I + Σ over all other users v, of any cell, of p_v H_v H_v*.
//
// With T = Γ + p H H*, the sum over all users, the determinant is 1/det(I - p H* T⁻¹ H): one factor of T serves all users of a cell.
func (n *uplinkNetwork) rates(powers *[users]float64, samples int) (out [users]float64) {
	var w uplinkWork
	for s := range samples {
		for c := range cells {
			w.load(&n.samples[s][c], powers)
			for u := c * cellUsers; u < (c+1)*cellUsers; u++ {
				out[u] -= math.Log2(w.unheard(u%cellUsers, powers[u])) / float64(samples)
			}
		}
	}
	return out
}

// uplinkWork is the memory that one evaluation of the rate uses again and again.
type uplinkWork struct {
	sum    [2 * baseAntennas * (baseAntennas + 1) / 2]float64
	factor [baseAntennas * (baseAntennas + 1) / 2]complex128
	solved [baseAntennas][cellUsers * userAntennas]complex128
}

// load makes ready for the users of a cell in one sample.
func (w *uplinkWork) load(h *heard, powers *[users]float64) {
	clear(w.sum[:])
	for u, gram := range h.grams {
		floats.AddScaled(w.sum[:], powers[u], gram)
	}
	for i := range w.factor {
		w.factor[i] = complex(w.sum[2*i], w.sum[2*i+1])
	}
	for i := range baseAntennas {
		w.factor[packed(i)+i]++
	}
	cholesky(w.factor[:], baseAntennas)
	w.solve(h)
}

// solve computes L⁻¹ H for the own users beside each other, where L is the factor.
func (w *uplinkWork) solve(h *heard) {
	for i := range w.solved {
		row := w.solved[i][:]
		copy(row, h.own[i])
		for k, l := range w.factor[packed(i) : packed(i)+i] {
			cmplxs.AddScaled(row, -l, w.solved[k][:])
		}
		cmplxs.ScaleReal(1/real(w.factor[packed(i)+i]), row)
	}
}

// unheard is det(I - p H* T⁻¹ H) of an own user.
func (w *uplinkWork) unheard(u int, power float64) float64 {
	var a [userAntennas * (userAntennas + 1) / 2]complex128
	for k := range w.solved {
		row := w.solved[k][u*userAntennas : (u+1)*userAntennas]
		at := 0
		for i, v := range row {
			for _, other := range row[:i+1] {
				a[at] -= complex(real(v), -imag(v)) * other
				at++
			}
		}
	}
	for i := range a {
		a[i] = complex(power*real(a[i]), power*imag(a[i]))
	}
	for i := range userAntennas {
		a[packed(i)+i]++
	}
	return cholesky(a[:], userAntennas)
}
