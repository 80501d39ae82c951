package stat

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Interval returns the ends of the interval that holds the true mean with the given probability, by Student's law with N − 1
// degrees of freedom; NaN with fewer than two values. Where all values are alike it is that value.
func (e Estimate) Interval(probability float64) (low, high float64) {
	return e.IntervalOf(probability, e.N-1)
}

// IntervalOf is Interval with degrees of freedom of its own.
func (e Estimate) IntervalOf(probability float64, freedom int) (low, high float64) {
	if freedom < 1 || math.IsNaN(e.SE) {
		return math.NaN(), math.NaN()
	}
	half := e.SE * student(freedom).Quantile((1+probability)/2)
	return e.Mean - half, e.Mean + half
}

// Above returns the p-value of the one-sided test that the true mean is at most 0: small where it is above. It is 1 with fewer
// than two values, which show nothing. Values that are all alike have no spread for Student's law: there it is the sign test,
// 2^−N above zero and 1 elsewhere.
func (e Estimate) Above() float64 {
	switch {
	case e.N < 2 || !e.Known():
		return 1
	case e.SE < roundOff*math.Abs(e.Mean) || e.SE == 0:
		if e.Mean > 0 {
			return math.Ldexp(1, -e.N)
		}
		return 1
	}
	return student(e.N - 1).Survival(e.Mean / e.SE)
}

// Apart returns the p-value of the two-sided test that the true mean is 0: twice the smaller of the one-sided ones, so that N
// values that are all alike and not 0 have 2^(1−N).
func (e Estimate) Apart() float64 {
	opposite := e
	opposite.Mean = -e.Mean
	return min(2*min(e.Above(), opposite.Above()), 1)
}

func student(freedom int) distuv.StudentsT {
	return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}
}

// Clustered returns the mean of values with a standard error that allows for values of one cluster depending on each other:
// the root of Σ_c (Σ_{i in c} (v_i − mean))² · C/(C−1) / n² over C clusters (Liang & Zeger 1986). N is the number of clusters.
// With one value in each cluster it is Of; of one cluster alone
// there is no error. Values and clusters have one length.
func Clustered(values []float64, cluster []string) Estimate {
	e := Of(values)
	sums, names := map[string]float64{}, []string{}
	for i, v := range values {
		if _, known := sums[cluster[i]]; !known {
			names = append(names, cluster[i])
		}
		sums[cluster[i]] += v - e.Mean
	}
	if len(names) < 2 {
		return Estimate{len(names), e.Mean, math.NaN()}
	}
	square := 0.0
	for _, name := range names {
		square += sums[name] * sums[name]
	}
	count := float64(len(names))
	return Estimate{len(names), e.Mean, math.Sqrt(square*count/(count-1)) / float64(len(values))}
}
