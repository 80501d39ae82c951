package surrogate

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
)

// dense is a Gaussian process by Gaussian elimination, with the noise of each target by itself.
type dense struct {
	prior Prior
	x     []space.Unit
	y     []float64
	noise []float64
}

// solve returns A⁻¹ b, and log det A, by elimination with pivots.
func (d dense) solve(b []float64) (out []float64, logDet float64) {
	n := len(d.x)
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range n {
			a[i][j] = d.prior.Kernel.Eval(d.x[i], d.x[j])
		}
		a[i][i] += d.noise[i]
		a[i][n] = b[i]
	}
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		logDet += math.Log(math.Abs(a[c][c]))
		for r := range n {
			if r == c {
				continue
			}
			f := a[r][c] / a[c][c]
			for k := c; k <= n; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	for i := range n {
		out = append(out, a[i][n]/a[i][i])
	}
	return out, logDet
}

func (d dense) row(x space.Unit) []float64 {
	k := make([]float64, len(d.x))
	for i := range k {
		k[i] = d.prior.Kernel.Eval(x, d.x[i])
	}
	return k
}

func (d dense) predict(x space.Unit) (mean, variance float64) {
	centred := make([]float64, len(d.y))
	for i, y := range d.y {
		centred[i] = y - d.prior.Mean
	}
	k := d.row(x)
	alpha, _ := d.solve(centred)
	beta, _ := d.solve(k)
	mean, variance = d.prior.Mean, d.prior.Kernel.Eval(x, x)
	for i := range k {
		mean += k[i] * alpha[i]
		variance -= k[i] * beta[i]
	}
	return mean, variance
}

func (d dense) evidence() float64 {
	centred := make([]float64, len(d.y))
	for i, y := range d.y {
		centred[i] = y - d.prior.Mean
	}
	alpha, logDet := d.solve(centred)
	sum := -0.5*logDet - 0.5*float64(len(d.y))*math.Log(2*math.Pi)
	for i := range alpha {
		sum -= 0.5 * centred[i] * alpha[i]
	}
	return sum
}

// unlike is n points and targets with variances of very different sizes, some of them zero.
func unlike(n int, seed uint64) (x []space.Unit, y, variances []float64) {
	r := stream(seed)
	x, y = randomPoints(r, n, 2), randomTargets(r, n)
	for i := range n {
		variances = append(variances, []float64{0, 0.3, 2, 1e-3}[i%4]*r.Float64())
	}
	return x, y, variances
}

func (d dense) compare(t *testing.T, what string, p *Posterior) {
	t.Helper()
	const tolerance = 1e-8
	for i, x := range append(randomPoints(stream(9), 6, 2), d.x...) {
		mean, variance := d.predict(x)
		gotMean, gotVariance := p.Predict(x)
		near(t, what+": mean", gotMean, mean, tolerance)
		near(t, what+": variance", gotVariance, variance, tolerance)
		if row := i - 6; row >= 0 {
			near(t, what+": mean of the row", p.RowMeans()[row], mean, tolerance)
			near(t, what+": variance of the row", p.VarianceAt(row), variance, tolerance)
			near(t, what+": noise of the row", p.Noise()+p.Known(row), d.noise[row], tolerance)
		}
	}
	near(t, what+": evidence", p.LogEvidence(), d.evidence(), 1e-7)
	gain := 0.0
	_, logDet := d.solve(d.y)
	for _, v := range d.noise {
		gain -= 0.5 * math.Log(v)
	}
	near(t, what+": information gain", p.InformationGain(), gain+0.5*logDet, 1e-7)
	means, variances := p.LeaveOneOut()
	for i := range d.x {
		rest := dense{d.prior, slices.Delete(slices.Clone(d.x), i, i+1), slices.Delete(slices.Clone(d.y), i, i+1), slices.Delete(slices.Clone(d.noise), i, i+1)}
		mean, variance := rest.predict(d.x[i])
		near(t, what+": left out", means[i], mean, 1e-7)
		near(t, what+": variance of the one left out", variances[i], variance+d.noise[i], 1e-7)
	}
	if pool := p.Pool(); pool != nil {
		for i := range pool.Len() {
			mean, variance := d.predict(pool.Point(i))
			near(t, what+": mean of the pool", p.PoolMean()[i], mean, tolerance)
			near(t, what+": variance of the pool", p.PoolVariance()[i], variance, tolerance)
		}
	}
}

