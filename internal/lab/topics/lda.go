// Package topics learns what a collection of texts is about: latent Dirichlet allocation by online variational Bayes
// (Hoffman, Blei and Bach 2010), with the vocabulary that it counts words in, and collections whose topics are known. It is
// there so that a study can tune something real whose value is no accuracy: the perplexity of texts that training did not see.
//
//	v, err := topics.Selection{}.Vocabulary(texts)                    // the words that count
//	train, test := v.Count(texts[:900]), v.Count(texts[900:])
//	m, err := topics.LDA{Topics: 20, Batch: 16, Kappa: 0.7, Tau0: 1}.Train(train, len(v.Words), stream)
//	perplexity := m.Perplexity(test)
//
// The package is pure: the same texts, settings and stream give the same bits.
package topics

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/check"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Limits of LDA.
const (
	maxTopics = 1000
	maxPasses = 1000
	maxWords  = 1_000_000
	maxCells  = 50_000_000 // topics x words: 400 MB for the topics and as much for their exponents
)

// Document is how often each word of a vocabulary is in a text. Words that are not in it have no entry.
type Document struct {
	Words  []int     // numbers of words, each once
	Counts []float64 // how often, > 0
}

// Total returns how many words the document has, each as often as it is there.
func (d Document) Total() float64 {
	sum := 0.0
	for _, c := range d.Counts {
		sum += c
	}
	return sum
}

// LDA is online variational Bayes for latent Dirichlet allocation. Topic k is a distribution over the words with a Dirichlet
// prior of concentration Eta, a document a distribution over the topics with one of Alpha. After mini-batch t, from 0, the
// parameters λ of the topics' posterior are moved to what the batch alone says of them, as if all documents were like it:
//
//	λ ← (1 - ρ) λ + ρ (Eta + documents/batch · Σ counts · φ),   ρ = (Tau0 + t)^-Kappa
//
// (algorithm 2 of Hoffman et al. 2010). Batch, Kappa and Tau0 have no default: they are what an experiment tunes.
type LDA struct {
	Topics int     // ≥ 2
	Batch  int     // documents of a mini-batch, ≥ 1; the last of a pass has what is left
	Kappa  float64 // how fast steps become smaller, in (0.5, 1] for convergence; 0 to 1 is allowed
	Tau0   float64 // how much the first steps are damped, ≥ 1
	Alpha  float64 // 0 means 1/Topics
	Eta    float64 // 0 means 1/Topics
	Passes int     // over the documents, shuffled before each; 0 means 1
}

// Validate returns nil or everything that is wrong with the settings; errors unwrap to check.ErrInvalidOption.
func (c LDA) Validate() error {
	var l check.List
	l.Between("LDA.Topics", c.Topics, 2, maxTopics)
	l.Between("LDA.Batch", c.Batch, 1, math.MaxInt32)
	l.Within("LDA.Kappa", c.Kappa, 0, 1)
	l.Within("LDA.Tau0", c.Tau0, 1, math.MaxInt32)
	l.Within("LDA.Alpha", c.Alpha, 0, maxWords)
	l.Within("LDA.Eta", c.Eta, 0, maxWords)
	l.Between("LDA.Passes", c.Passes, 0, maxPasses)
	return l.Err()
}

// Train learns topics over that many words from the documents. The stream draws where they begin (each parameter from
// Gamma(100, 1/100), as in the authors' program) and shuffles the documents; nothing else is random. Documents without words
// count as documents. Errors unwrap to check.ErrInvalidOption and name every setting and the first document that is wrong.
//
// Cost O(passes · (iterations · different words of all documents · topics + steps · words · topics)), with 5 to 50 iterations
// a document: 0.3 s for a pass over 950 chapters of 200 words each with 2000 words in all and 20 topics.
func (c LDA) Train(documents []Document, words int, stream *rand.Rand) (*Model, error) {
	var l check.List
	l.Join(c.Validate())
	l.Between("words", words, 2, maxWords)
	l.Join(checkDocuments(documents, words))
	if err := l.Err(); err != nil {
		return nil, err
	}
	if c.Topics > maxCells/words {
		l.Add("LDA.Topics", c.Topics, fmt.Sprintf("at most %d with %d words", maxCells/words, words))
		return nil, l.Err()
	}
	t := newTraining(c, words, stream)
	for range max(c.Passes, 1) {
		order := stream.Perm(len(documents))
		for start := 0; start < len(order); start += c.Batch {
			t.step(documents, order[start:min(start+c.Batch, len(order))])
		}
	}
	return t.model(), nil
}

