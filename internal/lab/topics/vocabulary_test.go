package topics

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func TestWordsAreRunsOfLettersInLowerCase(t *testing.T) {
	got := Tokens("God's Spirit\x00moved,\xffon 12 ÉTÉ-days")
	if want := []string{"god", "s", "spirit", "moved", "on", "été", "days"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// "the" is in all four texts, "fish" in half of them, "rare" in one, "ox" too short; "sea" and "fish" are left.
func TestWordsAreSelectedByTheNumberOfTheirTexts(t *testing.T) {
	texts := []string{"The fish, the ox, the sea!", "the sea", "the FISH and rare fish", "the end"}
	v := must.Get(Selection{Documents: 2, Share: 0.5}.Vocabulary(texts))(t)
	if want := []string{"fish", "sea"}; !slices.Equal(v.Words, want) {
		t.Fatalf("%q, want %q", v.Words, want)
	}
	want := []Document{{[]int{0, 1}, []float64{1, 1}}, {[]int{1}, []float64{1}}, {[]int{0}, []float64{2}}, {}}
	if got := v.Count(texts); !reflect.DeepEqual(got, want) {
		t.Errorf("counts %v, want %v", got, want)
	}
	all := must.Get(Selection{Shortest: 1, Documents: 1, Share: 1, Most: 3}.Vocabulary(texts))(t)
	if want := []string{"fish", "sea", "the"}; !slices.Equal(all.Words, want) {
		t.Errorf("the three words in most texts are %q, want %q", all.Words, want)
	}
}

func TestACollectionWithoutTwoWordsIsRefused(t *testing.T) {
	for _, texts := range [][]string{nil, {""}, {"word word word"}, {"one text", "and another"}} {
		_, err := Selection{}.Vocabulary(texts)
		wrong(t, err, nil)
	}
	_, err := Selection{}.Vocabulary([]string{"word", "word", "word", "word", "word"})
	wrong(t, err, []string{"words = 0", "at least 5 of the 5 texts", "at most 2.5"})
	_, err = Selection{Shortest: -1, Documents: -1, Share: 2, Most: 1}.Vocabulary([]string{"a"})
	wrong(t, err, []string{"Selection.Shortest", "Selection.Documents", "Selection.Share", "Selection.Most"})
}

// Shares of a Dirichlet distribution of concentration a over n have mean 1/n and variance (n-1)/(n² (n a + 1)).
func TestSharesHaveTheMomentsOfTheirDistribution(t *testing.T) {
	stream := rng.New(5, rng.Test, 0)
	for _, a := range []float64{0.01, 0.2, 3} {
		sum, square := 0.0, 0.0
		const draws = 20_000
		for range draws {
			x := dirichlet(stream, 4, a)
			near(t, "sum of the shares", floats.Sum(x), 1, 1e-12)
			sum, square = sum+x[2], square+x[2]*x[2]
		}
		mean := sum / draws
		near(t, "mean", mean, 0.25, 0.012)
		near(t, "variance", square/draws-mean*mean, 3/(16*(4*a+1)), 0.006)
	}
}

func TestDocumentsHaveTheWordsOfTheirTopics(t *testing.T) {
	s := Source{Documents: 4000, Length: 50, Topics: 3, Words: 20, Alpha: 0.5, Eta: 0.5}
	documents, truth, err := s.Draw(rng.New(9, rng.Test, 0))
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]float64, 20)
	for _, d := range documents {
		for i, w := range d.Words {
			counts[w] += d.Counts[i]
		}
	}
	total := floats.Sum(counts)
	near(t, "words of a document", total/4000, 50, 0.6)
	for w, n := range counts {
		mean := (truth[0][w] + truth[1][w] + truth[2][w]) / 3
		near(t, "share of a word", n/total, mean, 0.02)
	}
	if math.Abs(floats.Sum(truth[1])-1) > 1e-12 {
		t.Error("chances of a topic do not sum to 1")
	}
}
