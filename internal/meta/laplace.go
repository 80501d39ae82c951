package meta

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// Laplace is a Gaussian process classifier: latent values f with the prior N(m, K), labels 1 with probability 1/(1 + exp(-f)), and the normal approximation to
// the posterior of f at its mode, whose covariance is (K⁻¹ + W)⁻¹ with W = diag(π(1-π)) (Rasmussen & Williams 2006, section 3.4). Make it with
// NewLaplace.
type Laplace struct {
	mean   []float64
	mode   []float64 // f
	a      []float64 // K⁻¹(f - m), which is the gradient of log p(y|f) at the mode
	w      []float64
	k      *mat.SymDense
	factor mat.Cholesky // of B = I + W^½ K W^½
	log    float64
}

const (
	laplaceTolerance = 1e-10
	laplaceSteps     = 200
	laplaceHalvings  = 30
)

// NewLaplace finds the mode by Newton's method, with steps that are halved where the density falls. Labels are 0 or 1, one for each row of the covariance k, which
// belongs to the result; the prior mean is as long. False where the numbers are such that no factor can be computed. Cost O(n³) a step.
func NewLaplace(k *mat.SymDense, mean, labels []float64) (*Laplace, bool) {
	n := len(labels)
	l := &Laplace{mean: mean, k: k, mode: append([]float64(nil), mean...), a: make([]float64, n), w: make([]float64, n)}
	value := l.density(l.mode, l.a, labels)
	for range laplaceSteps {
		next, a, ok := l.newton(labels)
		if !ok {
			return nil, false
		}
		moved := 0.0
		for range laplaceHalvings {
			if v := l.density(next, a, labels); v >= value-1e-12*math.Abs(value) {
				value = v
				break
			}
			for i := range next {
				next[i], a[i] = (next[i]+l.mode[i])/2, (a[i]+l.a[i])/2
			}
		}
		for i, f := range next {
			moved = math.Max(moved, math.Abs(f-l.mode[i]))
		}
		if l.mode, l.a = next, a; moved < laplaceTolerance {
			break
		}
	}
	if !l.weigh() {
		return nil, false
	}
	l.log = value - 0.5*l.factor.LogDet() // Σ log L_ii
	for i, f := range l.mode {
		l.a[i] = labels[i] - sigmoid(f) // at the mode the same, with fewer digits lost
	}
	return l, !math.IsNaN(l.log) && !math.IsInf(l.log, 0)
}

// density is -½ aᵀ(f - m) + Σ log p(y|f).
func (l *Laplace) density(f, a, labels []float64) float64 {
	var sum float64
	for i, v := range f {
		sum -= 0.5*a[i]*(v-l.mean[i]) + softplus((1-2*labels[i])*v)
	}
	return sum
}

// weigh computes W at the mode, and the factor of B.
func (l *Laplace) weigh() bool {
	n := len(l.mode)
	b := mat.NewSymDense(n, nil)
	for i, f := range l.mode {
		p := sigmoid(f)
		l.w[i] = p * (1 - p)
		for j := range i + 1 {
			b.SetSym(i, j, math.Sqrt(l.w[i]*l.w[j])*l.k.At(i, j))
		}
		b.SetSym(i, i, b.At(i, i)+1)
	}
	return l.factor.Factorize(b)
}

// newton returns the next f, and the a that goes with it.
func (l *Laplace) newton(labels []float64) (f, a []float64, ok bool) {
	if !l.weigh() {
		return nil, nil, false
	}
	n := len(l.mode)
	b := mat.NewVecDense(n, nil)
	for i, v := range l.mode {
		b.SetVec(i, l.w[i]*(v-l.mean[i])+labels[i]-sigmoid(v))
	}
	kb, c := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	kb.MulVec(l.k, b)
	for i := range n {
		kb.SetVec(i, math.Sqrt(l.w[i])*kb.AtVec(i))
	}
	if l.factor.SolveVecTo(c, kb) != nil {
		return nil, nil, false
	}
	for i := range n {
		b.SetVec(i, b.AtVec(i)-math.Sqrt(l.w[i])*c.AtVec(i))
	}
	kb.MulVec(l.k, b)
	f, a = make([]float64, n), make([]float64, n)
	for i := range n {
		f[i], a[i] = l.mean[i]+kb.AtVec(i), b.AtVec(i)
	}
	return f, a, true
}

