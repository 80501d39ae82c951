package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
)

// senseColumn is the column that says in each line which values of its study are the better ones, in a word of senses.
const senseColumn = "sense"

var senses = []string{"maximize", "minimize"}

// sensed is the word of the sense of the study.
func (s *inspected) sensed() string {
	if s.header.Config.Sense().Sign() < 0 {
		return senses[1]
	}
	return senses[0]
}

// older lets a parameter have a column of its own name that inspect --csv once wrote nothing else in: sense.
func (f *pointFile) older(header []string) {
	i := slices.IndexFunc(f.space.Parameters(), func(p tarry.Parameter) bool { return p.Name == senseColumn })
	if i < 0 || slices.ContainsFunc(header, func(name string) bool { return columnName(name) == f.names[i] }) {
		return
	}
	f.names[i] = senseColumn
}

// sense is the word of the sense that a line says, in the column at; given is false where no column does. A word that is none is said.
func (f *pointFile) sense(row []string) (word string, at int, given bool) {
	at, given = f.index[senseColumn]
	if !given || slices.Contains(f.names, senseColumn) {
		return "", at, false
	}
	word = strings.TrimSpace(row[at])
	if !slices.Contains(senses, word) {
		f.say(at, "sense = %q: want one of %s", word, strings.Join(senses, ", "))
	}
	return word, at, true
}

// sensed is what is given in the sense that a line says, where one does.
func (t *pastTable) sensed(f *pointFile, row []string, as tarry.Past) tarry.Past {
	word, _, given := f.sense(row)
	if t.silent = !given; t.silent {
		return as
	}
	return inSense(as, word)
}

// assumed says in which sense values are taken of which the table does not say it.
func (t *pastTable) assumed(like tarry.Past) string {
	return fmt.Sprintf("%s: it has no column sense: its values are taken as those of a study to %s, as this one", filepath.Base(t.path), senseOf(like))
}
