package learn

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// Two points with K_12 = k: by Σ β = 0 the dual is 2α - α²(1-k), so α = 1/(1-k) unless C is smaller. By symmetry the
// bias is 0. At k = exp(-½): α = 2.5414940825.
func TestTwoPointsByHand(t *testing.T) {
	x, y := [][]float64{{0}, {1}}, []int{1, 0}
	alpha := 1 / (1 - math.Exp(-0.5))
	near(t, "alpha", alpha, 2.5414940825, 1e-9)
	m, err := SVM{C: 10, Gamma: 0.5}.Train(x, y)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "coefficient of the positive point", m.coefficients[0], alpha, 1e-12)
	near(t, "coefficient of the negative point", m.coefficients[1], -alpha, 1e-12)
	near(t, "bias", m.bias, 0, 1e-12)
	near(t, "objective", m.Objective, alpha, 1e-12) // 2α - α²(1-k) at α = 1/(1-k)
	near(t, "decision at the positive point", m.Decision(x[0]), 1, 1e-12)
	near(t, "decision at the negative point", m.Decision(x[1]), -1, 1e-12)
	near(t, "decision half way", m.Decision([]float64{0.5}), 0, 1e-12)
	if m.Iterations != 1 || !m.Converged || m.SupportVectors != 2 {
		t.Errorf("%d iterations, converged %v, %d support vectors", m.Iterations, m.Converged, m.SupportVectors)
	}

	m, err = SVM{C: 2, Gamma: 0.5}.Train(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if m.coefficients[0] != 2 || m.coefficients[1] != -2 {
		t.Errorf("coefficients %v, want exactly C = 2", m.coefficients)
	}
	near(t, "objective at the bound", m.Objective, 4-4*(1-math.Exp(-0.5)), 1e-12)
	near(t, "bias without a free vector", m.bias, 0, 1e-12)
}

