package experiment

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/lab/topics"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "calibrated-lda", Title: "Tuning online LDA with and without calibration", Source: "Deshpande et al. 2024, sec. 5; Hoffman et al. 2010",
		About: "Mini-batch size in 1 … 128 (log), kappa in 0.5, 0.6 … 1 and tau0 in 1 … 32 (log) of online variational Bayes for latent Dirichlet allocation. " +
			"One pass over 80 % of the documents; what is minimized is the perplexity of the other 20 %, by the variational bound.",
		Rounds: 25,
		Data: "a text file (or .gz) with one document in each line, after a title and a tab or without, or a folder of text files, or one that holds " + bibleFile + "; " +
			"without it documents are drawn from ten known topics",
		Plan: planLDA,
	})
}

const (
	ldaShare     = 0.8 // of the documents to train on
	ldaDocuments = 20  // at least
	ldaTopics    = 20  // of real texts
)

// drawnTexts are the documents where no path is given.
var drawnTexts = topics.Source{Documents: 600, Length: 60, Topics: 10, Words: 500, Alpha: 0.1, Eta: 0.05}

// collection is what LDA is trained on.
type collection struct {
	name        string
	about       Fact
	fingerprint string
	words       int
	topics      int
	documents   func(seed uint64) ([]topics.Document, error)
	truth       func(seed uint64) (*topics.Model, error) // what they were drawn from; nil: not known
}

func planLDA(in Input) (Plan, error) {
	c := drawnCollection()
	if in.Data != "" {
		var err error
		if c, err = readCollection(in.Data); err != nil {
			return Plan{}, err
		}
	}
	s, err := space.New(space.LogInt("minibatch", 1, 128), space.Float("kappa", 0.5, 1).Stepped(0.1), space.LogInt("tau0", 1, 32))
	if err != nil {
		return Plan{}, err
	}
	t := training{
		group: c.name, space: s, cost: c.perplexity, scale: 1,
		shown: measure{leastCost, "least test perplexity so far", chart.Linear, true},
	}
	facts := []Fact{c.about, {"LDA", fmt.Sprintf("%d topics, both concentrations 1/%d, one pass; documents are divided 80/20 anew by each seed", c.topics, c.topics)}}
	return Plan{Arms: append(t.arms(in.Rounds), c.growing()...), Facts: append(facts, tunedFacts...), Fingerprint: c.fingerprint, Show: func(r Results) []Section {
		return []Section{{Title: "Perplexity by query", Figures: []Figure{r.figureOf([]string{c.name}, "calibrated-lda", "Test perplexity of tuned online LDA", t.shown)},
			Text:   []string{"The source claims that calibration is lower on average on 20 Newsgroups, with errors that overlap. The newsgroups may not be passed on; give a path to other texts."},
			Tables: []Table{t.table(r, in.Rounds), c.grown(r)}}}
	}}, nil
}

// drawnCollection is drawn anew by each seed.
func drawnCollection() collection {
	draw := func(seed uint64) ([]topics.Document, [][]float64, error) {
		return drawnTexts.Draw(rng.New(seed, rng.Problem, 0))
	}
	s := drawnTexts
	return collection{
		name: "drawn texts", words: s.Words, topics: s.Topics,
		about: Fact{"documents", fmt.Sprintf("no -data was given, so that %d documents of about %g words are drawn from %d topics over %d words; -data reads a text file with one document in each line, or a folder of text files",
			s.Documents, s.Length, s.Topics, s.Words)},
		documents: func(seed uint64) ([]topics.Document, error) {
			documents, _, err := draw(seed)
			return documents, err
		},
		truth: func(seed uint64) (*topics.Model, error) {
			_, truth, err := draw(seed)
			if err != nil {
				return nil, err
			}
			return topics.Known(truth, s.Alpha)
		},
	}
}

// bibleFile is the collection that a folder of data for experiments has, among much that is no text.
const bibleFile = "kjv-chapters.txt.gz"

