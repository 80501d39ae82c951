package survival

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	ours "github.com/tarry-bo/tarry/internal/stat"
)

// Pace says how much longer answers take at one point than at another: the logarithm of a delay is linear in what describes the point (an
// accelerated failure time model). The zero Pace says that points do not matter.
type Pace struct {
	Slope []float64 // of ln(delay), for each feature
	Mean  []float64 // of the features
}

const (
	paceLeast  = 20   // delays before a pace is looked for, and
	paceEach   = 5    // so many for each feature
	paceChance = 1e-3 // of a fit as good, were points indifferent, below which a pace is believed
	paceRidge  = 1e-6 // of the mean square of a feature, so that two that are one do no harm
)

// PaceOf returns the pace of delays in seconds, > 0, at points with these features, one row each, all of the same length; the zero Pace
// where they show none: where there are too few, or where an F test says that as good a fit may be chance. Cost O(n·k²) for k features.
func PaceOf(features [][]float64, delays []float64) Pace {
	n := len(delays)
	if n == 0 {
		return Pace{}
	}
	k := len(features[0])
	if k == 0 || n < paceLeast || n < paceEach*k {
		return Pace{}
	}
	p := Pace{Mean: make([]float64, k)}
	logs := make([]float64, n)
	for i, row := range features {
		logs[i] = math.Log(delays[i])
		for j, v := range row {
			p.Mean[j] += v / float64(n)
		}
	}
	mean := stat.Mean(logs, nil)
	gram, right := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	total := 0.0
	for i, row := range features {
		total += (logs[i] - mean) * (logs[i] - mean)
		for a := range k {
			da := row[a] - p.Mean[a]
			right.SetVec(a, right.AtVec(a)+da*(logs[i]-mean))
			for b := a; b < k; b++ {
				gram.SetSym(a, b, gram.At(a, b)+da*(row[b]-p.Mean[b]))
			}
		}
	}
	for a := range k {
		gram.SetSym(a, a, gram.At(a, a)+paceRidge*float64(n))
	}
	var c mat.Cholesky
	slope := mat.NewVecDense(k, nil)
	if !c.Factorize(gram) || c.SolveVecTo(slope, right) != nil {
		return Pace{}
	}
	explained := mat.Dot(slope, right)
	rest, free := total-explained, float64(n-k-1)
	if !(total > 0) || free < 1 {
		return Pace{}
	}
	f := distuv.F{D1: float64(k), D2: free}
	if rest > 0 && !(f.Survival(explained/float64(k)/(rest/free)) < paceChance) {
		return Pace{}
	}
	p.Slope = slope.RawVector().Data
	return p
}

// Known reports whether points matter.
func (p Pace) Known() bool { return len(p.Slope) > 0 }

// most is the greatest factor by which a point may be slower or faster than the mean.
const most = 1e3

// Factor returns how many times as long an answer takes at a point as at the mean of all, in [1e-3, 1e3]; 1 where points do not matter.
func (p Pace) Factor(features []float64) float64 {
	log := 0.0
	for j, s := range p.Slope {
		log += s * (features[j] - p.Mean[j])
	}
	return min(max(math.Exp(log), 1/most), most)
}

// Dependence returns the rank correlation of delays and values (Spearman), and the chance of one as far from zero were they independent,
// by Student's law; NaN with fewer than ten. Censoring what is pending takes them to be independent.
func Dependence(delays, values []float64) (rho, chance float64) {
	n := len(delays)
	if n < 10 {
		return math.NaN(), math.NaN()
	}
	rho = stat.Correlation(ours.Ranks(delays), ours.Ranks(values), nil)
	if math.IsNaN(rho) { // all are equal
		return 0, 1
	}
	free := float64(n - 2)
	t := math.Abs(rho) * math.Sqrt(free/math.Max(1-rho*rho, 1e-300))
	return rho, 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: free}.Survival(t)
}
