package topics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// settled settings, with which the collection below is learned.
var good = LDA{Topics: 5, Batch: 16, Kappa: 0.7, Tau0: 4, Alpha: 0.2, Eta: 0.1, Passes: 4}

// collection draws documents of five topics over 100 words, the last 200 of them to judge by.
func collection(t testing.TB, documents int) (train, test []Document, truth [][]float64) {
	t.Helper()
	all, truth, err := Source{Documents: documents + 200, Length: 80, Topics: 5, Words: 100, Alpha: 0.2, Eta: 0.1}.Draw(rng.New(7, rng.Test, 0))
	if err != nil {
		t.Fatal(err)
	}
	return all[:documents], all[documents:], truth
}

func trained(t testing.TB, c LDA, documents []Document, words int) *Model {
	t.Helper()
	return must.Get(c.Train(documents, words, rng.New(3, rng.Test, 1)))(t)
}

func TestKnownTopicsAreRecovered(t *testing.T) {
	train, test, truth := collection(t, 1500)
	m := trained(t, good, train, 100)
	free := map[int]bool{}
	for k := range 5 {
		free[k] = true
	}
	for k, want := range truth {
		nearest, least := -1, 2.0
		for j := range 5 {
			if d := floats.Distance(m.Topic(j), want, 1) / 2; free[j] && d < least {
				nearest, least = j, d
			}
		}
		delete(free, nearest)
		if least > 0.12 {
			t.Errorf("topic %d: no topic is nearer than %.3f in total variation", k, least)
		}
	}
	best := must.Get(Known(truth, 0.2))(t).Perplexity(test)
	if got := m.Perplexity(test); math.Abs(got/best-1) > 0.02 {
		t.Errorf("perplexity %.3f, that of the truth %.3f", got, best)
	}
	if blind := trained(t, LDA{Topics: 5, Batch: 1, Kappa: 0.5, Tau0: 1}, train[:3], 100).Perplexity(test); blind < 1.3*best {
		t.Errorf("three documents already give %.3f, the truth %.3f", blind, best)
	}
}

func TestPerplexityFallsWithData(t *testing.T) {
	train, test, _ := collection(t, 1500)
	last := math.Inf(1)
	for _, n := range []int{10, 100, 1500} {
		got := trained(t, good, train[:n], 100).Perplexity(test)
		if !(got < last) {
			t.Errorf("%d documents: perplexity %g, with fewer %g", n, got, last)
		}
		last = got
	}
}

// With Kappa 0 a step forgets all that was before. One mini-batch of all documents is then batch variational Bayes: λ is Eta and
// the responsibilities of the first topics, and both can be computed word by word.
func TestAStepThatForgetsIsAStepOfTheBatch(t *testing.T) {
	train, _, _ := collection(t, 40)
	c := LDA{Topics: 5, Batch: 40, Kappa: 0, Tau0: 1, Eta: 0.3, Alpha: 0.2}
	m := trained(t, c, train, 100)
	c.Batch = 80 // a batch that is never full is the same
	if again := trained(t, c, train, 100); !slices.Equal(again.mean, m.mean) {
		t.Error("a batch beyond the documents is not one of all of them")
	}
	total := 0.0
	for _, d := range train {
		total += d.Total()
	}
	state := newTraining(c, 100, rng.New(3, rng.Test, 1))
	state.step(train, rng.New(4, rng.Test, 0).Perm(40))
	near(t, "sum of λ", floats.Sum(state.sums), total+0.3*500, 1e-8)
	near(t, "sum of λ, word by word", floats.Sum(state.lambda), total+0.3*500, 1e-8)
	counts := make([]float64, 100)
	for _, d := range train {
		for i, w := range d.Words {
			counts[w] += d.Counts[i]
		}
	}
	for w, n := range counts {
		near(t, fmt.Sprintf("λ of word %d", w), floats.Sum(state.lambda[5*w:5*w+5]), n+5*0.3, 1e-9)
	}
}

// The first step moves by Tau0^-Kappa, whatever the batch says; documents that a batch leaves out count through those that it has.
func TestTheFirstStepMovesByItsRate(t *testing.T) {
	train, _, _ := collection(t, 40)
	c := LDA{Topics: 5, Batch: 10, Kappa: 0.5, Tau0: 16, Eta: 0.3, Alpha: 0.2}
	state := newTraining(c, 100, rng.New(3, rng.Test, 1))
	before, batch := floats.Sum(state.lambda), []int{4, 5, 6, 7}
	total := 0.0
	for _, i := range batch {
		total += train[i].Total()
	}
	state.step(train, batch)
	near(t, "sum of λ", floats.Sum(state.lambda), 0.75*before+0.25*(0.3*500+total*40/4), 1e-8)
}

