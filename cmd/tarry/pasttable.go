package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/space"
)

// pastTable is a table of what earlier studies measured, for a study over another space. It does not say what their space was, so that one is
// made of what stands there: a parameter for each column with the name of one of the new space. Then they are matched as any earlier study is.
type pastTable struct {
	path    string
	columns []pastColumn
	others  []string           // columns that are no parameters of the new space
	finest  map[string]float64 // the greatest fidelity of each study
	lines   int                // with a value that counts
	past    []tarry.Past
	at      map[string]int // of past, by name
	silent  bool           // whether it does not say the sense
	odd     otherWords     // of lines that are left out
}

// pastColumn is what a column has of a parameter of the new space.
type pastColumn struct {
	of, column     int             // the parameter, and the column
	like           tarry.Parameter // the parameter of the new space
	numbers, words int             // cells that are numbers, and those that are words of the parameter
	filled, empty  int
	low, high      float64
	strange        string          // a cell that is none of the words of the parameter
	own            tarry.Parameter // of the earlier studies
}

// readPasts returns what was measured, by the column value, of the studies that the column study names, where there is one, for a study like another one. Lines without a value
// that counts, or of a lower fidelity than the greatest, are left out. The notes say what does not match, but for what LearnFrom says, and in which
// sense values are taken of which neither the table nor anybody else has stated it.
func readPasts(path string, like tarry.Past, stated bool) (past []tarry.Past, notes []string, err error) {
	s, t := like.Space, pastTable{path: path, finest: map[string]float64{}, at: map[string]int{}}
	if err := readFile(path, s, t.head, t.look); err != nil {
		return nil, nil, err
	}
	if t.lines == 0 {
		return nil, nil, fmt.Errorf("%s: no line with a value that counts%s", path, t.odd.otherwise(valuing(nil)))
	}
	like.Space, err = t.space()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	take := func(f *pointFile, row []string) { t.take(f, row, like) }
	if err := readFile(path, s, t.head, take); err != nil {
		return nil, nil, err
	}
	notes = t.notes()
	if t.silent && !stated {
		notes = append(notes, t.assumed(like))
	}
	return t.past, notes, nil
}

// head reads the names of the columns, whatever they are.
func (t *pastTable) head(f *pointFile, header []string) {
	var others []string
	f.heads(header, func(_ int, name string) { others = append(others, name) })
	if t.others = others; t.lines > 0 {
		return // they are known
	}
	for i, name := range f.names {
		if at, given := f.index[name]; given {
			t.columns = append(t.columns, pastColumn{of: i, column: at, like: f.space.Parameter(i), low: math.Inf(1), high: math.Inf(-1)})
		}
	}
}

// look notes what the cells of a line are.
func (t *pastTable) look(f *pointFile, row []string) {
	if there, _ := f.counts(row, nil, &t.odd); !there {
		return
	}
	t.lines++
	name := t.study(f, row)
	fine := t.fidelity(f, row)
	if before, there := t.finest[name]; there {
		fine = max(fine, before)
	}
	t.finest[name] = fine
	for i := range t.columns {
		c := &t.columns[i]
		text, empty := c.cell(row)
		if empty {
			c.empty++
			continue
		}
		c.filled++
		if slices.Contains(c.like.Words(), text) {
			c.words++
		} else {
			c.strange = text
		}
		if v, is := decimal(text); is {
			c.numbers++
			c.low, c.high = min(c.low, v), max(c.high, v)
		}
	}
}

// study is the name of the study of a line.
func (t *pastTable) study(f *pointFile, row []string) string {
	name := filepath.Base(t.path)
	if i, given := f.index[studyColumn]; given {
		name += ": " + row[i]
	}
	return name
}

// fidelity is that of a line: the greatest of the new space where the line has none, and 0 where nobody has one.
func (t *pastTable) fidelity(f *pointFile, row []string) float64 {
	at, has := f.space.Fidelity()
	i := slices.IndexFunc(t.columns, func(c pastColumn) bool { return c.of == at })
	if !has || i < 0 {
		return 0
	}
	text, _ := t.columns[i].cell(row)
	if v, is := decimal(text); is {
		return v
	}
	return f.space.Parameter(at).Value(f.space.Target())
}

