package maturity_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/maturity"
)

func TestACurveIsReadBetweenItsReports(t *testing.T) {
	c := maturity.Curve{{Step: 1, Value: 10}, {Step: 3, Value: 20}, {Step: 7, Value: 0}}
	for _, test := range []struct {
		step, want float64
		ok         bool
	}{{0.5, 0, false}, {1, 10, true}, {2, 15, true}, {3, 20, true}, {4, 15, true}, {7, 0, true}, {100, 0, true}} {
		if got, ok := c.At(test.step); got != test.want || ok != test.ok {
			t.Errorf("at %v: %v, %v, want %v, %v", test.step, got, ok, test.want, test.ok)
		}
	}
	huge := maturity.Curve{{Step: -1.5e308, Value: -1.5e308}, {Step: 1.5e308, Value: 1.5e308}}
	if got, ok := huge.At(0); got != 0 || !ok {
		t.Errorf("between huge numbers: %v, %v", got, ok)
	}
	if _, ok := (maturity.Curve{}).At(1); ok {
		t.Error("a curve without reports has a value")
	}
}

func TestACurveWithManyReportsKeepsSome(t *testing.T) {
	var c maturity.Curve
	for i := range 10_000 {
		before := slices.Clone(c)
		older := c
		c = c.With(maturity.Report{Step: float64(i), Value: float64(2 * i)})
		if last, _ := c.Last(); last.Step != float64(i) {
			t.Fatalf("the last of %d reports is %v", i+1, last)
		}
		if !slices.Equal(before, older) {
			t.Fatalf("report %d changed what shares the older curve", i)
		}
	}
	if len(c) > maturity.MaxReports || len(c) < maturity.MaxReports/2 {
		t.Errorf("%d reports are kept", len(c))
	}
	if !slices.IsSortedFunc(c, func(a, b maturity.Report) int { return int(a.Step - b.Step) }) {
		t.Error("steps do not ascend")
	}
	if got, ok := c.At(5000.5); !ok || math.Abs(got-10_001) > 1e-6 {
		t.Errorf("a line that was thinned is %v at its middle", got)
	}
}

func TestFewPairsKnowNothing(t *testing.T) {
	var pairs []maturity.Pair
	for i := range maturity.MinPairs - 1 {
		pairs = append(pairs, maturity.Pair{Interim: float64(i), Final: float64(i)})
	}
	r := maturity.Learn(pairs, nil)
	_, predicts := r.Final(1)
	_, measures := r.Measurement(1)
	if r.Known() || predicts || measures {
		t.Error("it takes more pairs to know something")
	}
	alike := make([]maturity.Pair, 20)
	for i := range alike {
		alike[i] = maturity.Pair{Interim: 3, Final: float64(i)}
	}
	if maturity.Learn(alike, nil).Known() {
		t.Error("interim values that are all alike say nothing")
	}
}

// By hand: interims 1 … 5 with finals 2, 4, 6, 8, 10. Around their means 3 and 6 the sums of squares and products are 10 and 20, so that
// the slope is 20/(10·6/5) = 5/3 and residuals are 1/3 of the distance from the mean: their squares add up to 10/9, over n − 2 = 3 it is
// 10/27. At 4 the mean is 6 + 5/3, and the squared scale 10/27·(1 + 1/5 + 1/12).
func TestARelationIsLeastSquaresWithASlopeThatIsShrunk(t *testing.T) {
	var pairs []maturity.Pair
	for i := 1.0; i <= 5; i++ {
		pairs = append(pairs, maturity.Pair{Interim: i, Final: 2 * i})
	}
	p, ok := maturity.Learn(pairs, nil).Final(4)
	if want := 6 + 5.0/3; !ok || math.Abs(p.Mean-want) > 1e-12 {
		t.Errorf("mean %v, want %v", p.Mean, want)
	}
	if want := math.Sqrt(10.0 / 27 * (1 + 1.0/5 + 1.0/12)); math.Abs(p.Scale-want) > 1e-12 {
		t.Errorf("scale %v, want %v", p.Scale, want)
	}
	// Student's law with three degrees of freedom exceeds its 95 % point, 2.353363, with probability 0.05.
	if got := p.Exceeds(p.Mean + 2.353363*p.Scale); math.Abs(got-0.05) > 1e-6 || p.Freedom != 3 {
		t.Errorf("probability %v, want 0.05", got)
	}
	if got := p.Exceeds(p.Mean - 2.353363*p.Scale); math.Abs(got-0.95) > 1e-6 {
		t.Errorf("probability %v, want 0.95", got)
	}
}

