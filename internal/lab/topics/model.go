package topics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/internal/check"
)

// Model is a set of topics. Its methods do not write to it.
type Model struct {
	Steps int // mini-batches taken; 0 where the topics were given

	topics int
	alpha  float64
	beta   []float64 // words x topics, exp E log of the chance of a word in a topic
	mean   []float64 // words x topics, its mean
}

// Known is the model whose topics are these distributions over the words, without any doubt, and whose documents have a
// Dirichlet prior of concentration alpha. An error unwraps to check.ErrInvalidOption: at least two topics of the same number
// of words, at least two, chances ≥ 0 that sum to 1, alpha > 0.
func Known(distributions [][]float64, alpha float64) (*Model, error) {
	var l check.List
	l.Between("topics", len(distributions), 2, maxTopics)
	l.Positive("alpha", alpha)
	if err := l.Err(); err != nil {
		return nil, err
	}
	topics, words := len(distributions), len(distributions[0])
	l.Between("words", words, 2, maxWords)
	m := &Model{topics: topics, alpha: alpha, mean: make([]float64, topics*words)}
	for k, chances := range distributions {
		sum := 0.0
		for w, p := range chances {
			sum += p
			if len(chances) == words {
				m.mean[w*topics+k] = p
			}
		}
		l.Require(len(chances) == words, fmt.Sprintf("len(topics[%d])", k), len(chances), fmt.Sprintf("%d words like the first", words))
		l.Require(math.Abs(sum-1) < 1e-9 && !slices.ContainsFunc(chances, func(p float64) bool { return !(p >= 0) }),
			fmt.Sprintf("topics[%d]", k), fmt.Sprintf("sum %g", sum), "chances ≥ 0 that sum to 1")
	}
	m.beta = m.mean
	return m, l.Err()
}

// Topic returns the expected chance of each word in a topic, from 0. They sum to 1.
func (m *Model) Topic(k int) []float64 {
	chances := make([]float64, len(m.mean)/m.topics)
	for w := range chances {
		chances[w] = m.mean[w*m.topics+k]
	}
	return chances
}

// Top returns the n most likely words of a topic, the most likely first; the lower number first where two are equal.
func (m *Model) Top(k, n int) []int {
	chances := m.Topic(k)
	order := make([]int, len(chances))
	for w := range order {
		order[w] = w
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(chances[b], chances[a]) })
	return order[:min(n, len(order))]
}

// Perplexity returns the variational bound of the perplexity of documents (equation 16 of Hoffman et al. 2010): e to the mean
// of minus the bound of the log likelihood for each word. It is at least the perplexity under the model; the number of words
// of the vocabulary is that of a model that knows nothing. NaN without any word. The documents are judged as a whole, with
// shares of topics of their own. It panics where a document has a word that training did not count.
func (m *Model) Perplexity(documents []Document) float64 {
	p := newInference(m.topics, m.alpha)
	bound, words := 0.0, 0.0
	for _, d := range documents {
		if len(d.Words) == 0 {
			continue
		}
		p.document(d, m.beta)
		bound += p.bound(d, m.beta)
		words += d.Total()
	}
	return math.Exp(-bound / words)
}