func noises(prior Prior, variances []float64) []float64 {
	out := make([]float64, len(variances))
	for i, v := range variances {
		out[i] = prior.Noise + v
	}
	return out
}

// Targets with noise of their own are what elimination makes of them: at once, and after rows came and went.
func TestNoiseByRowIsThatOfTheDenseMatrix(t *testing.T) {
	prior := fixturePrior(Matern52)
	prior.Mean = 0.4
	x, y, v := unlike(70, 3) // more than a panel
	pool := NewPool(prior.Kernel, append(randomPoints(stream(4), 5, 2), x[3], x[60]), false)
	p, err := prior.ConditionKnown(x[:66], y[:66], v[:66], pool)
	if err != nil {
		t.Fatal(err)
	}
	dense{prior, x[:66], y[:66], noises(prior, v[:66])}.compare(t, "at once", p)

	var edits []Edit
	for i := 66; i < 70; i++ {
		edits = append(edits, Edit{X: x[i], Known: v[i]})
	}
	edits = append(edits, Edit{Row: 2}, Edit{Row: 65})
	without := func(of []float64) []float64 {
		of = slices.Delete(slices.Clone(of), 2, 3)
		return slices.Delete(of, 65, 66)
	}
	points := slices.Delete(slices.Clone(x), 2, 3)
	points = slices.Delete(points, 65, 66)
	revised := p.Revise(edits, without(y), nil)
	dense{prior, points, without(y), noises(prior, without(v))}.compare(t, "revised", revised)

	plain := condition(t, prior, x[:20], y[:20], nil) // nothing is known before the first row with noise of its own
	grown := plain.Revise([]Edit{{X: x[21], Known: 0.7}}, append(slices.Clone(y[:20]), y[21]), nil)
	own := append(noises(prior, make([]float64, 20)), prior.Noise+0.7)
	dense{prior, append(slices.Clone(x[:20]), x[21]), append(slices.Clone(y[:20]), y[21]), own}.compare(t, "grown", grown)
}