// One topic owns each word, so that the responsibilities are 0 and 1 and the bound is what it is for known shares.
func TestTheBoundOfADocumentByHand(t *testing.T) {
	m := must.Get(Known([][]float64{{0.5, 0.5, 0, 0}, {0, 0, 0.25, 0.75}}, 1))(t)
	d := Document{Words: []int{0, 3}, Counts: []float64{2, 1}}
	// γ = (1 + 2, 1 + 1). log p = log E[θ1² θ2] + 2 log 1/2 + log 3/4, and E[θ1² θ2] = Γ(3) Γ(2) / Γ(5) = 1/12: here the bound
	// is the likelihood itself.
	want := math.Exp(-(math.Log(1./12) + 2*math.Log(0.5) + math.Log(0.75)) / 3)
	near(t, "perplexity", m.Perplexity([]Document{d}), want, 1e-9)
	near(t, "twice the same", m.Perplexity([]Document{d, {}, d}), want, 1e-9)
	if got := m.Perplexity([]Document{{}}); !math.IsNaN(got) {
		t.Errorf("perplexity %g without a word", got)
	}
	if got := m.Top(1, 2); !slices.Equal(got, []int{3, 2}) {
		t.Errorf("most likely words %v", got)
	}
}

func TestTheSameStreamGivesTheSameTopics(t *testing.T) {
	train, _, _ := collection(t, 60)
	if a, b := trained(t, good, train, 100), trained(t, good, train, 100); !slices.Equal(a.beta, b.beta) || a.Steps != b.Steps {
		t.Error("two trainings differ")
	}
	if m := trained(t, good, train, 100); m.Steps != 4*4 {
		t.Errorf("%d steps, want 4 passes of 4", m.Steps)
	}
}

// Concentrations and rates at their ends give numbers, never NaN.
func TestSettingsAtTheirEndsGiveNumbers(t *testing.T) {
	train, test, _ := collection(t, 50)
	for _, c := range []LDA{
		{Topics: 2, Batch: 1, Kappa: 1, Tau0: 1, Alpha: 1e-6, Eta: 1e-6},
		{Topics: 200, Batch: 3, Kappa: 0.5, Tau0: 1024, Alpha: 100, Eta: 100},
		{Topics: 5, Batch: 50, Kappa: 0, Tau0: 1, Eta: 1e-3},
	} {
		if got := trained(t, c, train, 100).Perplexity(test); !(got > 1) || math.IsInf(got, 1) {
			t.Errorf("%+v: perplexity %g", c, got)
		}
	}
}

func TestBadSettingsOfLDAAreNamed(t *testing.T) {
	train, _, _ := collection(t, 5)
	bad := func(d Document) []Document { return append(slices.Clone(train), d) }
	for _, c := range []struct {
		lda       LDA
		documents []Document
		words     int
		want      []string
	}{
		{LDA{Topics: 1, Kappa: 2, Tau0: 0.5, Alpha: -1, Eta: math.NaN(), Passes: -1}, train, 100,
			[]string{"LDA.Topics", "LDA.Batch", "LDA.Kappa", "LDA.Tau0", "LDA.Alpha", "LDA.Eta", "LDA.Passes"}},
		{good, nil, 100, []string{"documents"}},
		{good, train, 1, []string{"words"}},
		{good, bad(Document{Words: []int{100}, Counts: []float64{1}}), 100, []string{"documents[5].Words[0]"}},
		{good, bad(Document{Words: []int{1, 2}, Counts: []float64{1, 0}}), 100, []string{"documents[5].Counts[1]"}},
		{good, bad(Document{Words: []int{1, 2}, Counts: []float64{1}}), 100, []string{"len(documents[5].Counts)"}},
		{LDA{Topics: 1000, Batch: 1, Kappa: 0.5, Tau0: 1}, train, 60_000, []string{"LDA.Topics", "at most 833"}},
	} {
		_, err := c.lda.Train(c.documents, c.words, rng.New(1, rng.Test, 0))
		wrong(t, err, c.want)
	}
	for _, distributions := range [][][]float64{{{1, 0}}, {{1}, {1}}, {{0.5, 0.5}, {1}}, {{0.5, 0.6}, {0.5, 0.5}}, {{1.5, -0.5}, {0.5, 0.5}}} {
		_, err := Known(distributions, 1)
		wrong(t, err, nil)
	}
	_, _, err := Source{}.Draw(rng.New(1, rng.Test, 0))
	wrong(t, err, []string{"Source.Documents", "Source.Length", "Source.Topics", "Source.Words", "Source.Alpha", "Source.Eta"})
}

func wrong(t *testing.T, err error, want []string) {
	t.Helper()
	if !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("error %v", err)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.12g, want %.12g", what, got, want)
	}
}