// The corners of the unit square, with equal classes on the diagonals. By symmetry all α are equal and the bias is 0;
// y_i f(x_i) = α (1 - 2 exp(-γ) + exp(-2γ)) = α (1 - exp(-γ))², so α = 1/(1 - exp(-γ))². At γ = 1: 2.5026.
func TestExclusiveOrByHand(t *testing.T) {
	x, y := [][]float64{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, []int{0, 1, 1, 0}
	m := must.Get(SVM{C: 10, Gamma: 1, Tolerance: 1e-10}.Train(x, y))(t)
	alpha := math.Pow(1-math.Exp(-1), -2)
	near(t, "alpha", alpha, 2.5026, 1e-4)
	for i, want := range []float64{-alpha, alpha, alpha, -alpha} {
		near(t, fmt.Sprintf("coefficient %d", i), m.coefficients[i], want, 1e-9)
	}
	near(t, "bias", m.bias, 0, 1e-9)
	near(t, "objective", m.Objective, 2*alpha, 1e-9)
	near(t, "decision in the middle", m.Decision([]float64{0.5, 0.5}), 0, 1e-9)
	if m.Accuracy(x, y) != 1 {
		t.Errorf("accuracy %g", m.Accuracy(x, y))
	}
}

// The objectives and the numbers of vectors are those of LIBSVM 3.24 on the same 398 rows (svm-train -e 1e-6), which
// keeps its kernel in single precision.
func TestBreastCancerAsLIBSVM(t *testing.T) {
	train, test := cancer(t)
	g := must.Get(Distances(train.X))(t)
	for _, tc := range []struct {
		c, gamma, objective, bias float64
		vectors                   int
		accuracy                  float64
	}{
		{1, 0.03, 44.819290, -0.314550, 90, 166. / 171},
		{1, 0.3, 107.169602, -0.062456, 323, 157. / 171},
		{100, 0.03, 323.154241, 0.077077, 62, 166. / 171},
		{100, 0.3, 111.650248, -0.055355, 322, 157. / 171},
	} {
		m := must.Get(SVM{C: tc.c, Gamma: tc.gamma, Tolerance: 1e-6}.TrainOn(g, train.Y))(t)
		name := fmt.Sprintf("C = %g, gamma = %g: ", tc.c, tc.gamma)
		near(t, name+"objective", m.Objective, tc.objective, 1e-6*tc.objective)
		near(t, name+"bias", m.bias, tc.bias, 2e-6)
		near(t, name+"accuracy", m.Accuracy(test.X, test.Y), tc.accuracy, 1e-15)
		if m.SupportVectors != tc.vectors {
			t.Errorf("%s%d support vectors, want %d", name, m.SupportVectors, tc.vectors)
		}
	}
}

func TestBreastCancerAboveNinetyFivePercent(t *testing.T) {
	train, test := cancer(t)
	m := must.Get(SVM{C: 1, Gamma: 1.0 / 30}.Train(train.X, train.Y))(t)
	if got := m.Accuracy(test.X, test.Y); got <= 0.95 {
		t.Errorf("test accuracy %g", got)
	}
	if !m.Converged || m.Gap >= defaultTolerance || m.SupportVectors == 0 || m.SupportVectors >= 398 {
		t.Errorf("converged %v, gap %g, %d support vectors", m.Converged, m.Gap, m.SupportVectors)
	}
}

func TestExtremeSettingsTerminate(t *testing.T) {
	train, _ := cancer(t)
	g := must.Get(Distances(train.X))(t)
	for _, c := range []float64{1e-300, 1e-2, 1e4, 1e300} {
		for _, gamma := range []float64{1e-300, 1e-4, 10, 1e300} {
			m := must.Get(SVM{C: c, Gamma: gamma, MaxIterations: 3000}.TrainOn(g, train.Y))(t)
			if math.IsNaN(m.Decision(train.X[0])) || math.IsNaN(m.Objective) || m.Iterations > 3000 {
				t.Errorf("C = %g, gamma = %g: %+v", c, gamma, m)
			}
			if sane := c >= 1e-2 && c <= 1e4 && gamma >= 1e-4 && gamma <= 10; sane && !m.Converged {
				t.Errorf("C = %g, gamma = %g: gap %g after %d iterations", c, gamma, m.Gap, m.Iterations)
			}
		}
	}
}

// Rows that coincide and disagree have no curvature between them.
func TestEqualRowsWithUnequalLabels(t *testing.T) {
	x, y := [][]float64{{1, 1}, {1, 1}, {1, 1}, {0, 0}}, []int{0, 1, 1, 0}
	m := must.Get(SVM{C: 1, Gamma: 1}.Train(x, y))(t)
	if !m.Converged || m.Predict(x[0]) != 1 || m.Predict(x[3]) != 0 {
		t.Errorf("converged %v, predictions %d and %d", m.Converged, m.Predict(x[0]), m.Predict(x[3]))
	}
}

// With far-apart features the squared distance overflows to infinity, where the kernel is 0.
func TestHugeFeatures(t *testing.T) {
	x, y := [][]float64{{1e200}, {-1e200}, {1e200}, {-1e200}}, []int{0, 1, 0, 1}
	m := must.Get(SVM{C: 1, Gamma: 1}.Train(x, y))(t)
	if !m.Converged || m.Accuracy(x, y) != 1 {
		t.Errorf("%+v", m)
	}
}

func TestOutOfIterationsIsSaid(t *testing.T) {
	x, y := blobs(1, 60)
	m := must.Get(SVM{C: 100, Gamma: 1, MaxIterations: 7}.Train(x, y))(t)
	if m.Converged || m.Iterations != 7 || m.Gap <= defaultTolerance {
		t.Errorf("converged %v after %d iterations with gap %g", m.Converged, m.Iterations, m.Gap)
	}
}

func TestTheSettingsAreWhatTheySay(t *testing.T) {
	x, y := blobs(2, 60)
	loose := must.Get(SVM{C: 10, Gamma: 1, Tolerance: 0.1}.Train(x, y))(t)
	tight := must.Get(SVM{C: 10, Gamma: 1, Tolerance: 1e-9}.Train(x, y))(t)
	if loose.Gap >= 0.1 || tight.Gap >= 1e-9 || loose.Iterations >= tight.Iterations {
		t.Errorf("gaps %g and %g after %d and %d iterations", loose.Gap, tight.Gap, loose.Iterations, tight.Iterations)
	}
}

func TestModelDoesNotShareMemoryWithItsData(t *testing.T) {
	x, y := blobs(3, 30)
	m := must.Get(SVM{C: 1, Gamma: 1}.Train(x, y))(t)
	at := []float64{0.3, 0.2, 0.1}
	before := m.Decision(at)
	for _, row := range x {
		clear(row)
	}
	if m.Decision(at) != before {
		t.Error("the decision changed with the training rows")
	}
}

// The workers of a study train at the same time on one Gram; the race detector watches, and the results are equal.
func TestOneGramServesManyTrainings(t *testing.T) {
	x, y := blobs(4, 60)
	g := must.Get(Distances(x))(t)
	decisions := make([]float64, 4)
	var group sync.WaitGroup
	for w := range decisions {
		group.Go(func() {
			if m, err := (SVM{C: 1, Gamma: 0.5}).TrainOn(g, y); err == nil {
				decisions[w] = m.Decision(x[0])
			}
		})
	}
	group.Wait()
	alone := must.Get(SVM{C: 1, Gamma: 0.5}.Train(x, y))(t)
	want := slices.Repeat([]float64{alone.Decision(x[0])}, len(decisions))
	if !slices.Equal(decisions, want) {
		t.Errorf("decisions %v, want %v", decisions, want)
	}
}

// Train measures the distances and trains on them.
func (s SVM) Train(x [][]float64, y []int) (*SVMModel, error) {
	g, err := Distances(x)
	if err != nil {
		return nil, err
	}
	return s.TrainOn(g, y)
}
