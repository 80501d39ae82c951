package topics

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// The end of the iteration over a document, as in the authors' program.
const (
	mostIterations = 100
	settled        = 1e-3   // mean change of the parameters of the document's topics
	leastChance    = 1e-100 // of a word, where all of its topics underflow
)

// inference is the variational posterior of one document, with its memory.
type inference struct {
	alpha  float64
	gamma  []float64 // parameters of the Dirichlet distribution of the document's topics
	logs   []float64 // E log of the topics' shares
	theta  []float64 // exp of logs
	before []float64
}

func newInference(topics int, alpha float64) *inference {
	return &inference{
		alpha: alpha, gamma: make([]float64, topics), logs: make([]float64, topics), theta: make([]float64, topics), before: make([]float64, topics),
	}
}

// document iterates to the posterior of a document, from all topics alike (equations 5 of Hoffman et al. 2010, with the
// responsibilities φ put into γ so that they are never stored). beta holds exp E log of the topics, words x topics.
func (p *inference) document(d Document, beta []float64) {
	topics := len(p.gamma)
	start := p.alpha + d.Total()/float64(topics)
	for k := range p.gamma {
		p.gamma[k] = start
	}
	p.expect()
	for range mostIterations {
		copy(p.before, p.gamma)
		clear(p.gamma)
		for i, w := range d.Words {
			row := beta[w*topics : (w+1)*topics]
			floats.AddScaled(p.gamma, d.Counts[i]/p.chance(row), row)
		}
		change := 0.0
		for k, sum := range p.gamma {
			p.gamma[k] = p.alpha + p.theta[k]*sum
			change += math.Abs(p.gamma[k] - p.before[k])
		}
		p.expect()
		if change < settled*float64(topics) {
			return
		}
	}
}

// expect computes the expected logarithms of the shares.
func (p *inference) expect() {
	total := mathext.Digamma(floats.Sum(p.gamma))
	for k, g := range p.gamma {
		p.logs[k] = mathext.Digamma(g) - total
		p.theta[k] = math.Exp(p.logs[k])
	}
}

// chance is what normalizes the responsibilities of the topics for a word.
func (p *inference) chance(row []float64) float64 { return floats.Dot(p.theta, row) + leastChance }

// share adds, for each word, its count times the responsibilities to gain, words x topics.
func (p *inference) share(d Document, beta, gain []float64) {
	topics := len(p.gamma)
	for i, w := range d.Words {
		row := beta[w*topics : (w+1)*topics]
		scale := d.Counts[i] / p.chance(row)
		for k, v := range row {
			gain[w*topics+k] += scale * p.theta[k] * v
		}
	}
}

// bound returns the lower bound of the log likelihood of the document, in nats:
//
//	Σ counts · log Σ_k θ_k β_kw + Σ_k (α - γ_k) log θ_k + log Γ(γ_k) - log Γ(α) + log Γ(K α) - log Γ(Σ γ)
//
// with θ and β the exponentials of expected logarithms: E log p(words, shares) - E log q with the best φ put in.
func (p *inference) bound(d Document, beta []float64) float64 {
	topics, sum := len(p.gamma), 0.0
	for i, w := range d.Words {
		sum += d.Counts[i] * math.Log(p.chance(beta[w*topics:(w+1)*topics]))
	}
	for k, g := range p.gamma {
		sum += (p.alpha-g)*p.logs[k] + logGamma(g) - logGamma(p.alpha)
	}
	return sum + logGamma(float64(topics)*p.alpha) - logGamma(floats.Sum(p.gamma))
}

func logGamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}
