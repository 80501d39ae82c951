package surrogate

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/tarry-bo/tarry/space"
)

// byHand is a prior draw that is a plain function.
type byHand func(x space.Unit) float64

func (f byHand) at(x space.Unit) float64                     { return f(x) }
func (f byHand) addGrad(x space.Unit, dst []float64) float64 { return f(x) }

func TestPathwiseConditioningByHand(t *testing.T) {
	post := condition(t, fixturePrior(SE), fixtureX, fixtureY, nil)
	prior := byHand(func(x space.Unit) float64 { return math.Sin(3*x[0]) + 0.5*math.Cos(5*x[1]) })
	path := post.path(prior, []float64{0.02, -0.05, 0.01, 0.08})
	printed(t, "f(xa)", path.At(xa), 0.2289380816)
	printed(t, "f(xb)", path.At(xb), -0.6199945972)
}

func TestRandomFeaturesByHand(t *testing.T) {
	f := &waves{dim: 2, phase: []float64{0.3, 1.7, 4.1, 5.9}, amplitudes: filled(4, math.Sqrt(2*1.5/4))}
	floats.Scale(1/(2*math.Pi), f.phase)
	for _, row := range []space.Unit{{1.2, -0.7}, {0.3, 2.1}, {-1.9, 0.4}, {0.8, 0.8}} {
		f.w = append(f.w, row[0]/0.3/(2*math.Pi), row[1]/0.5/(2*math.Pi))
	}
	want := []float64{-0.0252875281, -0.3471022648, 0.2037217144, -0.1544917521}
	angles := make([]float64, 4)
	for m, amplitude := range f.turns(0, xa, angles, nil) {
		printed(t, "feature", amplitude*math.Cos(2*math.Pi*angles[m]), want[m])
	}
	printed(t, "sum", f.at(xa), floats.Sum(want))
}

// moments are those of draws at two points, by columns.
func moments(draws [2][]float64) (means, covariances []float64) {
	return []float64{stat.Mean(draws[0], nil), stat.Mean(draws[1], nil)},
		[]float64{stat.Variance(draws[0], nil), stat.Covariance(draws[0], draws[1], nil), stat.Variance(draws[1], nil)}
}

// checkMoments compares draws with the posterior at two points, within five standard errors and a slack for the
// approximation of the prior.
func checkMoments(t *testing.T, what string, post *Posterior, a, b space.Unit, draws [2][]float64, slack float64) {
	t.Helper()
	means, covariances := moments(draws)
	ma, va := post.Predict(a)
	mb, vb := post.Predict(b)
	c := post.Covariance(a, b)
	n := float64(len(draws[0]))
	near(t, what+": mean at a", means[0], ma, 5*math.Sqrt(va/n)+slack)
	near(t, what+": mean at b", means[1], mb, 5*math.Sqrt(vb/n)+slack)
	near(t, what+": variance at a", covariances[0], va, 5*va*math.Sqrt(2/n)+slack)
	near(t, what+": covariance", covariances[1], c, 5*math.Sqrt((va*vb+c*c)/n)+slack)
	near(t, what+": variance at b", covariances[2], vb, 5*vb*math.Sqrt(2/n)+slack)
}

func TestDrawsOfTheBarePriorHaveItsCovariance(t *testing.T) {
	a, b := []float64{0.2, 0.4}, []float64{0.45, 0.4}
	for i, k := range append(everyKernel(), Product{everyKernel()[4], everyKernel()[4]}) {
		post := condition(t, Prior{Kernel: k, Noise: 0.01, Mean: 0.5}, nil, nil, nil)
		s := stream(uint64(100 + i))
		var draws [2][]float64
		for range manyDraws {
			path := post.Draw(s, 16) // the law of the waves is exact whatever their number, only its tails are not
			draws[0] = append(draws[0], path.At(a))
			draws[1] = append(draws[1], path.At(b))
		}
		checkMoments(t, k.Name(), post, a, b, draws, 0.1*k.Diag(a))
	}
}

func TestCategoriesInDrawsCorrelateAsTheKernelSays(t *testing.T) {
	for f := range families {
		k := Stationary{f, []float64{0.4, 0.8}, 1, []bool{false, true}, 0, 0}
		a, b := []float64{0.3, 0.25}, []float64{0.35, 0.75}
		post := condition(t, Prior{Kernel: k, Noise: 0.01}, nil, nil, nil)
		s := stream(uint64(120 + int(f)))
		var draws [2][]float64
		for range manyDraws {
			path := post.Draw(s, 16)
			draws[0], draws[1] = append(draws[0], path.At(a)), append(draws[1], path.At(b))
		}
		checkMoments(t, f.String(), post, a, b, draws, 0.03)
	}
}

func TestPosteriorDrawsHaveThePosteriorMoments(t *testing.T) {
	a, b := xa, []float64{0.6, 0.45}
	for i, k := range everyKernel() {
		p := Prior{Kernel: k, Noise: 0.05, Mean: 0.3}
		post := condition(t, p, fixtureX, fixtureY, nil)
		s := stream(uint64(140 + i))
		var draws [2][]float64
		for range 1500 { // the waves change with each draw, so second moments are exact whatever their number
			path := post.Draw(s, 50)
			draws[0], draws[1] = append(draws[0], path.At(a)), append(draws[1], path.At(b))
		}
		checkMoments(t, k.Name(), post, a, b, draws, 0.02*k.Diag(a))
	}
}

