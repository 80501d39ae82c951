package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/space"
)

// CBO is conformal Bayesian optimization: the error bars of the model are corrected by how far each answer lies from the
// prediction that the other answers make of it (leave-one-out). Each answer has the weight of weighted conformal
// prediction, the ratio of the density of the next query to that of the data at its point (Stanton et al. 2023, as Kim et
// al. 2025 use it), estimated by kernels. Before the first answer it chooses uniformly. Cost O(n³) a query for the
// predictions of n answers, the latest 500 at most.
type CBO struct {
	Alpha   float64 // share of values that the sets may miss; 0 means 0.2
	Pending feedback.Imputation
}

var _ = Register(Entry{
	Name:    "cbo",
	Summary: "expected improvement with error bars calibrated by weighted conformal prediction; pending queries hallucinated",
	Source:  "Stanton et al. 2023; Kim et al. 2025 (CBO), with eq. 12 normalized; density ratio by kernels",
}, CBO{Pending: feedback.Hallucinate})

// Settings are the options.
func (p *CBO) Settings() Settings {
	return Settings{
		Number("alpha", &p.Alpha, defaultLocal.Alpha, Range{Low: 0.001, High: 0.999}, "share of the values that the sets may miss"),
		Pending(&p.Pending),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p CBO) Traits() Traits {
	return Traits{Name: NameOf("cbo", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes expected improvement under the corrected posterior. The forecast of each query holds its set.
func (p CBO) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	if err := Validate(p); err != nil {
		return nil, err
	}
	if !view.Informed() {
		return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit { return v.Random(stream, avoid) }), nil
	}
	alpha := p.alpha()
	w, err := view.weighted(alpha, p.Pending, stream)
	if err != nil {
		return nil, err
	}
	proposals := Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		return v.MaximizeGain(p.function(v, w), avoid, stream)
	})
	for i := range proposals {
		if f := proposals[i].Forecast; f != nil {
			f.Target, f.Threshold = 1-alpha, w.At(proposals[i].X)
		}
	}
	return proposals, nil
}

func (p CBO) alpha() float64 { return cmp.Or(p.Alpha, defaultLocal.Alpha) }

// function is expected improvement under the corrected posterior.
func (p CBO) function(v View, w weightedThreshold) acquisition.There {
	best := v.Target()
	return acquisition.There{
		Posterior: v.Posterior,
		Utility:   acquisition.CalibratedLogExpectedImprovement{Local: w, Alpha: p.alpha(), Noise: v.Posterior.Noise(), Best: best},
		Rough:     acquisition.LogExpectedImprovement{Best: best},
	}
}

// Explain returns expected improvement under the corrected posterior, with the threshold at each point.
func (p CBO) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	w, err := v.weighted(p.alpha(), p.Pending, stream)
	if err != nil {
		return Explanation{}, err
	}
	return v.conformal(v.IfFeasible(p.function(v, w)), w, p.alpha()), nil
}

// weightedThreshold is the threshold of weighted conformal prediction, a step function of the point.
type weightedThreshold struct {
	scores *calibration.ScoreDistribution
	alpha  float64
	ratio  densityRatio
}

// At returns the conformity that the quantile of the residuals has at x; 0, everything, where none is finite.
func (w weightedThreshold) At(x space.Unit) float64 {
	return calibration.Score(w.scores.Quantile(1-w.alpha, w.ratio.at(x)), 0, 1)
}

// Gradient returns At; between the steps nothing changes.
func (w weightedThreshold) Gradient(x space.Unit, grad []float64) float64 {
	clear(grad)
	return w.At(x)
}

// weighted is the threshold after all answers so far.
func (v View) weighted(alpha float64, how feedback.Imputation, stream *rand.Rand) (weightedThreshold, error) {
	data, z := v.residuals(LeaveOneOut, how)
	for k, d := range z {
		z[k] = math.Abs(d)
	}
	ratio := v.ratio(data, stream)
	weights := make([]float64, len(data))
	for k, x := range data {
		weights[k] = ratio.without(x, k)
	}
	scores, err := calibration.NewScoreDistribution(z, weights)
	return weightedThreshold{scores, alpha, ratio}, err
}

const (
	ratioSamples = 256 // points that stand for the density of the next query
	ratioBound   = 1e3 // the ratio lies between this and its inverse
)

// densityRatio estimates how much likelier a point is to be queried next than to be in the data.
type densityRatio struct {
	data, next []space.Unit
	share      []float64 // of each point of next
	width      float64   // of the kernels
}

// ratio is the density ratio: points are queried next in proportion to their expected improvement.
func (v View) ratio(data []space.Unit, stream *rand.Rand) densityRatio {
	r := densityRatio{data: data, width: 0.5 * math.Pow(float64(max(len(data), 1)), -1/float64(v.Space.Dim()+4))}
	f := acquisition.LogExpectedImprovement{Best: v.Target()}
	for range ratioSamples {
		x := v.Random(stream, nil)
		r.next, r.share = append(r.next, x), append(r.share, f.Of(v.Posterior.Predict(x)))
	}
	most := slices.Max(r.share)
	for i, s := range r.share {
		r.share[i] = math.Exp(s - most)
	}
	floats.Scale(1/floats.Sum(r.share), r.share)
	return r
}

// at returns the ratio at x, see without.
func (r densityRatio) at(x space.Unit) float64 { return r.without(x, len(r.data)) }

// without returns the ratio at x by all data but the k-th: the bound where there are no others, 1 where there is nothing at all. At a point of the data the
// density must leave it out: where points are many kernel widths apart a point's own kernel is all of the density there, and nothing of it anywhere else.
func (r densityRatio) without(x space.Unit, k int) float64 {
	var next, data float64
	for i, p := range r.next {
		next += r.share[i] * r.kernel(x, p)
	}
	others := 0
	for i, p := range r.data {
		if i != k {
			data += r.kernel(x, p)
			others++
		}
	}
	data /= float64(max(others, 1))
	if data == 0 && next == 0 {
		return 1
	}
	return min(max(next/data, 1/ratioBound), ratioBound)
}

func (r densityRatio) kernel(a, b space.Unit) float64 {
	d := floats.Distance(a, b, 2) / r.width
	return math.Exp(-d * d / 2)
}
