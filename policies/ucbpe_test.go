package policies

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// twoModels are the textbook's posteriors of the answers alone, and of all queries, at whose means nobody looks.
func twoModels(v View, x []space.Unit, y []float64, seen []int) (alone, all func(space.Unit) (float64, float64)) {
	var xs []space.Unit
	var ys []float64
	for k := range x {
		if seen[k] > 0 && seen[k] <= v.Round {
			xs, ys = append(xs, x[k]), append(ys, y[k])
		}
	}
	return textbook(v.Posterior.Prior(), xs, ys), textbook(v.Posterior.Prior(), x, make([]float64, len(x)))
}

// On a list the query is the greatest of numbers from the textbook: the bound where a value has come since the last query, the penalized
// deviation otherwise.
func TestUCBPEIsThatOfTheTextbook(t *testing.T) {
	s := lineOf(t, 50)
	turns := map[bool]int{}
	for seed := range uint64(30) {
		x, y, seen := historyOf(s, 12, seed)
		v := told(t, s, shortPrior(1), feedback.Hallucinate, x, y, seen)
		alone, all := twoModels(v, x, y, seen)
		news, threshold := slices.Contains(seen, v.Round), math.Inf(-1)
		for _, u := range s.UnitPoints() {
			mean, sd := alone(u)
			threshold = max(threshold, mean-1.8*sd)
		}
		value := func(u space.Unit) float64 {
			mean, own := alone(u)
			_, sd := all(u)
			if news {
				return mean + 1.8*sd
			}
			return sd + 10*min(mean+0.5*own-threshold, 0)
		}
		most := math.Inf(-1)
		for _, u := range s.UnitPoints() {
			most = max(most, value(u))
		}
		turns[news]++
		chosen := must.Get(UCBPE{}.Propose(v, 1, rng.New(seed, rng.Test, 3)))(t)[0].X
		if got := value(chosen); got < most-1e-7 {
			t.Errorf("seed %d, news %t: %v is worth %v, the best point %v", seed, news, chosen, got, most)
		}
	}
	if turns[true] < 5 || turns[false] < 5 {
		t.Errorf("turns %v", turns)
	}
}

// What pends before news is explored point after point: all are different, and what is least known gets no less known.
func TestPureExplorationShrinksWhatIsUnknown(t *testing.T) {
	s := lineOf(t, 60)
	x, y, seen := historyOf(s, 12, 2)
	for k := range seen {
		seen[k] = min(k+2, 12) // the last choice saw all that came
	}
	seen[11] = 0
	v := told(t, s, shortPrior(1), feedback.Hallucinate, x, y, seen)
	var chosen []space.Unit
	last := math.Inf(1)
	for range 8 {
		f, _ := UCBPE{}.exploration(v)
		next := must.Get(UCBPE{}.Propose(v, 1, rng.New(1, rng.Test, 4)))(t)[0].X
		if worth := f.Value(next); v.news() || worth > last+1e-9 || slices.ContainsFunc(chosen, func(u space.Unit) bool { return slices.Equal(u, next) }) {
			t.Errorf("news %t: %v is worth %v, after %v and %v", v.news(), next, worth, last, chosen)
		} else {
			last = worth
		}
		v, chosen = v.WithPending(next, feedback.Hallucinate), append(chosen, next)
	}
}

// The best lower bound is that over all rows, also where those with low means are passed by.
func TestTheBestLowerBoundIsThatOfAllRows(t *testing.T) {
	each(t, feedback.Ignore, func(name string, v View, _ *rand.Rand) {
		v = heard(v)
		most := math.Inf(-1)
		for i, mean := range v.Posterior.RowMeans() {
			most = max(most, mean-2*math.Sqrt(v.Posterior.VarianceAt(i)))
		}
		must.Near(t, name, alone{View: v}.bestLower(2), most, 0)
	})
}

// heard is the view with an answer to every query that does not pend.
func heard(v View) View {
	v.History = nil
	for _, q := range v.Queries {
		if !slices.Contains(v.Pending, q.Number) {
			v.History = append(v.History, Answer{Query: q})
		}
	}
	return v
}

// What a query that failed was expected to bring is none of the answers.
func TestTheBestLowerBoundIsOfAnswers(t *testing.T) {
	each(t, feedback.Ignore, func(name string, v View, _ *rand.Rand) {
		v = heard(v)
		best := floats.MaxIdx(v.Posterior.RowMeans())
		failed := v.Rows[best]
		v.History = slices.DeleteFunc(slices.Clone(v.History), func(a Answer) bool { return a.Query.Number == failed })
		most := math.Inf(-1)
		for i, mean := range v.Posterior.RowMeans() {
			if i != best {
				most = max(most, mean-2*math.Sqrt(v.Posterior.VarianceAt(i)))
			}
		}
		must.Near(t, name, alone{View: v}.bestLower(2), most, 0)
		v.Rows = slices.Clone(v.Rows)
		v.Rows[best] *= -1 // it has a report
		must.Near(t, name, alone{View: v}.bestLower(2), max(most, v.Posterior.RowMeans()[best]-2*math.Sqrt(v.Posterior.VarianceAt(best))), 0)
	})
}

func TestSlopesOfTheExplorationAreThoseOfDifferences(t *testing.T) {
	const h = 1e-6
	for _, m := range []float64{-1, 0.2, 2} {
		for _, s := range []float64{0.04, 1} {
			for _, f := range []interface {
				Of(mean, variance float64) float64
				Slopes(mean, variance float64) (float64, float64, float64)
			}{deviation{}, lacking{UCBPE{}.bound(), 1}} {
				value, byMean, byVariance := f.Slopes(m, s)
				must.Near(t, "value", value, f.Of(m, s), 1e-12)
				must.Near(t, "by the mean", byMean, (f.Of(m+h, s)-f.Of(m-h, s))/(2*h), 1e-5)
				must.Near(t, "by the variance", byVariance, (f.Of(m, s+h)-f.Of(m, s-h))/(2*h), 1e-4)
			}
		}
	}
}
