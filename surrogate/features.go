package surrogate

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/space"
)

// Features is the kernel v exp(-|ψ(x) - ψ(x')|²/r²), where ψ is a network whose weights are not hyperparameters: who has learned them from
// other data makes the kernel of them (NewFeatures). Over a fidelity it is times exp(-g (m - m')²), as ICM, and ψ does not see
// that coordinate. Hyperparameters: radius r, outputscale v, and decay g over a fidelity. The name ends with a fingerprint of network and
// weights, so that what describes the kernel by name and values finds another one out, and cannot make it: that takes the weights.
//
// Cost: ψ of a point is one pass, O(weights). A posterior, a pool and the evidence keep ψ of their points, 8
// bytes for each feature, so that a row of n covariances with a new point is one pass and O(n·features); its derivatives are two passes back.
// A row over points that are in nobody's keeping takes a pass for each.
type Features struct {
	net                        *features
	axis                       FidelityAxis // no fidelity without levels
	radius, outputscale, decay float64
	dim, wide                  int // coordinates, and with the features behind them
}

// features is a network with its weights. It never changes.
type features struct {
	shape    network.Shape
	weights  []float64
	encoding Encoding
	name     string
}

// NewEncodedFeatures is NewFeatures without a fidelity, where the network sees points in that encoding.
func NewEncodedFeatures(shape network.Shape, weights []float64, encoding Encoding) (Features, error) {
	return newFeatures(shape, weights, nil, encoding)
}

// NewFeatures returns the kernel over the network of the shape with those weights (copied), in its order, with the radius and the
// outputscale 1, and the mode of DecayPrior for the decay. axis may be nil; otherwise the points have one coordinate more than the network
// inputs. Weights that are not finite or not as many as the shape has are an error, and so is a shape that is none (check.FieldError).
func NewFeatures(shape network.Shape, weights []float64, axis *FidelityAxis) (Features, error) {
	return newFeatures(shape, weights, axis, nil)
}

func newFeatures(shape network.Shape, weights []float64, axis *FidelityAxis, encoding Encoding) (Features, error) {
	var l check.List
	if !shape.Valid() {
		l.Add("Features.Shape", shape, "inputs and layers")
		return Features{}, l.Err()
	}
	checkWeights(&l, "Features", shape, weights, encoding)
	k := Features{radius: 1, outputscale: 1, decay: DecayPrior().Mode()}
	if axis != nil {
		k.axis = *axis
		l.Between("Features.At", axis.At, 0, shape.Inputs)
		l.Require(axis.Levels >= 2, "Features.Levels", axis.Levels, "at least 2")
	}
	shape.Layers = slices.Clone(shape.Layers)
	k.dim = shape.Inputs
	if encoding != nil {
		k.dim = len(encoding)
	}
	if k.fidelity() {
		k.dim++
	}
	k.wide = k.dim + shape.Outputs()
	hash := fnv.New64a()
	fmt.Fprintln(hash, shape, k.axis, encoding)
	hash.Write(pointKey(nil, weights))
	k.net = &features{shape, slices.Clone(weights), slices.Clone(encoding), fmt.Sprintf("features-%016x", hash.Sum64())}
	return k, l.Err()
}

// Name returns "features-" and the fingerprint of the network.
func (k Features) Name() string { return k.net.name }

// Dim returns the number of the network's inputs, and one more over a fidelity.
func (k Features) Dim() int { return k.dim }

func (k Features) fidelity() bool { return k.axis.Levels > 0 }

func (k Features) steps() float64 { return float64(k.axis.Levels - 1) }

// Diag returns the outputscale.
func (k Features) Diag(space.Unit) float64 { return k.outputscale }

// Hyper describes radius, outputscale and, over a fidelity, decay.
func (k Features) Hyper() []Hyperparameter {
	all := []Hyperparameter{{"radius", Shape, leastLength, greatestLength}, outputscaleHyper()}
	if k.fidelity() {
		all = append(all, Hyperparameter{"decay", Decay, leastDecay, greatestDecay})
	}
	return all
}

// Values returns radius, outputscale and, over a fidelity, decay.
func (k Features) Values() []float64 {
	values := []float64{k.radius, k.outputscale}
	if k.fidelity() {
		values = append(values, k.decay)
	}
	return values
}

