package bandit

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// The example of three arms in a row.
var (
	exampleRewards = []float64{0.9, 0.2, 0.5}
	exampleExplore = 0.3
)

func exampleKernel(i, j int) float64 { d := float64(i - j); return math.Exp(-d * d / 2) }

func TestProbabilitiesAreThoseWorkedByHand(t *testing.T) {
	p := make([]float64, 3)
	Probabilities(p, []float64{1.2, 0.4, 2}, exampleExplore)
	for i, want := range []float64{0.2904829342, 0.1855894995, 0.5239275663} {
		must.Near(t, "probability", p[i], want, 1e-10)
	}
	must.Near(t, "sum", floats.Sum(p), 1, 1e-15)
}

// expectation is what one play at probabilities p adds to the score of arm x on average, if its reward is divided by weight.
func expectation(p []float64, x int, weight func(played, scored int) float64) float64 {
	sum := 0.0
	for played, share := range p {
		sum += share * exampleKernel(played, x) * exampleRewards[played] / weight(played, x)
	}
	return sum
}

func TestDividedByTheProbabilityOfThePlayedArmATermIsUnbiased(t *testing.T) {
	p := make([]float64, 3)
	Probabilities(p, []float64{1.2, 0.4, 2}, exampleExplore)
	for x, want := range []float64{1.0889737736, 1.0491429236, 0.7431078869} {
		exact := 0.0
		for other, f := range exampleRewards {
			exact += exampleKernel(other, x) * f
		}
		must.Near(t, "expectation", expectation(p, x, func(played, _ int) float64 { return p[played] }), want, 1e-10)
		must.Near(t, "what it should be", exact, want, 1e-10)
	}
	for x, want := range []float64{1.0995507490, 1.9105342285, 0.6105009150} {
		must.Near(t, "expectation as printed in the source", expectation(p, x, func(_, scored int) float64 { return p[scored] }), want, 1e-10)
	}
}

func TestFourPlaysGiveTheScoresWorkedByHand(t *testing.T) {
	const eta = 0.5
	score, p := make([]float64, 3), make([]float64, 3)
	played := []int{0, 2, 2, 1}
	for i, want := range []float64{0.3333333333, 0.2147085622, 0.3077831049, 0.3480212512} {
		Probabilities(p, score, exampleExplore)
		arm := played[i]
		must.Near(t, "probability when played", p[arm], want, 1e-10)
		for x := range score {
			score[x] += eta * exampleKernel(arm, x) * exampleRewards[arm] / p[arm]
		}
	}
	Probabilities(p, score, exampleExplore)
	for x := range score {
		must.Near(t, "score", score[x], []float64{1.7917874680, 2.3050414618, 2.3336117469}[x], 1e-10)
		must.Near(t, "probability", p[x], []float64{0.2594584222, 0.3664101947, 0.3741313830}[x], 1e-10)
	}
	value, slope := Slopes(make([]float64, 3), make([]float64, 3), score, exampleRewards, exampleExplore)
	must.Near(t, "derivative by the share of exploration", slope, 0.0563900326511, 1e-12)
	must.Near(t, "expected reward", value, Expected(p, exampleRewards), 1e-15)
}

func TestSlopesAreThoseOfDifferences(t *testing.T) {
	score, d, soft := []float64{1.2, 0.4, 2}, make([]float64, 3), make([]float64, 3)
	at := func(explore float64) float64 {
		value, _ := Slopes(make([]float64, 3), make([]float64, 3), score, exampleRewards, explore)
		return value
	}
	_, dexplore := Slopes(d, soft, score, exampleRewards, 0.3)
	const h = 1e-6
	must.Near(t, "by the share of exploration", dexplore, (at(0.3+h)-at(0.3-h))/(2*h), 1e-8)
	for i := range score {
		old := score[i]
		score[i] = old + h
		up := at(0.3)
		score[i] = old - h
		down := at(0.3)
		score[i] = old
		must.Near(t, "by a score", d[i], (up-down)/(2*h), 1e-8)
	}
}

func TestHugeScoresHaveProbabilities(t *testing.T) {
	p := make([]float64, 3)
	Probabilities(p, []float64{1e308, 0, -1e308}, 0.3)
	for i, want := range []float64{0.8, 0.1, 0.1} {
		must.Near(t, "probability", p[i], want, 1e-15)
	}
}

func TestDrawsHaveTheirProbabilities(t *testing.T) {
	p, stream := []float64{0, 0.2, 0.5, 0, 0.1, 0}, rng.New(1, rng.Test, 0)
	const n = 80_000
	var count [6]float64
	for range n {
		count[Draw(p, stream)]++
	}
	for i, share := range p {
		share /= 0.8
		if sd := math.Sqrt(n * share * (1 - share)); math.Abs(count[i]-n*share) > 4*sd {
			t.Errorf("arm %d was drawn %v times, want %v ± %v", i, count[i], n*share, sd)
		}
	}
}
