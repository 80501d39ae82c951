package loop_test

import (
	"fmt"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/surrogate"
)

// BenchmarkFit is the fit that the loop asks for, which starts from the hyperparameters of one of fewer answers. It reports the
// log evidence that its result lacks to that of a thorough fit, in millionths of a nat for each answer.
func BenchmarkFit(b *testing.B) {
	policy, err := policies.Parse("gp-bucb")
	if err != nil {
		b.Fatal(err)
	}
	setting, err := study.NewSetting(policy, 6, 8)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{50, 100, 200, 500, 1000} {
		if testing.Short() && n > 200 {
			continue
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			fit, err := setting.OpenFit(b.Context(), n, 1)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				fit.Run()
			}
			b.ReportMetric(1e6*(evidence(b, fit, thorough(fit.Options))-evidence(b, fit, fit.Options)), "µnats/answer")
		})
	}
}

// thorough returns the options of a fit from three starts that looks at all answers from its first evaluation on.
func thorough(o surrogate.FitOptions) surrogate.FitOptions {
	o.Starts, o.MaxEvaluations, o.Rows = 3, 200, -1
	return o
}

// evidence returns the log evidence of all answers under the hyperparameters that a fit with these options gives, for each answer.
func evidence(b *testing.B, f loop.Fit, o surrogate.FitOptions) float64 {
	b.Helper()
	prior, _, err := surrogate.Fit(f.Start, f.X, f.Y, o, rng.New(f.Seed, rng.Fit, uint64(f.ID)))
	if err != nil {
		b.Fatal(err)
	}
	v, err := surrogate.Evidence(prior, f.X, f.Y, nil)
	if err != nil {
		b.Fatal(err)
	}
	return v / float64(len(f.X))
}
