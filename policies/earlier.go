package policies

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/surrogate"
)

// Earlier is the model of an earlier study of a function of the same kind, in units of its own: its values have mean 0 and standard
// deviation 1, and the greatest is the best. Over a finite list it carries all points as its pool, in the order of the list.
type Earlier struct {
	Name      string
	Posterior *surrogate.Posterior
}

const (
	rankedFirst   = 3    // answers from which the earlier studies are compared with
	rankedAnswers = 48   // answers that are looked at, spread evenly over their order
	mostModels    = 12   // earlier studies with a weight, once there are answers
	discardAbove  = 0.95 // share of the losses of the study's own model above which a typical loss of an earlier one makes it drop out
)

// EarlierShares returns, for a policy that looks at earlier studies, what each of the earlier models counts, and after them the study's own: the share of draws in which the
// model ranks the fewest pairs of answers the wrong way round (Feurer et al. 2018). A draw of an earlier model has a normal deviate
// of its own at each answer; that of the study's own model is of the prediction of each answer from the others. An earlier model
// drops out whose median loss is above the 95th percentile of the own model's losses. Before three answers all earlier models count
// the same, and the own one nothing. Of more than twelve the best keep their weight. Weights sum to 1. Cost O(S·K·m²) for S draws of
// K models at m ≤ 48 answers, and O(n²) for n answers.
func (v View) EarlierShares(draws int, stream *rand.Rand) []float64 {
	own := len(v.Earlier)
	weights := make([]float64, own+1)
	mean, deviation, values := v.ranked()
	if len(values) < rankedFirst {
		for k := range own {
			weights[k] = 1 / float64(own)
		}
		return weights
	}
	losses := make([][]int, own+1)
	f := make([]float64, len(values))
	for k := range losses {
		losses[k] = make([]int, draws)
		for s := range losses[k] {
			for i := range f {
				f[i] = mean[k][i] + deviation[k][i]*stream.NormFloat64()
			}
			losses[k][s] = misranked(f, values)
		}
	}
	allowed := quantileOf(losses[own], discardAbove)
	for k := range own {
		if quantileOf(losses[k], 0.5) > allowed {
			losses[k] = nil
		}
	}
	for s := range draws {
		shareLeast(weights, losses, s, 1/float64(draws))
	}
	return fewest(weights, mostModels)
}

// ranked returns mean and standard deviation of each model at the answers that are compared, the study's own last, and their values.
func (v View) ranked() (mean, deviation [][]float64, values []float64) {
	if v.Posterior == nil {
		return nil, nil, nil
	}
	of := v.Ignoring()
	sample := of.Sample()
	var rows []int
	for i, came := range sample.Came {
		if came {
			rows = append(rows, i)
		}
	}
	if len(rows) < rankedFirst {
		return nil, nil, nil
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(sample.U[a], sample.U[b]) })
	rows = spread(rows, rankedAnswers)
	for _, i := range rows {
		values = append(values, sample.U[i])
	}
	for _, e := range v.Earlier {
		m, d := make([]float64, len(rows)), make([]float64, len(rows))
		for j, i := range rows {
			var variance float64
			m[j], variance = e.Posterior.Predict(sample.X[i])
			d[j] = math.Sqrt(max(variance, 0))
		}
		mean, deviation = append(mean, m), append(deviation, d)
	}
	m, variance := of.Posterior.LeaveOneOut()
	own, deviations := make([]float64, len(rows)), make([]float64, len(rows))
	for j, i := range rows {
		own[j], deviations[j] = m[i], math.Sqrt(max(variance[i], 0))
	}
	return append(mean, own), append(deviation, deviations), values
}

// misranked counts the pairs whose order by f is another one than by their values; pairs of equal values do not count. Cost O(n²).
func misranked(f, values []float64) int {
	wrong := 0
	for i := range f {
		for j := range i {
			if values[i] != values[j] && (f[i] < f[j]) != (values[i] < values[j]) {
				wrong++
			}
		}
	}
	return wrong
}

// shareLeast gives the share to the model with the least loss in a draw, in equal parts where several have it.
func shareLeast(weights []float64, losses [][]int, draw int, share float64) {
	least, count := math.MaxInt, 0
	for _, l := range losses {
		if l == nil || l[draw] > least {
			continue
		}
		if l[draw] < least {
			least, count = l[draw], 0
		}
		count++
	}
	for k, l := range losses {
		if l != nil && l[draw] == least {
			weights[k] += share / float64(count)
		}
	}
}

// fewest keeps the weight of the last, and the greatest of the others, as many as most, the first of equals; all are scaled so that
// they sum to 1.
func fewest(weights []float64, most int) []float64 {
	last := len(weights) - 1
	order := make([]int, last)
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(weights[b], weights[a]) })
	for _, k := range order[min(most, last):] {
		weights[k] = 0
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for k := range weights {
		weights[k] /= sum
	}
	return weights
}

// quantileOf is the value at a share of a sample, from its least to its greatest.
func quantileOf(losses []int, share float64) int {
	sorted := slices.Clone(losses)
	slices.Sort(sorted)
	return sorted[int(share*float64(len(sorted)-1))]
}

// spread are so many of the items at most, with equal steps between them, the first and the last among them.
func spread(items []int, most int) []int {
	if len(items) <= most {
		return items
	}
	out := make([]int, most)
	for i := range out {
		out[i] = items[i*(len(items)-1)/(most-1)]
	}
	return out
}