// cell is what stands in the column in a line, and whether that is nothing.
func (c pastColumn) cell(row []string) (text string, empty bool) {
	text = row[c.column]
	if c.like.Kind != space.KindCategorical || !slices.Contains(c.like.Choices, text) { // a choice may have spaces around it
		text = strings.TrimSpace(text)
	}
	if c.like.Kind == space.KindBool {
		text = strings.ToLower(text)
	}
	return text, text == "" && !(len(c.like.Conditions) == 0 && slices.Contains(c.like.Words(), ""))
}

// decimal reads a number as a table has it.
func decimal(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !strings.ContainsAny(text, "_xX") && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// space is the one of the earlier studies. A column is of words where the parameter has some, unless all cells are numbers and none a word of it; and it is of
// numbers where the parameter is, unless no cell is one.
func (t *pastTable) space() (tarry.Space, error) {
	t.columns = slices.DeleteFunc(t.columns, func(c pastColumn) bool { return c.filled == 0 })
	var all []tarry.Parameter
	for i := range t.columns {
		c := &t.columns[i]
		words := c.like.Words()
		if words == nil && c.numbers > 0 || words != nil && c.words == 0 && c.numbers == c.filled {
			c.own = tarry.Float(c.like.Name, c.low, c.high)
		} else {
			choices := slices.Clone(words)
			if c.words < c.filled {
				choices = append(choices, c.strange)
			}
			c.own = tarry.Categorical(c.like.Name, choices...)
		}
		all = append(all, c.own)
	}
	if len(all) == 0 {
		return tarry.Space{}, fmt.Errorf("no parameter in common: it has %s", strings.Join(t.shown(), ", "))
	}
	return tarry.NewSpace(all...)
}

// take reads a line of a study that is otherwise as it is given.
func (t *pastTable) take(f *pointFile, row []string, as tarry.Past) {
	if there, _ := f.counts(row, nil, new(otherWords)); !there { // they are known
		return
	}
	as = t.sensed(f, row, as)
	as.Name = t.study(f, row)
	if t.fidelity(f, row) < t.finest[as.Name] {
		return
	}
	x := make(tarry.Point, len(t.columns))
	for i, c := range t.columns {
		text, empty := c.cell(row)
		v, is := decimal(text)
		switch {
		case empty:
			x[i] = c.middle()
		case c.own.Kind == space.KindCategorical:
			if x[i] = float64(slices.Index(c.own.Choices, text)); x[i] < 0 {
				x[i] = float64(len(c.own.Choices) - 1) // one that is strange is like another
			}
		case !is:
			f.say(c.column, "%s = %q: want a number", f.names[c.of], text)
		default:
			x[i] = v
		}
	}
	value := f.value(row)
	k, there := t.at[as.Name]
	if !there {
		k, t.at[as.Name] = len(t.past), len(t.past)
		t.past = append(t.past, as)
	}
	if of, is := senseOf(t.past[k]), senseOf(as); of != is {
		f.say(f.index[senseColumn], "sense = %q: want %s, as in the first line of the study", is, of)
	}
	t.past[k].Points, t.past[k].Values = append(t.past[k].Points, x), append(t.past[k].Values, value)
}

// middle is what an empty cell stands for, as one of a parameter that was inactive does: the middle of the parameter of the new space.
func (c pastColumn) middle() float64 {
	v := c.like.Value(0.5)
	if (c.like.Words() == nil) != (c.own.Kind == space.KindFloat) {
		return c.own.Value(0.5) // it is not matched
	}
	return v
}

// shown are the other columns, but not too many.
func (t *pastTable) shown() []string { return t.others[:min(len(t.others), mostColumns)] }

// notes say what of the table does not match.
func (t *pastTable) notes() (all []string) {
	name := filepath.Base(t.path)
	if t.odd.lines > 0 {
		all = append(all, fmt.Sprintf("%s: lines are left out%s", name, t.odd.otherwise(valuing(nil))))
	}
	for _, other := range t.shown() {
		all = append(all, fmt.Sprintf("%s: its parameter %s is none of this study, and is not looked at", name, other))
	}
	if more := len(t.others) - len(t.shown()); more > 0 {
		all = append(all, fmt.Sprintf("%s: so are %d more", name, more))
	}
	for _, c := range t.columns {
		if c.empty > 0 && len(c.like.Conditions) == 0 && c.like.Role != space.Fidelity {
			all = append(all, fmt.Sprintf("%s: %d of %d lines have no %s, and are taken to be in the middle of it", name, c.empty, t.lines, c.like.Name))
		}
	}
	return all
}
