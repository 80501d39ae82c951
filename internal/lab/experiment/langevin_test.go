package experiment

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/stat"
)

// langevinRecord is a run of the first seed.
func langevinRecord(t *testing.T, version, coding int) Record {
	t.Helper()
	arm := langevinArm(langevinVersions[version], langevinCodes[coding], 20)
	steps := 0
	r := must.Get(arm.Run(t.Context(), 1, func() { steps++ }))(t)
	if steps != arm.Steps {
		t.Errorf("%d steps, want %d", steps, arm.Steps)
	}
	return r
}

func TestVersionsOfLangevinAreTheSameWherePowerOrPrivacyLimitsTheAmplitude(t *testing.T) {
	if testSeeds == 1 {
		t.Skip("it has no goroutines that the race detector could watch")
	}
	const source, first = 2, 0 // a = 0.05, at 0 dB
	printed, corrected, free := langevinRecord(t, 0, source), langevinRecord(t, 1, source), langevinRecord(t, 2, source)
	error, amplitude, step := langevinError+overRatios, langevinAmplitude+overRatios, langevinStep+overRatios
	must.Near(t, "amplitude at 0 dB", printed[amplitude][first], 0.04, 1e-15)
	if printed[error][first] != free[error][first] {
		t.Errorf("errors %v and %v with the same amplitude", printed[error][first], free[error][first])
	}
	must.Near(t, "amplitude as printed above that", printed[amplitude][3], math.Sqrt(8.28e-3/2), 1e-15)
	must.Near(t, "amplitude if the noise is not required", free[amplitude][3], 0.04*math.Pow(10, 0.75), 1e-12)
	must.Near(t, "step as corrected", corrected[step][first], 0.05/(20+1/(0.04*0.04)), 1e-15)
	limit := privacyLimit(langevinCodes[source].Coding, langevinEpsilon)
	must.Near(t, "amplitude at 30 dB", slices.Max(free[amplitude]), limit, 1e-15)
	if !math.IsInf(privacyLimit(langevinCodes[source].Coding, 7.5), 1) {
		t.Error("five entries of one bit with a = 0.05 lose at most 7.5")
	}
}

// madeUpLangevin are results in which one bit has less error than analog at the last two places, and the slope 0.02 the least of all.
func madeUpLangevin(t *testing.T) Results {
	t.Helper()
	p := Plan{}
	for _, c := range langevinCodes {
		errors := make([]float64, len(langevinEpsilons))
		for i := range errors {
			errors[i] = 1
			if i >= len(errors)-2 && c.name == langevinMain {
				errors[i] = 0.5
			}
			if c.Slope == 0.02 {
				errors[i] = 0.1
			}
		}
		p.Arms = append(p.Arms, Arm{Group: "corrected", Name: c.name, Run: func(_ context.Context, seed uint64, _ func()) (Record, error) {
			noisy := slices.Clone(errors)
			for i := range noisy {
				noisy[i] += float64(seed) / 100
			}
			return Record{langevinError + overEpsilons: noisy}, nil
		}})
	}
	return must.Get(p.Perform(t.Context(), Options{Seed: 1, Seeds: 3, Parallel: 1}))(t)
}

func TestClaimsOfLangevinAreJudgedByTheErrors(t *testing.T) {
	r := madeUpLangevin(t)
	axis := langevinAxis{suffix: overEpsilons, places: langevinEpsilons}
	if got := r.langevinAhead("corrected", axis); got != "7.5, 10" {
		t.Errorf("ahead at %s", got)
	}
	if got := r.langevinBest("corrected", axis); got != "0.02" {
		t.Errorf("the best slope is %s", got)
	}
	if got := r.langevinAhead("as printed", axis) + r.langevinBest("as printed", axis); got != stat.Unknown+stat.Unknown {
		t.Errorf("without runs %s", got)
	}
}