// LogEvidence returns the approximate log density of the labels.
func (l *Laplace) LogEvidence() float64 { return l.log }

// Mode returns the mode of the latent values. Read only.
func (l *Laplace) Mode() []float64 { return l.mode }

// Latent returns mean and variance of the latent value at a point, of which its covariances with the rows, its prior variance and its prior mean are given.
func (l *Laplace) Latent(row []float64, variance, mean float64) (mu, v float64) {
	n := len(row)
	scaled, solved := mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	mu = mean
	for i, c := range row {
		mu += c * l.a[i]
		scaled.SetVec(i, math.Sqrt(l.w[i])*c)
	}
	if l.factor.SolveVecTo(solved, scaled) != nil {
		return mu, variance
	}
	return mu, math.Max(variance-mat.Dot(scaled, solved), 0)
}

// wideLatent is the variance from which on a latent value spreads so far that 32 points miss the step of the sigmoid between them.
const wideLatent = 20

// Probability returns the probability of label 1 where the latent value is normal, within 0.0005: by Gauss-Hermite quadrature with 32 points. From wideLatent
// on the quadrature is too coarse. The label is 1 where the latent value plus one of the logistic law, of variance π²/3, is positive; that sum is then as good as
// normal.
func Probability(mu, variance float64) float64 {
	if variance > wideLatent {
		return math.Erfc(-mu/math.Sqrt(2*(variance+math.Pi*math.Pi/3))) / 2
	}
	var x, w [32]float64
	quad.Hermite{}.FixedLocations(x[:], w[:], math.Inf(-1), math.Inf(1))
	var sum float64
	for i, u := range x {
		sum += w[i] * sigmoid(mu+math.Sqrt2*math.Sqrt(variance)*u)
	}
	return sum / math.Sqrt(math.Pi)
}

// CheapProbability is close to Probability, without quadrature (MacKay 1992).
func CheapProbability(mu, variance float64) float64 {
	return sigmoid(mu / math.Sqrt(1+math.Pi*variance/8))
}

// Slopes returns the derivatives of the log evidence: by the covariance, symmetric, so that it changes by Σ_ij G_ij dK_ij, and by the prior mean. The mode moves
// with both (Rasmussen & Williams 2006, section 5.5.1).
func (l *Laplace) Slopes() (g *mat.SymDense, dmean []float64) {
	n := len(l.mode)
	root := mat.NewDiagDense(n, nil)
	for i, w := range l.w {
		root.SetDiag(i, math.Sqrt(w))
	}
	var inverse mat.SymDense
	if l.factor.InverseTo(&inverse) != nil {
		return mat.NewSymDense(n, nil), make([]float64, n)
	}
	var r, kr, posterior mat.Dense // R = W^½ B⁻¹ W^½, and (K⁻¹ + W)⁻¹ = K - K R K
	r.Mul(root, &inverse)
	r.Mul(&r, root)
	kr.Mul(l.k, &r)
	posterior.Mul(&kr, l.k)
	// By f the density has no slope at its mode but through log |B|: half of the diagonal of the posterior covariance times dW/df.
	byMode := mat.NewVecDense(n, nil)
	for i, f := range l.mode {
		p := sigmoid(f)
		byMode.SetVec(i, -0.5*(l.k.At(i, i)-posterior.At(i, i))*p*(1-p)*(1-2*p))
	}
	// df = (I + K W)⁻¹ (dK a + dm) = (I - K R)(dK a + dm).
	u := mat.NewVecDense(n, nil)
	u.MulVec(kr.T(), byMode)
	u.SubVec(byMode, u)
	g, dmean = mat.NewSymDense(n, nil), make([]float64, n)
	for i := range n {
		dmean[i] = l.a[i] + u.AtVec(i)
		for j := range i + 1 {
			g.SetSym(i, j, 0.5*(l.a[i]*l.a[j]-r.At(i, j))+0.5*(u.AtVec(i)*l.a[j]+u.AtVec(j)*l.a[i]))
		}
	}
	return g, dmean
}

func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// softplus is log(1 + exp(x)).
func softplus(x float64) float64 { return math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