// readCollection reads the texts at a path. Words are selected once, by all documents.
func readCollection(path string) (collection, error) {
	path = existing(inFolder(path, bibleFile), path)
	corpus, err := data.ReadCorpus(path)
	if err != nil {
		return collection{}, err
	}
	if n := len(corpus.Texts); n < ldaDocuments {
		return collection{}, fmt.Errorf("%s: %w", path, &check.FieldError{Field: "documents", Value: n, Want: fmt.Sprintf("at least %d", ldaDocuments)})
	}
	v, err := topics.Selection{}.Vocabulary(corpus.Texts)
	if err != nil {
		return collection{}, fmt.Errorf("%s: %w", path, err)
	}
	documents, total := v.Count(corpus.Texts), 0.0
	for _, d := range documents {
		total += d.Total()
	}
	return collection{
		name: strings.TrimSuffix(corpus.Name, filepath.Ext(corpus.Name)), words: len(v.Words), topics: ldaTopics, fingerprint: corpus.Fingerprint(),
		about: Fact{"documents", fmt.Sprintf("%s, %d documents with %.0f words each of the %d that count: in at least 5 documents and at most half of them, at least 3 letters, the 2000 in most documents",
			corpus.Name, len(documents), total/float64(len(documents)), len(v.Words))},
		documents: func(uint64) ([]topics.Document, error) { return documents, nil },
	}, nil
}

// divided are the documents of a seed to train on, and those to judge by.
func (c collection) divided(seed uint64) (train, test []topics.Document, err error) {
	all, err := c.documents(seed)
	if err != nil {
		return nil, nil, err
	}
	n := int(ldaShare * float64(len(all)))
	for i, k := range rng.New(seed, rng.Split, 0).Perm(len(all)) {
		if i < n {
			train = append(train, all[k])
		} else {
			test = append(test, all[k])
		}
	}
	return train, test, nil
}

// perplexity is that of the test documents of a seed. Every training begins with the same topics and shuffles alike, so that a
// value depends on the query alone.
func (c collection) perplexity(seed uint64) (func(x space.Point) float64, error) {
	train, test, err := c.divided(seed)
	return func(x space.Point) float64 {
		m, err := topics.LDA{Topics: c.topics, Batch: int(x[0]), Kappa: x[1], Tau0: x[2]}.Train(train, c.words, rng.New(seed, rng.Train, 0))
		if err != nil {
			return float64(c.words) // that of a model that knows nothing; settings and documents have been checked
		}
		return m.Perplexity(test)
	}, err
}

// The settings under which the perplexity by the number of documents is measured.
const grownBatch, grownKappa, grownTau0 = 16, 0.7, 8

const (
	grownGroup = "fewer documents"
	grownAll   = "all of them"
	grownTruth = "the topics that they were drawn from"
	heldOut    = "perplexity"
)

// growing measures the perplexity after training on the first documents only, the same test documents for all.
func (c collection) growing() []Arm {
	var arms []Arm
	add := func(name string, model func(seed uint64, train []topics.Document) (*topics.Model, error)) {
		arms = append(arms, Arm{Group: grownGroup, Name: name, Steps: 1, Run: func(_ context.Context, seed uint64, step func()) (Record, error) {
			train, test, err := c.divided(seed)
			if err != nil {
				return nil, err
			}
			m, err := model(seed, train)
			if err != nil {
				return nil, err
			}
			step()
			return Record{heldOut: {m.Perplexity(test)}}, nil
		}})
	}
	for _, share := range []struct {
		name string
		one  int
	}{{"a sixteenth of those to train on", 16}, {"a quarter", 4}, {grownAll, 1}} {
		add(share.name, func(seed uint64, train []topics.Document) (*topics.Model, error) {
			l := topics.LDA{Topics: c.topics, Batch: grownBatch, Kappa: grownKappa, Tau0: grownTau0}
			return l.Train(train[:max(len(train)/share.one, 1)], c.words, rng.New(seed, rng.Train, 0))
		})
	}
	if c.truth != nil {
		add(grownTruth, func(seed uint64, _ []topics.Document) (*topics.Model, error) { return c.truth(seed) })
	}
	return arms
}

// grown is the table of that.
func (c collection) grown(r Results) Table {
	t := Table{Caption: fmt.Sprintf("Perplexity by documents, batch %d, kappa %g, tau0 %d", grownBatch, grownKappa, grownTau0), Head: []string{"trained on", "perplexity"}}
	for _, arm := range r.Arms(grownGroup) {
		t.Rows = append(t.Rows, []string{arm, r.At(grownGroup, arm, heldOut, 1).String()})
	}
	return t
}
