package acquisition

import (
	"math"

	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// TransferGain is the logarithm of what a noisy value of any fidelity tells, in nats, where several models of the same data in the same
// units are equally probable, such as particles of the kernel's parameters: the mean over the members of what it tells about the maximum
// at the greatest fidelity, and Beta times what it tells about which member is right, which helps in later tasks (ParticleInformation;
// Zhang 2024, eq. 5.37, with the noise in both logarithms and without the cost).
type TransferGain struct {
	Members []FidelityGain // at least one; each with its own posterior and its own samples of the maximum
	Beta    float64        // weight of the second part, at least 0
}

// leastLog is what the logarithm of a gain counts as where it is less, such as that of none.
const leastLog = -1e100

// Value returns the logarithm of the gain at x. Cost O(n²) for each member.
func (f TransferGain) Value(x space.Unit) float64 {
	var out [1]float64
	f.Values([]space.Unit{x}, out[:])
	return out[0]
}

// Values fills out[i] with the logarithm of the gain at xs[i]. It is fastest where points that differ by the fidelity alone follow each
// other, the target among them. Cost O(n²) for each point and member, and for each target that is not among the points.
func (f TransferGain) Values(xs []space.Unit, out []float64) {
	count := len(f.Members)
	blocks := f.blocks(xs)
	means, variances := make([]float64, len(xs)*count), make([]float64, len(xs)*count)
	for i := range xs {
		out[i] = math.Inf(-1)
	}
	for k, member := range f.Members {
		p := newPairing(member.Posterior)
		for _, b := range blocks {
			p.predict(b)
			for i := range b.rows {
				pair, mean := p.pair(b, i)
				at := b.from + i
				gain, _ := member.of(pair)
				out[at], _, _ = blend(out[at], numbered(gain), 0, 0, 0, 0)
				means[at*count+k], variances[at*count+k] = mean, max(pair.Own, minVariance)+member.Posterior.Noise()
			}
		}
	}
	for i := range xs {
		at := i * count
		out[i], _ = f.joined(out[i]-math.Log(float64(count)), mixtureOf(means[at:at+count], variances[at:at+count]))
	}
}

// joined returns the logarithm of the whole gain, from that of the members' mean, and the share of the second part in it.
func (f TransferGain) joined(gain float64, m ofMixture) (value, share float64) {
	value = gain
	if told := f.Beta * m.information; told > 0 {
		log := math.Log(told)
		value, _, _ = blend(gain, log, 0, 0, 0, 0)
		share = math.Exp(log - value)
	}
	return max(value, leastLog), share
}

// Gradient returns the logarithm of the gain at x and writes its derivatives as the point moves at its fidelity, and the target with it.
// Cost O(n²) for each member.
func (f TransferGain) Gradient(x space.Unit, grad []float64) float64 {
	count, d := len(f.Members), len(x)
	numbers := make([]float64, count*(3+3*d)) // of each member: mean, variance and gain, then slopes of all three
	cut := func(length int) []float64 {
		part := numbers[:length:length]
		numbers = numbers[length:]
		return part
	}
	means, variances, gains := cut(count), cut(count), cut(count)
	dmeans, dvariances, dgains := cut(count*d), cut(count*d), cut(count*d)
	target, slopes := f.Members[0].Space.AtTarget(x), surrogate.NewPairSlopes(d)
	sum := math.Inf(-1)
	for k, member := range f.Members {
		q := surrogate.NewPredictor(member.Posterior, 2)
		pair := q.PairGrad(x, target, slopes)
		gain, by := member.of(pair)
		gains[k] = numbered(gain)
		sum, _, _ = blend(sum, gains[k], 0, 0, 0, 0)
		copy(dvariances[k*d:], slopes.Own)
		for j := range d {
			dgains[k*d+j] = by.Mean*slopes.Mean[j] + by.Variance*slopes.Variance[j] + by.Own*slopes.Own[j] + by.Covariance*slopes.Covariance[j]
		}
		means[k] = q.MeanGrad(x, dmeans[k*d:(k+1)*d])
		variances[k] = max(pair.Own, minVariance) + member.Posterior.Noise()
		if pair.Own <= minVariance {
			clear(dvariances[k*d : (k+1)*d])
		}
	}
	m := mixtureOf(means, variances)
	value, share := f.joined(sum-math.Log(float64(count)), m)
	clear(grad)
	for k, gain := range gains {
		own := 0.0 // the share of the member's gain
		if gain > leastLog {
			own = math.Exp(gain-sum) * (1 - share)
		}
		addScaled(grad, own, dgains[k*d:(k+1)*d])
		if share > 0 {
			byMean, byVariance := m.slopes(means[k], variances[k], float64(count))
			addScaled(grad, share*(byMean/m.information), dmeans[k*d:(k+1)*d])
			addScaled(grad, share*(byVariance/m.information), dvariances[k*d:(k+1)*d])
		}
	}
	return value
}

// addScaled adds a multiple of some slopes. Those that nothing depends on need not be numbers.
func addScaled(to []float64, by float64, slopes []float64) {
	if by == 0 {
		return
	}
	for j, s := range slopes {
		to[j] += by * s
	}
}
