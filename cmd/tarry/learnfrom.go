package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// earlierUsage is the help of the flag with the files of earlier studies.
const earlierUsage = "study `FILES` between commas, or comma-separated values as inspect --csv writes them, of functions of the same kind: the study begins where they were good, by the policy " + policies.EarlierDefault + " where none is named"

// taughtBy returns the policy of a study that is given earlier ones: as it is named, but for the usual one, which has a form that looks at them.
func taughtBy(name string, named bool) string {
	if !named || name == policies.Default {
		return policies.EarlierDefault
	}
	return name
}

// learnFrom returns what the values of earlier studies tell a study over a space, and says what does not match; nothing without files. The
// study itself is none of them.
func learnFrom(log io.Writer, files []string, study string, where tarry.Space, minimize bool) (*tarry.Earlier, error) {
	if len(files) == 0 {
		return nil, nil
	}
	var past []tarry.Past
	var said []string
	var errs []error
	for i, file := range files {
		if file == "" {
			errs = append(errs, fmt.Errorf("--learn-from: the name of file %d of %d is empty: want files between commas, as in north.db,south.db", i+1, len(files)))
			continue
		}
		some, notes, err := pastsOf(file, study, where, minimize, false)
		said = append(said, notes...)
		if err != nil {
			errs = append(errs, fmt.Errorf("--learn-from: %w", err))
			continue
		}
		past = append(past, some...)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	earlier, notes, err := tarry.LearnFrom(where, minimize, past...)
	for _, note := range append(said, notes...) {
		fmt.Fprintln(log, "tarry: --learn-from:", plain(note))
	}
	if err != nil {
		return nil, fmt.Errorf("--learn-from: %w", err)
	}
	fmt.Fprintf(log, "tarry: --learn-from: %s\n", plain(earlier.String()))
	return earlier, nil
}

// sameEarlier returns why a study that is there did not begin with the files that are named: with the same values of the same names at the same
// points of its space.
func sameEarlier(files []string, study string, c loop.Config) error {
	if len(files) == 0 {
		return nil
	}
	if c.Earlier == nil {
		return fmt.Errorf("--learn-from: study %s began without earlier studies, and keeps to that", study)
	}
	given, err := learnFrom(io.Discard, files, study, c.Space, c.Minimize)
	if err != nil {
		return err
	}
	same := func(a, b loop.EarlierStudy) bool {
		return a.Name == b.Name && slices.Equal(a.Values, b.Values) && slices.EqualFunc(a.Points, b.Points, func(x, y space.Unit) bool { return slices.Equal(x, y) })
	}
	if !slices.EqualFunc(given.Studies, c.Earlier.Studies, same) {
		return fmt.Errorf("--learn-from: study %s began with %v, not with what %s has now, and keeps to that: leave --learn-from out to go on", study, *c.Earlier, strings.Join(files, ","))
	}
	return nil
}

// isTable reports whether a file is comma-separated values, and no study, by its name.
func isTable(file string) bool { return strings.EqualFold(filepath.Ext(file), ".csv") }

// pastsOf is what a file has: a study, or the studies of a table for one over the space, of the sense where the table does not say it; stated where
// the user has said that it is that of the table. The notes say what of a table does not match.
func pastsOf(file, study string, where tarry.Space, minimize, stated bool) (past []tarry.Past, notes []string, err error) {
	if isTable(file) {
		return readPasts(file, tarry.Past{Space: where, Minimize: minimize}, stated)
	}
	p, err := pastOf(file, study)
	return []tarry.Past{p}, nil, err
}

// inSense is what earlier studies measured whose sense has the word.
func inSense(p tarry.Past, word string) tarry.Past {
	p.Minimize = word == senses[1]
	return p
}

// senseOf is the word of the sense of what earlier studies measured.
func senseOf(p tarry.Past) string {
	if p.Minimize {
		return senses[1]
	}
	return senses[0]
}

// pastOf is what a study has measured: the values that count, at the greatest fidelity.
func pastOf(file, study string) (tarry.Past, error) {
	if same(file, study) {
		return tarry.Past{}, fmt.Errorf("%s is the very study that learns from it: want studies that were made before", file)
	}
	if _, err := os.Stat(file); err != nil {
		return tarry.Past{}, err
	}
	s, err := inspect(file)
	if err != nil {
		return tarry.Past{}, err
	}
	c := s.loop.Config()
	p := tarry.Past{Name: filepath.Base(file), Space: c.Space, Minimize: c.Minimize}
	for _, e := range s.evaluations() {
		if e.Counts() {
			p.Points, p.Values = append(p.Points, c.Space.Value(e.X)), append(p.Values, e.Value)
		}
	}
	return p, nil
}

// same reports whether two names are of one file.
func same(a, b string) bool {
	if b == "" {
		return false
	}
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// mostTrusted is how many earlier studies are named.
const mostTrusted = 5

// trust is what the study counts earlier ones for; empty without any.
func (s *inspected) trust() string {
	e := s.header.Config.Earlier
	if e == nil {
		return ""
	}
	text := fmt.Sprintf("began with %v", *e)
	all, err := s.loop.Trusts()
	if err != nil || len(all) == 0 {
		return text
	}
	own := all[len(all)-1].Share
	others := slices.DeleteFunc(all[:len(all)-1], func(t loop.Trust) bool { return t.Share == 0 })
	slices.SortStableFunc(others, func(a, b loop.Trust) int { return cmp.Compare(b.Share, a.Share) })
	text += fmt.Sprintf("; now this study counts for %.0f %%", 100*own)
	for _, t := range others[:min(len(others), mostTrusted)] {
		text += fmt.Sprintf(", %s for %.0f %%", plain(t.Name), 100*t.Share)
	}
	if more := len(others) - mostTrusted; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}
