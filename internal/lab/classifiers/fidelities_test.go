package classifiers

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/learn"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/sim/fidelity"
	"github.com/tarry-bo/tarry/space"
)

var trainings = []func(uint64, int) (fidelity.Problem, error){Epochs, Rows}

// usual is a configuration that trains well in each of them.
var usual = map[string]space.Point{"mf-epochs": {32, 0.01, 1e-5}, "mf-rows": {10, 0.3}}

func TestMoreTrainingIsBetterWhereTheConfigurationIsGood(t *testing.T) {
	if raced {
		t.Skip("pure, and run in full without the race detector")
	}
	for _, training := range trainings {
		p, again := must.Get(training(1, 2))(t), must.Get(training(1, 2))(t)
		x, last := usual[p.Name], 0.0
		if err := must.Get(space.New(p.Parameters...))(t).Contains(x); err != nil {
			t.Error(err)
		}
		for level := range p.Levels {
			v := p.Value(x, level)
			if v <= last || v > 1 {
				t.Errorf("%s: accuracy %v at fidelity %v, %v at the one below", p.Name, v, p.Levels[level], last)
			}
			if v != again.Value(x, level) {
				t.Errorf("%s: another value of the same task", p.Name)
			}
			last = v
		}
		if last < 0.95 {
			t.Errorf("%s: accuracy %v in the end", p.Name, last)
		}
		if other := must.Get(training(1, 3))(t); other.Value(x, 0) == p.Value(x, 0) {
			t.Errorf("%s: the same value in another task", p.Name)
		}
		if v := p.Value(make(space.Point, len(x)), 0); !math.IsNaN(v) {
			t.Errorf("%s: what cannot be trained has the value %v", p.Name, v)
		}
	}
}

func TestAFidelityOfTheTrainingIsThatTrainingByHand(t *testing.T) {
	all := must.Get(data.Digits())(t)
	train, test, err := all.Split(rng.New(1, rng.Split, 2), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	network := learn.CNN{BatchSize: 32, LearningRate: 0.01, Decay: 1e-5, Epochs: 3}
	cnn := must.Get(network.Train(train.X, train.Y, 8, 8, 10, rng.New(1, rng.Train, 2)))(t)
	if got, want := must.Get(Epochs(1, 2))(t).Value(usual["mf-epochs"], 1), cnn.Accuracy(test.X, test.Y); got != want {
		t.Errorf("accuracy %v after three epochs, want %v", got, want)
	}
	trained, tested := make([]int, 315), make([]int, len(test.Y))
	for i := range trained {
		trained[i] = train.Y[i] % 2
	}
	for i := range tested {
		tested[i] = test.Y[i] % 2
	}
	svm := must.Get(learn.SVM{C: 10, Gamma: 0.3}.TrainOn(must.Get(learn.Distances(train.X[:315]))(t), trained))(t)
	if got, want := must.Get(Rows(1, 2))(t).Value(usual["mf-rows"], 1), svm.Accuracy(test.X, tested); got != want {
		t.Errorf("accuracy %v after a quarter of the rows, want %v", got, want)
	}
}

// Spearman's rank correlation of the cheapest fidelity with the dearest.
func TestCheapTrainingRanksConfigurationsMuchAsDearTraining(t *testing.T) {
	if raced {
		t.Skip("pure, and run in full without the race detector")
	}
	for _, training := range trainings {
		p := must.Get(training(0, 0))(t)
		s := must.Get(space.New(p.Parameters...))(t)
		var cheap, dear []float64
		for _, u := range s.Sample(space.Uniform, 20, rng.New(0, rng.Test, 0)) {
			cheap, dear = append(cheap, p.Value(s.Value(u), 0)), append(dear, p.Value(s.Value(u), len(p.Levels)-1))
		}
		first, second := stat.Ranks(cheap), stat.Ranks(dear)
		n, sum := float64(len(first)), 0.0
		for i := range first {
			sum += (first[i] - second[i]) * (first[i] - second[i])
		}
		if rank := 1 - 6*sum/(n*(n*n-1)); rank < 0.6 || rank > 0.999 {
			t.Errorf("%s: rank correlation %.3f", p.Name, rank)
		}
	}
}

// On average over the same random configurations at each fidelity.
func BenchmarkTrainings(b *testing.B) {
	for _, training := range trainings {
		p, err := training(0, 0)
		if err != nil {
			b.Fatal(err)
		}
		s, err := space.New(p.Parameters...)
		if err != nil {
			b.Fatal(err)
		}
		points := s.Sample(space.Uniform, 30, rng.New(0, rng.Test, 0))
		for level := range p.Levels {
			b.Run(fmt.Sprintf("%s=%v", p.Name, p.Levels[level]), func(b *testing.B) {
				i := 0
				for b.Loop() {
					p.Value(s.Value(points[i%len(points)]), level)
					i++
				}
			})
		}
	}
}
