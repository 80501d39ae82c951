package policies_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/stat"
)

// moments are the posteriors at which a search is judged, each of a study of its own: those of one study would all be much
// alike.
const moments = 40

// BenchmarkSearch reports the utility that the queries of the default policy lack to those of thorough searches, in millionths
// of the posterior standard deviation: the mean, the 95th percentile and the maximum over all moments. Its time is that of
// the studies and of the thorough searches.
func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{50, 100, 200, 500, 1000} {
		if testing.Short() && n > 50 {
			continue
		}
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			setting := settingOf(b, "gp-bucb", 6)
			var lacking []float64
			for b.Loop() {
				lacking = shortfalls(b, setting, n)
			}
			b.ReportMetric(1e6*stat.Of(lacking).Mean, "µsd-mean")
			b.ReportMetric(1e6*lacking[len(lacking)*95/100-1], "µsd-95%")
			b.ReportMetric(1e6*lacking[len(lacking)-1], "µsd-max")
		})
	}
}

// shortfalls returns what the queries of so many moments lack, ascending. With -short there are few moments.
func shortfalls(b *testing.B, setting study.Setting, n int) []float64 {
	b.Helper()
	fit, err := setting.OpenFit(b.Context(), n, 1)
	if err != nil {
		b.Fatal(err)
	}
	hyper, _, err := study.Fitted(fit)
	if err != nil {
		b.Fatal(err)
	}
	count := moments
	if testing.Short() {
		count = 2
	}
	var out []float64
	for i := range count {
		s, err := setting.NewStudy(n, 1+uint64(i))
		if err == nil {
			err = s.ReachFit(b.Context(), n, hyper)
		}
		if err == nil {
			_, err = s.Suggest() // the first one makes the factor from scratch, which is no usual moment
		}
		if err != nil {
			b.Fatal(err)
		}
		q, err := s.Suggest()
		if err != nil {
			b.Fatal(err)
		}
		f := bound{q.View.Posterior, bounded["gp-bucb"]}
		out = append(out, shortfall(f, q.X, thorough(f, setting.Problem.Space, uint64(i))))
	}
	slices.Sort(out)
	return out
}