func TestLinearDrawsAreStraight(t *testing.T) {
	for _, k := range []Kernel{Linear{[]float64{0.5, 0.5}, 2}, DotProduct{1, 2}} {
		path := condition(t, Prior{Kernel: k, Noise: 0.01}, fixtureX, fixtureY, nil).Draw(stream(160), 0)
		near(t, k.Name(), path.At([]float64{0.4, 0.4}), 0.5*(path.At([]float64{0.1, 0.7})+path.At([]float64{0.7, 0.1})), 1e-12)
	}
}

func TestGradientsOfPathsAgreeWithDifferences(t *testing.T) {
	for i, k := range everyKernel() {
		path := condition(t, Prior{Kernel: k, Noise: 0.05}, fixtureX, fixtureY, nil).Draw(stream(uint64(180+i)), 50)
		for _, x := range []space.Unit{xa, xb, {0.33, 0.71}} {
			got := []float64{9, 9}
			near(t, k.Name()+" value", path.Grad(x, got), path.At(x), 1e-12)
			want := fd.Gradient(nil, func(u []float64) float64 { return path.At(u) }, x, &fd.Settings{Formula: fd.Central})
			if marked(k) {
				want[1] = 0 // a step within a category has no meaning
			}
			if !floats.EqualApprox(got, want, 1e-6*(1+floats.Norm(want, 2))) {
				t.Errorf("%s: %v, differences say %v", k.Name(), got, want)
			}
		}
	}
}

// marked reports whether a kernel has marks for categories.
func marked(k Kernel) bool {
	switch k := k.(type) {
	case Stationary:
		return k.Categorical != nil
	case Additive:
		return k.Categorical != nil
	case Warped:
		return k.Of.Categorical != nil
	}
	return false
}

func TestDrawsDependOnTheStreamAlone(t *testing.T) {
	k := fixturePrior(Matern52).Kernel
	post := condition(t, fixturePrior(Matern52), fixtureX, fixtureY, NewPool(k, fixtureX, true))
	if post.Draw(stream(1), 0).At(xa) != post.Draw(stream(1), 0).At(xa) || !slices.Equal(post.DrawPool(stream(1)), post.DrawPool(stream(1))) {
		t.Error("equal streams, different draws")
	}
	if post.Draw(stream(1), 0).At(xa) == post.Draw(stream(2), 0).At(xa) {
		t.Error("different streams, equal draws")
	}
}

func TestKernelsWithoutARepresentationGiveNoDraw(t *testing.T) {
	l := Linear{[]float64{0.5, 0.5}, 1}
	se := fixturePrior(SE).Kernel
	for _, k := range []Kernel{Product{l, se}, Product{se, l}, Sum{Product{l, l}, se}, Sum{se, Product{l, l}}} {
		if condition(t, Prior{Kernel: k, Noise: 1}, nil, nil, nil).Draw(stream(1), 0) != nil {
			t.Errorf("%s: a draw", k.Name())
		}
	}
}

func TestJointDrawsOverAPoolHaveThePosteriorMoments(t *testing.T) {
	r := stream(200)
	points := randomPoints(r, 30, 2)
	for i, k := range everyKernel() {
		pool := NewPool(k, points, true)
		p := Prior{Kernel: k, Noise: 0.05, Mean: 0.3}
		post := condition(t, p, points[:5], randomTargets(r, 5), pool)
		post = post.Append(points[7], 0.4).Append(points[2], -0.4)
		s := stream(uint64(210 + i))
		var draws [2][]float64
		for range manyDraws {
			f := post.DrawPool(s)
			draws[0], draws[1] = append(draws[0], f[10]), append(draws[1], f[3])
		}
		checkMoments(t, k.Name(), post, points[10], points[3], draws, 0)
	}
}

func TestJointDrawsNeedAFactorAndEveryRowInThePool(t *testing.T) {
	p := fixturePrior(SE)
	without := condition(t, p, fixtureX, fixtureY, NewPool(p.Kernel, fixtureX, false))
	outside := condition(t, p, fixtureX, fixtureY, NewPool(p.Kernel, fixtureX, true)).Append(xa, 0)
	if without.DrawPool(stream(1)) != nil || outside.DrawPool(stream(1)) != nil {
		t.Error("a draw from nowhere")
	}
}

// Where no draw is known there is none, whatever is around the kernel.
func TestWhatCannotBeDrawnIsNil(t *testing.T) {
	for _, family := range []string{"se", "warped-se"} {
		base, err := NewKernel(family, 2)
		if err != nil {
			t.Fatal(err)
		}
		post := condition(t, Prior{Kernel: NewICM(WithConstant(base, 2), 2, 3), Noise: 0.01}, []space.Unit{{0.2, 0.4, 0.5}}, []float64{1}, nil)
		if path := post.Draw(stream(190), 16); path != nil {
			t.Errorf("%s: %v", family, path)
		}
	}
}
