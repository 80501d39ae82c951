package topics

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/tarry-bo/tarry/internal/check"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// Source is what documents with known topics are drawn from, the model of latent Dirichlet allocation itself.
type Source struct {
	Documents int
	Length    float64 // mean number of words of a document, Poisson distributed
	Topics    int
	Words     int
	Alpha     float64 // concentration of a document's shares of the topics
	Eta       float64 // concentration of a topic over the words
}

// Draw returns documents and the topics that they were drawn from. An error unwraps to check.ErrInvalidOption.
func (s Source) Draw(stream *rand.Rand) (documents []Document, distributions [][]float64, err error) {
	var l check.List
	l.Between("Source.Documents", s.Documents, 1, maxWords)
	l.Within("Source.Length", s.Length, 1, maxWords)
	l.Between("Source.Topics", s.Topics, 2, maxTopics)
	l.Between("Source.Words", s.Words, 2, maxWords)
	l.Within("Source.Alpha", s.Alpha, 1e-3, 1e3)
	l.Within("Source.Eta", s.Eta, 1e-3, 1e3)
	if err := l.Err(); err != nil {
		return nil, nil, err
	}
	sums := make([][]float64, s.Topics)
	for k := range sums {
		chances := dirichlet(stream, s.Words, s.Eta)
		distributions = append(distributions, chances)
		sums[k] = floats.CumSum(make([]float64, s.Words), chances)
	}
	length := distuv.Poisson{Lambda: s.Length, Src: stream}
	for range s.Documents {
		shares := dirichlet(stream, s.Topics, s.Alpha)
		floats.CumSum(shares, shares)
		counts := make([]float64, s.Words)
		for range int(length.Rand()) {
			counts[pick(stream, sums[pick(stream, shares)])]++
		}
		var d Document
		for w, n := range counts {
			if n > 0 {
				d.Words, d.Counts = append(d.Words, w), append(d.Counts, n)
			}
		}
		documents = append(documents, d)
	}
	return documents, distributions, nil
}

// dirichlet draws n shares from the symmetric Dirichlet distribution. Logarithms of Gamma variates are what is drawn, since
// with a small concentration all of them may underflow: Gamma(a) is Gamma(a+1) U^(1/a).
func dirichlet(stream *rand.Rand, n int, concentration float64) []float64 {
	g := distuv.Gamma{Alpha: concentration + 1, Beta: 1, Src: stream}
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Log(g.Rand()) + math.Log(1-stream.Float64())/concentration
	}
	total := floats.LogSumExp(out)
	for i, v := range out {
		out[i] = math.Exp(v - total)
	}
	return out
}

// pick draws an index by its share, given the sums of the shares up to each.
func pick(stream *rand.Rand, sums []float64) int {
	last := len(sums) - 1
	u := stream.Float64() * sums[last]
	return min(sort.Search(len(sums), func(i int) bool { return sums[i] > u }), last)
}
