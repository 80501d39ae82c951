package calibration

import (
	"math"
	"testing"
)

func TestScoreIsTwiceTheUpperTail(t *testing.T) {
	for _, c := range []struct{ y, mean, sd, want float64 }{
		{3, 3, 2, 1},
		{5, 3, 2, 0.317310507862914},   // one sd
		{1, 3, 2, 0.317310507862914},   // and below
		{6.8, 0, 2, 0.000673858531354}, // 3.4 sd
		{0.5, 0, 1e300, 1},
		{2, 2, 0, 1},
		{2, 2.5, 0, 0},
		{math.Inf(1), 0, 1, 0},
		{100, 0, 1, 0}, // underflow
	} {
		agree(t, "score", Score(c.y, c.mean, c.sd), c.want, 1e-14)
	}
}

func TestPITIsTheForecastsCdf(t *testing.T) {
	agree(t, "at the mean", PIT(3, 3, 2), 0.5, 0)
	agree(t, "one sd above", PIT(5, 3, 2), 0.841344746068543, 1e-14)
	agree(t, "deep in the lower tail", PIT(-20, 0, 1)/2.7536241186062337e-89, 1, 1e-12)
	for y, want := range map[float64]float64{1: 0, 2: 1, 3: 1} {
		agree(t, "without spread", PIT(y, 2, 0), want, 0)
	}
	// Leave-one-out forecasts of a four-point Gaussian process, with means, variances and PITs worked out independently.
	y := []float64{0.5, -0.3, 1.2, 0.1}
	mean := []float64{0.0781916185, 0.3501230908, 0.0406555791, 0.5715066737}
	variance := []float64{1.4305250127, 1.3616356705, 1.0629234092, 1.1208392097}
	for i, want := range fourPITs {
		agree(t, "leave one out", PIT(y[i], mean[i], math.Sqrt(variance[i])), want, 1e-9)
	}
}

var fourPITs = []float64{0.6378317569, 0.2887155431, 0.8696006294, 0.3280279627}

func TestScoreAndPITOfWhatIsNotANumber(t *testing.T) {
	nan := math.NaN()
	for _, c := range [][3]float64{{nan, 0, 1}, {0, nan, 1}, {0, 0, nan}, {nan, 0, 0}} {
		if s, u := Score(c[0], c[1], c[2]), PIT(c[0], c[1], c[2]); !math.IsNaN(s) || !math.IsNaN(u) {
			t.Errorf("score %g and PIT %g of %v, want NaN", s, u, c)
		}
	}
	mustPanic(t, "score with negative sd", func() { Score(0, 0, -1) })
	mustPanic(t, "PIT with negative sd", func() { PIT(0, 0, -1) })
}

func TestHalfWidthInvertsTheScore(t *testing.T) {
	agree(t, "lam 0.35", HalfWidth(0.35), 0.9345892911, 1e-10)
	agree(t, "lam 2Q(3.4)", HalfWidth(0.000673858531354), 3.4, 1e-9)
	for _, z := range []float64{1e-6, 0.01, 0.5, 1, 3, 8, 20, 37} {
		agree(t, "round trip", HalfWidth(Score(z, 0, 1)), z, 1e-9*max(1, z))
	}
	for threshold, want := range map[float64]float64{0: math.Inf(1), -0.3: math.Inf(1), math.Inf(-1): math.Inf(1), 1: 0} {
		agree(t, "convention", HalfWidth(threshold), want, 0)
	}
	for _, threshold := range []float64{1.0000000001, 7, math.Inf(1), math.NaN()} {
		if z := HalfWidth(threshold); !math.IsNaN(z) {
			t.Errorf("half width %g at %g, want NaN", z, threshold)
		}
	}
}

func TestCalibrationScoreOfFourForecasts(t *testing.T) {
	levels := EvenLevels(9)
	for j, want := range []float64{0, 0, 0.25, 0.5, 0.5, 0.5, 0.75, 0.75, 1} {
		agree(t, "frequency", Frequencies(fourPITs, levels)[j], want, 0)
	}
	agree(t, "score", CalibrationScore(fourPITs, levels), 0.0875, 1e-15)
	agree(t, "central 80 %", CentralCoverage(fourPITs, 0.8), 1, 0)
	agree(t, "central 40 %", CentralCoverage(fourPITs, 0.4), 0.5, 0)
	if s := CalibrationScore(nil, levels); !math.IsNaN(s) {
		t.Errorf("score %g without forecasts, want NaN", s)
	}
}

// Frequencies returns, for each level, the share of the PITs that are at most the level: the levels themselves if the
// forecasts are calibrated. All NaN without PITs. Cost O(len(pits)·len(levels)).
func Frequencies(pits, levels []float64) []float64 {
	shares := make([]float64, len(levels))
	for j, level := range levels {
		count := 0
		for _, u := range pits {
			if u <= level {
				count++
			}
		}
		shares[j] = float64(count) / float64(len(pits))
	}
	return shares
}

// CalibrationScore returns Σ_j (levels_j - frequency_j)² with the Frequencies of the PITs, 0 for perfect calibration
// (Kuleshov et al. 2018; Deshpande et al. 2024). NaN without PITs.
func CalibrationScore(pits, levels []float64) float64 {
	score := 0.0
	for j, share := range Frequencies(pits, levels) {
		score += (levels[j] - share) * (levels[j] - share)
	}
	return score
}

// CentralCoverage returns the share of the PITs in the central interval of the given mass, |u - ½| ≤ mass/2: the mass
// itself if the forecasts are calibrated. NaN without PITs.
func CentralCoverage(pits []float64, mass float64) float64 {
	inside := 0
	for _, u := range pits {
		if math.Abs(u-0.5) <= mass/2 {
			inside++
		}
	}
	return float64(inside) / float64(len(pits))
}
