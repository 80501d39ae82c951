package survival

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Family is a law by name, as package delay knows them.
type Family string

// The families that delays are compared with.
const (
	Exponential Family = "exponential"
	LogNormal   Family = "lognormal"
	Pareto      Family = "pareto"
)

// Parametric is a law of a family, fitted to the answers that come at all, with the share that never does as Law has it.
type Parametric struct {
	Family     Family
	Parameters []float64 // in seconds: the mean; mean and deviation of the logarithm; the least delay and the exponent of the tail
	AIC        float64   // Akaike's criterion: the least is the best
	lost       float64
}

// rounds of the iteration by which a normal law is fitted to logarithms of which some are only bounded from below.
const normalRounds = 100

// Parametric returns the families fitted by maximum likelihood, the best first; none where nothing is known. Cost that of Law, some hundred
// times for the lognormal law.
func (h *History) Parametric(pending []time.Duration) []Parametric {
	law := h.Law(pending)
	if !law.Known() {
		return nil
	}
	waits := h.waits(pending)
	for i := range waits {
		w := &waits[i]
		w.at = max(w.at, 1e-6)
		w.weight = w.silent * law.returning(law.longer(w.at))
	}
	all := []Parametric{exponentialOf(waits), logNormalOf(waits), paretoOf(waits)}
	for i := range all {
		p := &all[i]
		p.lost = law.Lost
		p.AIC = 2*float64(len(p.Parameters)+1) - 2*p.logLikelihood(waits)
	}
	slices.SortStableFunc(all, func(a, b Parametric) int { return cmp.Compare(a.AIC, b.AIC) })
	return all
}

func exponentialOf(waits []wait) Parametric {
	n, sum := 0.0, 0.0
	for _, w := range waits {
		n, sum = n+w.count, sum+(w.count+w.weight)*w.at
	}
	return Parametric{Family: Exponential, Parameters: []float64{sum / n}}
}

func paretoOf(waits []wait) Parametric {
	i := slices.IndexFunc(waits, func(w wait) bool { return w.count > 0 })
	least, n, sum := waits[i].at, 0.0, 0.0
	for _, w := range waits {
		n, sum = n+w.count, sum+(w.count+w.weight)*math.Log(max(w.at/least, 1))
	}
	return Parametric{Family: Pareto, Parameters: []float64{least, min(n/sum, 1000)}}
}

// logNormalOf fits by EM: of a delay that is only known to be longer it takes the mean and the mean square beyond.
func logNormalOf(waits []wait) Parametric {
	mean, sd, n := 0.0, 0.0, 0.0
	for _, w := range waits {
		n, mean = n+w.count, mean+w.count*math.Log(w.at)
	}
	mean /= n
	for _, w := range waits {
		d := math.Log(w.at) - mean
		sd += w.count * d * d
	}
	sd = max(math.Sqrt(sd/n), 1e-6)
	for range normalRounds {
		total, first, second := 0.0, 0.0, 0.0
		for _, w := range waits {
			x := math.Log(w.at)
			total, first, second = total+w.count, first+w.count*x, second+w.count*x*x
			if w.weight > 0 {
				z := (x - mean) / sd
				hazard := hazardOf(z)
				m := mean + sd*hazard
				total, first = total+w.weight, first+w.weight*m
				second += w.weight * (m*m + sd*sd*(1+z*hazard-hazard*hazard))
			}
		}
		mean = first / total
		sd = max(math.Sqrt(max(second/total-mean*mean, 0)), 1e-6)
	}
	return Parametric{Family: LogNormal, Parameters: []float64{mean, sd}}
}

// hazardOf is the density of the standard normal law over the chance of more.
func hazardOf(z float64) float64 {
	if z > 30 {
		return z + 1/z
	}
	return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / (math.Erfc(z/math.Sqrt2) / 2)
}

// Longer returns the chance that a query has neither answered nor failed after a time, lost ones included.
func (p Parametric) Longer(after time.Duration) float64 {
	_, longer := p.at(after.Seconds())
	return p.lost + (1-p.lost)*longer
}

// at is the log density of a delay that comes, and the chance of a longer one.
func (p Parametric) at(t float64) (logDensity, longer float64) {
	t = max(t, 1e-6)
	switch p.Family {
	case Exponential:
		m := p.Parameters[0]
		return -t/m - math.Log(m), math.Exp(-t / m)
	case LogNormal:
		sd := p.Parameters[1]
		z := (math.Log(t) - p.Parameters[0]) / sd
		return -z*z/2 - math.Log(sd*t*math.Sqrt(2*math.Pi)), math.Erfc(z/math.Sqrt2) / 2
	}
	least, shape := p.Parameters[0], p.Parameters[1]
	if t < least {
		return math.Inf(-1), 1
	}
	return math.Log(shape/t) - shape*math.Log(t/least), math.Pow(least/t, shape)
}

func (p Parametric) logLikelihood(waits []wait) (sum float64) {
	for _, w := range waits {
		logDensity, longer := p.at(w.at)
		if w.count > 0 {
			sum += w.count * (math.Log1p(-p.lost) + logDensity)
		}
		if w.silent > 0 {
			sum += w.silent * math.Log(p.lost+(1-p.lost)*longer)
		}
	}
	return sum
}