// A pending row does not move the mean, and takes as much variance as a measurement there would.
func TestPendingRowsAmongNoiseByRow(t *testing.T) {
	prior := fixturePrior(Matern32)
	x, y, v := unlike(30, 5)
	pending := []int{4, 17, 29}
	p, err := prior.ConditionKnown(x, y, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	p = p.Hallucinate(y, pending)
	var rest dense
	rest.prior = prior
	for i := range x {
		if !slices.Contains(pending, i) {
			rest.x, rest.y, rest.noise = append(rest.x, x[i]), append(rest.y, y[i]), append(rest.noise, prior.Noise+v[i])
		}
	}
	all := dense{prior, x, y, noises(prior, v)}
	for _, at := range randomPoints(stream(8), 10, 2) {
		mean, variance := p.Predict(at)
		want, _ := rest.predict(at)
		_, wantVariance := all.predict(at)
		near(t, "mean", mean, want, 1e-8)
		near(t, "variance", variance, wantVariance, 1e-8)
	}
	rescued := p.hallucinateFromScratch(slices.Clone(y), pending)
	for _, at := range randomPoints(stream(8), 3, 2) {
		want, _ := rest.predict(at)
		near(t, "mean from scratch", rescued.Mean(at), want, 1e-8)
	}
}

// The evidence with noise by row and its exact gradient are those of the dense matrix, whatever the kernel.
func TestEvidenceWithNoiseByRow(t *testing.T) {
	x, y, v := unlike(23, 6)
	for _, k := range everyKernel() {
		prior := Prior{Kernel: k, Noise: 0.2, Mean: -0.1}
		grad := make([]float64, len(k.Params())+1)
		value, err := EvidenceKnown(prior, x, y, v, grad)
		if err != nil {
			t.Fatal(err)
		}
		at := func(theta []float64) float64 {
			last := len(theta) - 1
			moved := Prior{Kernel: k.WithParams(theta[:last]), Noise: math.Exp(theta[last]), Mean: prior.Mean}
			return dense{moved, x, y, noises(moved, v)}.evidence()
		}
		theta := append(k.Params(), math.Log(prior.Noise))
		near(t, k.Name()+": evidence", value, at(theta), 1e-8)
		for i := range theta {
			const step = 1e-5
			up, down := slices.Clone(theta), slices.Clone(theta)
			up[i] += step
			down[i] -= step
			near(t, k.Name()+": slope", grad[i], (at(up)-at(down))/(2*step), 1e-5)
		}
	}
}

// What is learned beside known noise is the noise that is not known: with all of it known next to none is left, and the fit
// is at a maximum of the dense evidence.
func TestAFitBesideKnownNoise(t *testing.T) {
	r := stream(11)
	x := randomPoints(r, 120, 1)
	y, v := make([]float64, len(x)), make([]float64, len(x))
	for i := range x {
		if v[i] = 0.01; i%2 == 0 {
			v[i] = 1
		}
		y[i] = math.Sin(6*x[i][0]) + math.Sqrt(v[i])*r.NormFloat64()
	}
	start, err := DefaultPrior("se", 1)
	if err != nil {
		t.Fatal(err)
	}
	o := FitOptions{MinNoise: 1e-6, Noise: Hyperprior{Mu: -4, Sigma: 3}, Rows: -1}
	plain, _, err := Fit(start, x, y, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	known, report, err := FitKnown(start, x, y, v, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plain.Noise < 0.3 || known.Noise > 0.05 {
		t.Errorf("noise %v without knowing any, %v beside what is known", plain.Noise, known.Noise)
	}
	near(t, "evidence", report.LogEvidence, dense{known, x, y, noises(known, v)}.evidence(), 1e-6)
	zero, _, err := FitKnown(start, x, y, make([]float64, len(y)), o, nil)
	if err != nil || zero.Noise != plain.Noise || !slices.Equal(zero.Kernel.Params(), plain.Kernel.Params()) {
		t.Errorf("variances of zero give %+v, want %+v (%v)", zero, plain, err)
	}
}

// Draws have the moments of the posterior also where the noise differs by row.
func TestDrawsWithNoiseByRow(t *testing.T) {
	prior := linePrior()
	y, v := []float64{1, -1, 0.5, 0, 2, -0.5, 1}, []float64{0, 3, 0, 0.5, 0, 10, 0}
	pool := NewPool(prior.Kernel, lineX, true)
	p, err := prior.ConditionKnown(lineX, y, v, pool)
	if err != nil {
		t.Fatal(err)
	}
	const draws = 4000
	r := stream(12)
	for name, draw := range map[string]func() []float64{
		"pool": func() []float64 { return p.DrawPool(r) },
		"path": func() []float64 {
			f, values := p.Draw(r, 200), make([]float64, len(lineX))
			for i, x := range lineX {
				values[i] = f.At(x)
			}
			return values
		},
	} {
		sum, squares := make([]float64, len(lineX)), make([]float64, len(lineX))
		for range draws {
			for i, f := range draw() {
				sum[i] += f / draws
				squares[i] += f * f / draws
			}
		}
		for i, x := range lineX {
			mean, variance := p.Predict(x)
			near(t, name+": mean", sum[i], mean, 6*math.Sqrt(variance/draws))
			near(t, name+": variance", squares[i]-sum[i]*sum[i], variance, 0.15*variance)
		}
	}
}

func TestKnownVariancesAreLookedAt(t *testing.T) {
	prior := linePrior()
	for _, v := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := prior.ConditionKnown(lineX[:1], []float64{1}, []float64{v}, nil); !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("variance %v: %v", v, err)
		}
		mustPanic(t, "edit", func() {
			condition(t, prior, lineX[:1], []float64{1}, nil).Revise([]Edit{{X: lineX[1], Known: v}}, []float64{1, 2}, nil)
		})
	}
	mustPanic(t, "length", func() { _, _ = prior.ConditionKnown(lineX[:2], []float64{1, 2}, []float64{1}, nil) })
}