// The belief about a final is the product of the law of all finals and of what the report says: so it must come back from both.
func TestAMeasurementWithTheLawOfTheFinalsIsTheBelief(t *testing.T) {
	s := rand.New(rand.NewPCG(1, 2))
	const n = 4000
	var pairs []maturity.Pair
	var interims []float64
	for range n {
		final := 5 + 2*s.NormFloat64()
		x := 1 + 0.4*final + 0.3*s.NormFloat64() // says (x − 1)/0.4 of the final, with the variance (0.3/0.4)²
		pairs, interims = append(pairs, maturity.Pair{Interim: x, Final: final}), append(interims, x)
	}
	m, ok := maturity.Learn(pairs, interims).Measurement(3.4)
	if !ok || math.Abs(m.Value-6) > 0.1 || math.Abs(m.Variance-0.5625) > 0.05 {
		t.Errorf("measurement %+v, want about 6 with variance 0.5625", m)
	}
	// Without the worse half of the finals the slope of the pairs stays, and so does what a report says.
	var better []maturity.Pair
	for i, x := range interims {
		if x > 3 {
			better = append(better, pairs[i])
		}
	}
	m, ok = maturity.Learn(better, interims).Measurement(3.4)
	if !ok || math.Abs(m.Value-6) > 0.2 || math.Abs(m.Variance-0.5625) > 0.1 {
		t.Errorf("measurement %+v where the worse were stopped, want about 6 with variance 0.5625", m)
	}
}

func TestAReportWithoutRelationIsNoMeasurement(t *testing.T) {
	s := rand.New(rand.NewPCG(3, 4))
	var pairs []maturity.Pair
	for range 200 {
		pairs = append(pairs, maturity.Pair{Interim: s.NormFloat64(), Final: s.NormFloat64()})
	}
	if m, ok := maturity.Learn(pairs, nil).Measurement(0.5); ok {
		t.Errorf("noise says %+v", m)
	}
}

func TestUnitsOfAReportDoNotMatter(t *testing.T) {
	s := rand.New(rand.NewPCG(5, 6))
	var pairs, others []maturity.Pair
	for range 12 {
		x := s.NormFloat64()
		y := x + 0.2*s.NormFloat64()
		pairs, others = append(pairs, maturity.Pair{Interim: x, Final: y}), append(others, maturity.Pair{Interim: -1e200 * x, Final: 1e150 * y})
	}
	a, ok := maturity.Learn(pairs, nil).Measurement(0.3)
	b, ok2 := maturity.Learn(others, nil).Measurement(-0.3e200)
	if !ok || !ok2 || math.Abs(b.Value/1e150-a.Value) > 1e-9 || math.Abs(math.Sqrt(b.Variance)/1e150-math.Sqrt(a.Variance)) > 1e-9 {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestNumbersBeyondAllMeasureAreNoPrediction(t *testing.T) {
	var pairs []maturity.Pair
	for i := range 8 {
		pairs = append(pairs, maturity.Pair{Interim: float64(i) * 1e-300, Final: math.Copysign(1.7e308, float64(i%2)-0.5)})
	}
	r := maturity.Learn(pairs, nil)
	if p, ok := r.Final(1e300); ok && (math.IsNaN(p.Mean) || math.IsInf(p.Scale, 0)) {
		t.Errorf("prediction %+v", p)
	}
	if m, ok := r.Measurement(1e300); ok {
		t.Errorf("measurement %+v", m)
	}
}
