package meta

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// classes is what the loss of a task of labels needs besides the pass of the mean.
type classes struct {
	features *network.Pass
	slopes   []float64
}

// lossOfLabels returns -log evidence of the task's labels by Laplace's approximation, each, and adds weight times its gradient to grad; +Inf where it cannot be
// computed. The noise λ is the variance that each latent value has of its own.
func (t *task) lossOfLabels(f Form, theta []float64, weight float64, grad []float64) float64 {
	mean, rest, _ := f.split(theta)
	weights := rest[:len(rest)-hypers]
	radius, scale, noise := math.Exp(rest[len(weights)]), math.Exp(rest[len(weights)+1]), math.Exp(rest[len(weights)+2])
	z, n, h := t.classes.features.Forward(weights, t.in), len(t.X), f.Features.Outputs()
	far, k := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			d := floats.Distance(z[i*h:(i+1)*h], z[j*h:(j+1)*h], 2) / radius
			far.SetSym(i, j, d*d)
			k.SetSym(i, j, scale*math.Exp(-d*d))
		}
		k.SetSym(i, i, scale+noise)
	}
	l, ok := NewLaplace(k, append([]float64(nil), t.pass.Forward(mean, t.in)...), t.Y)
	if !ok {
		return math.Inf(1)
	}
	g, dmean := l.Slopes()
	clear(t.classes.slopes)
	clear(t.grad)
	tail := t.grad[len(weights):]
	for i := range n {
		tail[2] += noise * g.At(i, i)
		zi, dz := z[i*h:(i+1)*h], t.classes.slopes[i*h:(i+1)*h]
		for j := range n {
			pull := g.At(i, j) * scale * math.Exp(-far.At(i, j))
			tail[0] += 2 * pull * far.At(i, j)
			tail[1] += pull
			for c, v := range z[j*h : (j+1)*h] {
				dz[c] -= 4 * pull / (radius * radius) * (zi[c] - v)
			}
		}
	}
	t.classes.features.Backward(t.classes.slopes, t.grad[:len(weights)], nil)
	if size := floats.Norm(t.grad, 1); math.IsNaN(size) || math.IsInf(size, 0) {
		return math.Inf(1)
	}
	each, w := 1/float64(n), len(mean)
	floats.AddScaled(grad[w:], -weight*each, t.grad)
	floats.Scale(-weight*each, dmean)
	t.pass.Backward(dmean, grad[:w], nil)
	return -l.LogEvidence() * each
}

// Classifier says how likely label 1 is at a point, given some labels and a prior of the latent values.
type Classifier struct {
	prior   surrogate.Prior
	x       []space.Unit
	laplace *Laplace
}

// NewClassifier returns the classifier for labels 0 and 1 at the points x; false where it cannot be computed. Cost O(n³).
func NewClassifier(p surrogate.Prior, x []space.Unit, labels []float64) (*Classifier, bool) {
	n := len(x)
	k, mean, row := mat.NewSymDense(n, nil), make([]float64, n), make([]float64, n)
	for i, at := range x {
		p.Kernel.Row(row, at, x)
		for j := range i + 1 {
			k.SetSym(i, j, row[j])
		}
		k.SetSym(i, i, row[i]+p.Noise)
		mean[i] = p.Mean
		if p.Trend != nil {
			mean[i] += p.Trend.At(at)
		}
	}
	l, ok := NewLaplace(k, mean, labels)
	return &Classifier{p, x, l}, ok
}

// LogEvidence returns the approximate log density of the labels.
func (c *Classifier) LogEvidence() float64 { return c.laplace.LogEvidence() }

// Probability returns that of label 1 at a point. Cost O(n²).
func (c *Classifier) Probability(x space.Unit) float64 {
	row, mean := make([]float64, len(c.x)), c.prior.Mean
	c.prior.Kernel.Row(row, x, c.x)
	if c.prior.Trend != nil {
		mean += c.prior.Trend.At(x)
	}
	return Probability(c.laplace.Latent(row, c.prior.Kernel.Diag(x)+c.prior.Noise, mean))
}