// checkDocuments wants at least one document, words below their number and positive finite counts.
func checkDocuments(documents []Document, words int) error {
	var l check.List
	l.Require(len(documents) > 0, "documents", "none", "at least one document")
	for i, d := range documents {
		if len(d.Words) != len(d.Counts) {
			l.Add(fmt.Sprintf("len(documents[%d].Counts)", i), len(d.Counts), fmt.Sprintf("one count for each of %d words", len(d.Words)))
			return l.Err()
		}
		for j, w := range d.Words {
			if w < 0 || w >= words {
				l.Add(fmt.Sprintf("documents[%d].Words[%d]", i, j), w, fmt.Sprintf("0 to %d", words-1))
				return l.Err()
			}
			if n := d.Counts[j]; !(n > 0) || math.IsInf(n, 1) {
				l.Add(fmt.Sprintf("documents[%d].Counts[%d]", i, j), n, "a finite number > 0")
				return l.Err()
			}
		}
	}
	return l.Err()
}

// training is the state between two mini-batches. Matrices hold the topics of a word beside each other.
type training struct {
	LDA
	words  int
	lambda []float64 // words x topics
	sums   []float64 // of lambda over the words, by topic
	beta   []float64 // words x topics: exp E log of the topics, where fresh says that it is that of this step
	fresh  []int     // by word: the step it was computed for, from 1
	gain   []float64 // words x topics: Σ counts · φ of the batch; zero between two steps
	taken  int       // steps
	infer  *inference
}

func newTraining(c LDA, words int, stream *rand.Rand) *training {
	if c.Alpha == 0 {
		c.Alpha = 1 / float64(c.Topics)
	}
	if c.Eta == 0 {
		c.Eta = 1 / float64(c.Topics)
	}
	cells := words * c.Topics
	t := &training{
		LDA: c, words: words, lambda: make([]float64, cells), sums: make([]float64, c.Topics), beta: make([]float64, cells),
		fresh: make([]int, words), gain: make([]float64, cells), infer: newInference(c.Topics, c.Alpha),
	}
	begin := distuv.Gamma{Alpha: 100, Beta: 100, Src: stream}
	for i := range t.lambda {
		t.lambda[i] = begin.Rand()
		t.sums[i%c.Topics] += t.lambda[i]
	}
	return t
}

// step is a mini-batch: its documents under the topics as they are, then the topics.
func (t *training) step(documents []Document, batch []int) {
	t.taken++
	total := make([]float64, t.Topics)
	for k, sum := range t.sums {
		total[k] = mathext.Digamma(sum)
	}
	for _, i := range batch {
		for _, w := range documents[i].Words {
			t.refresh(w, total)
		}
		t.infer.document(documents[i], t.beta)
		t.infer.share(documents[i], t.beta, t.gain)
	}
	rate := math.Pow(t.Tau0+float64(t.taken-1), -t.Kappa)
	weight := rate * float64(len(documents)) / float64(len(batch))
	clear(t.sums)
	for start := 0; start < len(t.gain); start += t.Topics {
		row, gain := t.lambda[start:start+t.Topics], t.gain[start:start+t.Topics]
		for k, sum := range t.sums {
			row[k] = (1-rate)*row[k] + rate*t.Eta + weight*gain[k]
			t.sums[k] = sum + row[k]
		}
	}
	clear(t.gain)
}

// refresh computes the exponents of a word, if this step has not yet.
func (t *training) refresh(word int, total []float64) {
	if t.fresh[word] == t.taken {
		return
	}
	t.fresh[word] = t.taken
	row := t.lambda[word*t.Topics : (word+1)*t.Topics]
	for k, v := range row {
		t.beta[word*t.Topics+k] = math.Exp(mathext.Digamma(v) - total[k])
	}
}

// model is what has been learned.
func (t *training) model() *Model {
	m := &Model{topics: t.Topics, alpha: t.Alpha, beta: make([]float64, len(t.lambda)), mean: make([]float64, len(t.lambda)), Steps: t.taken}
	for i, v := range t.lambda {
		k := i % t.Topics
		m.beta[i], m.mean[i] = math.Exp(mathext.Digamma(v)-mathext.Digamma(t.sums[k])), v/t.sums[k]
	}
	return m
}
