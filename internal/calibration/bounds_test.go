package calibration

// The statements below are about a number c that starts at first, moves by rate·(target - event) after each of n judged
// answers, and may be added to a local part g when it is issued. Events are misses for Localized (target α) and answers
// at or below a quantile for Tracker and LocalTracker (target p). They hold for every sequence, however it was chosen.

// CoverageIdentity returns the exact share of events among n judged answers of a constant rate from where the number
// started and where it is: target + (first - last)/(rate·n).
func CoverageIdentity(target, first, last, rate float64, n int) float64 {
	return target + (first-last)/(rate*float64(n))
}

// MissBound returns what the share of events can at most be under a constant rate:
//
//	target + (first + above + (delay+1)·rate·(1 - target)) / (rate·n)
//
// where above is the largest local part max(g(x), 0) that was issued (0 without localization). An event needs an issued
// value c + g ≥ 0, so c was at least -above then, and until after the judgment it fell delay+1 times at most by
// rate·(1 - target); that bounds the last c of CoverageIdentity from below.
func MissBound(target, first, above float64, delay int, rate float64, n int) float64 {
	return target + max(0, first+above+float64(delay+1)*rate*(1-target))/(rate*float64(n))
}

// MissFloor returns what the share of events must at least be under a constant rate:
//
//	target - (1 - first + below + (delay+1)·rate·target) / (rate·n)
//
// where below is the largest max(-g(x), 0) that was issued. It mirrors MissBound: an answer without event needs an issued
// value of at most 1.
func MissFloor(target, first, below float64, delay int, rate float64, n int) float64 {
	return target - max(0, 1-first+below+float64(delay+1)*rate*target)/(rate*float64(n))
}

// TrackerBound returns the largest possible |share of events - p| of a Tracker with PITs in [0,1], the wider side of
// MissBound and MissFloor. It is at most (1 + (delay+1)·rate)/(rate·n) for a start in [0,1] (Deshpande et al. 2024,
// Lemma 3, is the case without delay).
func TrackerBound(p, first float64, delay int, rate float64, n int) float64 {
	return max(MissBound(p, first, 0, delay, rate, n)-p, p-MissFloor(p, first, 0, delay, rate, n))
}

// AverageBound returns the largest possible |mean over all levels of (share - level)| of a Recalibrator with LazyIsotonic
// repair whose starts lie in [0,1] and have the mean first: (max(first, 1 - first) + (delay+1)·rate)/(rate·n).
//
// Isotonic regression keeps the sum of the latent positions, and what it deploys stays within (delay+1)·rate of [0,1]:
// its least value is the least mean of an initial run of latent positions, no such mean is below that of the deployed
// ones, and those that an answer lowers, by less than rate, were deployed at 0 or above, since when each of delay other
// answers lowered them by less than rate, because the regression never moves further than its data.
func AverageBound(first float64, delay int, rate float64, n int) float64 {
	return (max(first, 1-first) + float64(delay+1)*rate) / (rate * float64(n))
}

// VaryingBound returns the largest possible |share of events - target| after n judged answers when the rates do not
// increase: (highest - lowest)/(n·last), with the extremes of c over its whole course, start included, and the last rate
// (summation by parts; compare Angelopoulos et al. 2024).
func VaryingBound(lowest, highest, last float64, n int) float64 {
	return (highest - lowest) / (float64(n) * last)
}

// OnlineConformalBound returns the largest possible excess of the share of misses over α for NewOnlineConformal with
// scores in [0, span], a start in it, and constant rate: (span + (delay+1)·rate)/(rate·n) (Gibbs and Candès 2021 for
// delay 0).
func OnlineConformalBound(span float64, delay int, rate float64, n int) float64 {
	return (span + float64(delay+1)*rate) / (rate * float64(n))
}

// Reach returns bounds of the local part that hold for every sequence of answers: -below ≤ g(x) ≤ above with
// below = κ(1-α)/Decay and above = κα/Decay. Each positive weight enters as η_t·α while the sum of those before it
// shrinks by Decay·η_t, so the sum never passes α/Decay; likewise for the negative ones.
func (c LocalizedConfig) Reach() (below, above float64) {
	if !c.localizes() {
		return 0, 0
	}
	return c.Kappa * (1 - c.Alpha) / c.Decay, c.Kappa * c.Alpha / c.Decay
}
