package topics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/internal/check"
)

// The defaults of Selection.
const (
	defaultShortest  = 3
	defaultDocuments = 5
	defaultShare     = 0.5
	defaultMost      = 2000
)

// Tokens returns the words of a text in their order: runs of letters, in lower case. What is no letter, and bytes that are no
// UTF-8, stand between words.
func Tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) || r == utf8.RuneError })
}

// Selection says which words count. Its zero value has the defaults.
type Selection struct {
	Shortest  int     // letters of a word; 0 means 3
	Documents int     // texts that a word is in, at least; 0 means 5
	Share     float64 // of the texts that a word is in, at most: more often it is a stop word; 0 means 0.5
	Most      int     // words in all, those that are in most texts; 0 means 2000
}

// Vocabulary is the words that count, sorted.
type Vocabulary struct {
	Words  []string
	number map[string]int
}

// Vocabulary selects the words of the texts. An error unwraps to check.ErrInvalidOption: settings out of their range, no text, or
// fewer than two words left.
func (s Selection) Vocabulary(texts []string) (Vocabulary, error) {
	s = Selection{cmp.Or(s.Shortest, defaultShortest), cmp.Or(s.Documents, defaultDocuments), cmp.Or(s.Share, defaultShare), cmp.Or(s.Most, defaultMost)}
	var l check.List
	l.Between("Selection.Shortest", s.Shortest, 1, 1000)
	l.Between("Selection.Documents", s.Documents, 1, maxWords)
	l.Within("Selection.Share", s.Share, 0, 1)
	l.Between("Selection.Most", s.Most, 2, maxWords)
	l.Require(len(texts) > 0, "texts", "none", "at least one text")
	if err := l.Err(); err != nil {
		return Vocabulary{}, err
	}
	found := occurrences(texts)
	kept := slices.DeleteFunc(found, func(w occurrence) bool {
		return utf8.RuneCountInString(w.word) < s.Shortest || w.texts < s.Documents || float64(w.texts) > s.Share*float64(len(texts))
	})
	if len(kept) < 2 {
		l.Add("words", len(kept), fmt.Sprintf("at least two words of %d letters and more that are in at least %d of the %d texts and in at most %g of them",
			s.Shortest, s.Documents, len(texts), s.Share*float64(len(texts))))
		return Vocabulary{}, l.Err()
	}
	slices.SortStableFunc(kept, func(a, b occurrence) int { return cmp.Or(cmp.Compare(b.texts, a.texts), cmp.Compare(a.word, b.word)) })
	v := Vocabulary{number: map[string]int{}}
	for _, w := range kept[:min(s.Most, len(kept))] {
		v.Words = append(v.Words, w.word)
	}
	slices.Sort(v.Words)
	for i, w := range v.Words {
		v.number[w] = i
	}
	return v, nil
}

// occurrence is a word, with the number of texts that it is in and the last of them, from 1.
type occurrence struct {
	word        string
	texts, last int
}

// occurrences lists the words of the texts in the order in which they are met.
func occurrences(texts []string) []occurrence {
	var found []occurrence
	at := map[string]int{}
	for i, text := range texts {
		for _, word := range Tokens(text) {
			k, met := at[word]
			if !met {
				k = len(found)
				at[word] = k
				found = append(found, occurrence{word: word})
			}
			if found[k].last != i+1 {
				found[k].last = i + 1
				found[k].texts++
			}
		}
	}
	return found
}

// Count returns each text as a document, its words in the order in which they are met.
func (v Vocabulary) Count(texts []string) []Document {
	out := make([]Document, len(texts))
	at := make([]int, len(v.Words)) // place in the document, from 1
	for i, text := range texts {
		d := &out[i]
		for _, word := range Tokens(text) {
			w, counts := v.number[word]
			if !counts {
				continue
			}
			if at[w] == 0 {
				d.Words, d.Counts = append(d.Words, w), append(d.Counts, 0)
				at[w] = len(d.Words)
			}
			d.Counts[at[w]-1]++
		}
		for _, w := range d.Words {
			at[w] = 0
		}
	}
	return out
}
