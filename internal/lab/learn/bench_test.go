package learn

import (
	"fmt"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// cancer returns the standardised breast cancer data, 398 rows to train on and 171 to test with.
func cancer(t testing.TB) (train, test data.Dataset) {
	t.Helper()
	d, err := data.BreastCancer()
	if err != nil {
		t.Fatal(err)
	}
	train, test, err = d.Split(rng.New(1, rng.Split, 0), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	train, test, err = data.Standardize(train, test)
	if err != nil {
		t.Fatal(err)
	}
	return train, test
}

// One evaluation of a tuning loop: train on 398 x 30 with known distances. The corners are the hardest settings.
func BenchmarkSVM(b *testing.B) {
	train, _ := cancer(b)
	g, err := Distances(train.X)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []float64{1e-2, 1, 1e4} {
		for _, gamma := range []float64{1e-4, 0.03, 10} {
			b.Run(fmt.Sprintf("C=%g,gamma=%g", c, gamma), func(b *testing.B) {
				var m *SVMModel
				for b.Loop() {
					m, err = SVM{C: c, Gamma: gamma}.TrainOn(g, train.Y)
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(m.Iterations), "iterations")
				b.ReportMetric(float64(m.SupportVectors), "vectors")
			})
		}
	}
}

func BenchmarkDistances(b *testing.B) {
	train, _ := cancer(b)
	for b.Loop() {
		if _, err := Distances(train.X); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSVMAccuracy(b *testing.B) {
	train, test := cancer(b)
	m := must.Get(SVM{C: 1, Gamma: 0.03}.Train(train.X, train.Y))(b)
	for b.Loop() {
		m.Accuracy(test.X, test.Y)
	}
}
