package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
)

// knowledge is what a file of known results is read for, and what came of it.
type knowledge struct {
	named   []tarry.Constraint // of the study
	sense   string             // of the study: one of senses
	known   []tarry.Observation
	left    int // lines that have no value that counts
	others  otherWords
	opposed bool // whether it was said that the file is of a study of the other sense
}

// otherWords are what stands in the column status of lines with a value, where that is no status of an evaluation.
type otherWords struct {
	lines int
	first string
}

// otherwise says so, as the end of a sentence; empty where there are none.
func (o otherWords) otherwise(valued []string) string {
	if o.lines == 0 {
		return ""
	}
	return fmt.Sprintf(": of %d the column status has a word that is none of an evaluation, as %q is: want %s where the value counts, or no such column", o.lines, o.first, strings.Join(valued, " or "))
}

// lacking says how many lines were left out.
func (k knowledge) lacking() string {
	if k.left == 1 {
		return "1 line has none that counts, and is left out"
	}
	return fmt.Sprintf("%d lines have none that counts, and are left out", k.left)
}

// readKnown reads what was measured, by the column value, and counts the lines that were left out since they have no value that counts: that
// column is empty, or the column status, where there is one, says so. Where constraints are named their values are in the column constraints, as inspect --csv
// writes it, and a value counts also where one is violated. Where a column sense says that the values are of a study of the other sense, that is an error.
func readKnown(path string, s tarry.Space, k *knowledge) error {
	return readFile(path, s, (*pointFile).head, func(f *pointFile, row []string) {
		if o, counts := f.known(row, k); counts {
			k.known = append(k.known, o)
		} else {
			k.left++
		}
	})
}

// known reads what was measured in a line; false where it has no value that counts.
func (f *pointFile) known(row []string, k *knowledge) (o tarry.Observation, counts bool) {
	if there, counts := f.counts(row, k.named, &k.others); !there {
		return o, counts
	}
	f.agrees(row, k)
	x := f.admitted(row, true)
	return tarry.Observation{X: x, Value: f.value(row), Constraints: f.constraints(row, k.named)}, true
}

// agrees says, once, where a line is of a study of the other sense: its values would be taken for bad where they are good.
func (f *pointFile) agrees(row []string, k *knowledge) {
	word, at, given := f.sense(row)
	if !given || word == k.sense || k.opposed || !slices.Contains(senses, word) { // what is no sense has been said
		return
	}
	k.opposed = true
	flag := "leave out --minimize"
	if word == senses[1] {
		flag = "give --minimize"
	}
	f.say(at, "sense = %q: want %s, as this study does: %s, or write the values for it, with their signs turned", word, k.sense, flag)
}

// valuing are the words of the column status where the value counts.
func valuing(named []tarry.Constraint) []string {
	words := []string{tarry.Observed.String(), tarry.Late.String()}
	if len(named) > 0 {
		words = append(words, tarry.Infeasible.String())
	}
	return words
}

// counts reports whether a line may have a value, and whether it counts; where there is no column of values that is said, and counts.
func (f *pointFile) counts(row []string, named []tarry.Constraint, others *otherWords) (there, counts bool) {
	value, given := f.index["value"]
	if !given {
		if len(f.wrong) == 0 {
			f.say(0, "no column value: want one with what was measured")
		}
		return false, true
	}
	if strings.TrimSpace(row[value]) == "" {
		return false, false
	}
	i, given := f.index["status"]
	if !given {
		return true, true
	}
	word := strings.TrimSpace(row[i])
	if slices.Contains(valuing(named), word) {
		return true, true
	}
	if new(loop.Status).UnmarshalText([]byte(word)) != nil {
		if others.lines++; others.lines == 1 {
			others.first = word
		}
	}
	return false, false
}

// value reads the value of a line.
func (f *pointFile) value(row []string) float64 {
	value := f.index["value"]
	v, is := decimal(strings.TrimSpace(row[value]))
	if !is {
		f.say(value, "value = %q: want a finite number", row[value])
	}
	return v
}
