package acquisition

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

func TestWhatModelsDisagreeOnIsInformation(t *testing.T) {
	means, variances := []float64{.2, .5, -.1}, []float64{.3, .1, .2}
	noisy := []float64{.4, .2, .3}
	must.Near(t, "with noise", ParticleInformation(means, noisy), .1107912843, 1e-9)
	must.Near(t, "without", ParticleInformation(means, variances), .1791291443, 1e-9)
	logs, mixture := 0.0, func(y float64) float64 {
		sum := 0.0
		for i, m := range means {
			sum += math.Exp(-(y-m)*(y-m)/(2*(noisy[i]))) / math.Sqrt(2*math.Pi*(noisy[i])) / 3
		}
		return math.Log(sum)
	}
	for _, v := range noisy {
		logs += math.Log(v) / 6
	}
	exact := -lostEntropy(mixture, -9, 0, 9) - logs
	must.Near(t, "the information itself", exact, .108631159369, 1e-9)
	for _, same := range [][]float64{nil, {.3}} {
		if got := ParticleInformation(same, same); got != 0 {
			t.Errorf("%d models: %v", len(same), got)
		}
	}
	must.Near(t, "models that agree", ParticleInformation([]float64{.3, .3, .3}, []float64{.2, .2, .2}), 0, 0)
}

// Models that nearly agree tell a little, to all digits, where the difference of the logarithms has lost them.
func TestALittleInformationHasItsDigits(t *testing.T) {
	const h = 1e-9
	must.Near(t, "by the variance, ratio", ParticleInformation([]float64{0, 0}, []float64{2 - 2*h, 2 + 2*h})/(h*h/4), 1, 1e-6)
	must.Near(t, "by the mean, ratio", ParticleInformation([]float64{1 - h, 1 + h}, []float64{2, 2})/(h*h/4), 1, 1e-6)
	for _, variances := range [][]float64{{0, 0}, {0, 1}, {1e-300, 1e100}} {
		if got := ParticleInformation([]float64{0, 1}, variances); !(got > 0) || math.IsInf(got, 0) {
			t.Errorf("variances %v: %v", variances, got)
		}
	}
}