// WithValues returns the kernel with other hyperparameters.
func (k Features) WithValues(values []float64) Kernel {
	checkParams(len(k.Hyper()), values)
	k.radius, k.outputscale = values[0], values[1]
	if k.fidelity() {
		k.decay = values[2]
	}
	return k
}

// Params returns the logarithms of Values.
func (k Features) Params() []float64 { return logarithms(k.Values()) }

// WithParams returns the kernel with other hyperparameters, in the order of Params.
func (k Features) WithParams(log []float64) Kernel {
	checkParams(len(k.Hyper()), log)
	return k.WithValues(exponentials(log))
}

// WithCategories returns the kernel as it is.
func (k Features) WithCategories([]bool) Kernel { return k }

// Validate reports a radius and a decay outside [1e-9, 1e9] and an outputscale outside [1e-100, 1e100].
func (k Features) Validate() error {
	var l check.List
	l.Require(k.net != nil, "Features", nil, "a kernel that NewFeatures made")
	l.Within("Features.Radius", k.radius, leastLength, greatestLength)
	l.Within("Features.Outputscale", k.outputscale, leastScale, greatestScale)
	if k.fidelity() {
		l.Within("Features.Decay", k.decay, leastDecay, greatestDecay)
	}
	return l.Err()
}

// Eval returns k(a, b).
func (k Features) Eval(a, b space.Unit) float64 {
	return k.outputscale * expNeg(-k.distance(k.keepMissingOne(a), k.keepMissingOne(b)))
}

// check panics where a point has neither coordinates alone nor features behind them.
func (k *Features) check(x space.Unit) {
	if len(x) != k.dim && len(x) != k.wide {
		panic("surrogate: point of the wrong dimension")
	}
}

// distance is |ψ(a) - ψ(b)|²/r² + g (m - m')² of points with their features.
func (k *Features) distance(a, b space.Unit) float64 {
	far, level := k.distances(a, b)
	return far + level
}

// distances are the terms of distance.
func (k *Features) distances(a, b space.Unit) (far, level float64) {
	far = squaredDifference(a[k.dim:], b[k.dim:]) * (1 / (k.radius * k.radius))
	if k.fidelity() {
		t := (a[k.axis.At] - b[k.axis.At]) * k.steps()
		level = k.decay * (t * t)
	}
	return far, level
}

// squaredDifference returns |a - b|², in four sums that do not wait for each other.
//
//go:norace
//go:nocheckptr
func squaredDifference(a, b []float64) float64 {
	reads(a)
	reads(b)
	var s0, s1, s2, s3 float64
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		p, q := a[i:i+4:i+4], b[i:i+4:i+4]
		t0, t1, t2, t3 := p[0]-q[0], p[1]-q[1], p[2]-q[2], p[3]-q[3]
		s0 += t0 * t0
		s1 += t1 * t1
		s2 += t2 * t2
		s3 += t3 * t3
	}
	for ; i < len(a); i++ {
		t := a[i] - b[i]
		s0 += t * t
	}
	return (s0 + s1) + (s2 + s3)
}

// Row fills dst[i] with k(x, xs[i]).
func (k Features) Row(dst []float64, x space.Unit, xs []space.Unit) {
	if len(dst) != len(xs) {
		panic("surrogate: row of the wrong length")
	}
	x, xs = k.keepMissingOne(x), k.keepMissing(xs)
	for i, b := range xs {
		dst[i] = k.outputscale * expNeg(-k.distance(x, b))
	}
}

// GradParams returns k(a, b) and fills dst with the derivatives by Params.
func (k Features) GradParams(dst []float64, a, b space.Unit) float64 {
	clear(dst)
	k.addGradParams(dst, []float64{1}, a, []space.Unit{b})
	return dst[1]
}

// addGradParams adds Σ_i w_i dk(x, xs[i])/d log θ to dst.
func (k Features) addGradParams(dst, w []float64, x space.Unit, xs []space.Unit) {
	x, xs = k.keepMissingOne(x), k.keepMissing(xs)
	for i, b := range xs {
		far, level := k.distances(x, b)
		v := w[i] * k.outputscale * expNeg(-(far + level))
		dst[0] += 2 * v * far
		dst[1] += v
		if k.fidelity() {
			dst[2] -= v * level
		}
	}
}
