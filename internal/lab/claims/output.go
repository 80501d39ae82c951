package claims

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// output is what a command printed.
type output struct {
	text   string
	tables []Table
}

// benchmarks is the caption of the table that the lines of go test -bench make.
const benchmarks = "benchmarks"

// parseOutput finds the tables of this module's commands, drawn with lines, and the results of benchmarks.
func parseOutput(text string) output {
	o := output{text: text}
	var words []string // of the paragraph before
	var t *Table
	inHead := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "┌"):
			t, inHead = &Table{above: strings.Join(words, " ")}, true
			if len(words) > 0 {
				t.Caption = words[len(words)-1]
			}
		case strings.HasPrefix(line, "├"):
			inHead = false
		case strings.HasPrefix(line, "└") && t != nil:
			o.tables, t, words = append(o.tables, *t), nil, nil
		case strings.HasPrefix(line, "│") && t != nil:
			t.add(strings.Split(strings.Trim(line, "│"), "│"), inHead)
		case strings.TrimSpace(line) == "":
			words = nil
		default:
			words = append(words, strings.TrimSpace(line))
		}
	}
	if b := parseBenchmarks(text); len(b.Rows) > 0 {
		o.tables = append(o.tables, b)
	}
	return o
}

// add adds a line of a table. A heading may have several.
func (t *Table) add(cells []string, head bool) {
	for i := range cells {
		cells[i] = plain(cells[i])
	}
	if !head {
		t.Rows = append(t.Rows, cells)
		return
	}
	if t.Head == nil {
		t.Head = cells
		return
	}
	for i := range min(len(cells), len(t.Head)) {
		t.Head[i] = strings.TrimSpace(t.Head[i] + " " + cells[i])
	}
}

var (
	benchmarkLine = regexp.MustCompile(`(?m)^Benchmark(\S+?)(?:-\d+)?[ \t]+\d+[ \t]+(.*)$`)
	benchmarkPair = regexp.MustCompile(`(\S+) (\S+)`)
)

// parseBenchmarks makes a table of the results of benchmarks: a row for each, a column for each unit. Of several results of one
// benchmark it has the median.
func parseBenchmarks(text string) Table {
	t := Table{Caption: benchmarks, Head: []string{"name"}}
	results := map[string][]float64{}
	var names []string
	for _, m := range benchmarkLine.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
		for _, pair := range benchmarkPair.FindAllStringSubmatch(strings.ReplaceAll(m[2], "\t", "  "), -1) {
			value, err := strconv.ParseFloat(pair[1], 64)
			if err != nil {
				continue
			}
			if !slices.Contains(t.Head, pair[2]) {
				t.Head = append(t.Head, pair[2])
			}
			results[m[1]+" "+pair[2]] = append(results[m[1]+" "+pair[2]], value)
		}
	}
	for _, name := range names {
		row := []string{name}
		for _, column := range t.Head[1:] {
			row = append(row, middle(results[name+" "+column], column))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// middle is the median with its unit, if figures may have it.
func middle(values []float64, column string) string {
	if len(values) == 0 {
		return "-"
	}
	slices.Sort(values)
	text := strconv.FormatFloat(values[len(values)/2], 'f', -1, 64)
	unit, _, _ := strings.Cut(column, "/")
	if before, after, found := strings.Cut(unit, "-"); found && units[after] == 0 {
		unit = before
	} else if found {
		unit = after
	}
	if _, known := units[unit]; known {
		text += " " + unit
	}
	return text
}

// at returns what stands in a place: table > row > column, where the table is known by the line before it or by the beginning of
// the words before it, and the row by its first cell, each of which may have asterisks; or /expression/, whose first group it is. Curly brackets
// with a number stand for a cell of the row that is compared.
func (o output) at(place string, row []string) (string, error) {
	for i, cell := range row {
		place = strings.ReplaceAll(place, fmt.Sprintf("{%d}", i+1), cell)
	}
	if expression, found := strings.CutPrefix(place, "/"); found {
		return o.match(strings.TrimSuffix(expression, "/"))
	}
	parts := strings.Split(place, " > ")
	if len(parts) != 3 {
		return "", fmt.Errorf("place %q: want table > row > column", place)
	}
	for _, exact := range []bool{true, false} {
		for _, t := range o.tables {
			named := like(parts[0], t.Caption) || !exact && (like(parts[0]+"*", t.Caption) || like(parts[0]+"*", t.above))
			if column := slices.Index(t.Head, parts[2]); named && column >= 0 {
				if cell, found := t.cell(parts[1], column); found {
					return cell, nil
				}
			}
		}
	}
	return "", fmt.Errorf("the command prints nothing at %s", place)
}

// cell returns what stands in a column of the first row of that name.
func (t Table) cell(name string, column int) (string, bool) {
	for _, r := range t.Rows {
		if column < len(r) && like(name, r[0]) {
			return r[column], true
		}
	}
	return "", false
}

func (o output) match(expression string) (string, error) {
	pattern, err := regexp.Compile(expression)
	if err != nil {
		return "", err
	}
	m := pattern.FindStringSubmatch(o.text)
	if len(m) < 2 {
		return "", fmt.Errorf("the command prints nothing like %s", expression)
	}
	return m[1], nil
}

// like reports whether a text has the form of a pattern, in which an asterisk is any text.
func like(pattern, text string) bool {
	// A slash is a letter like any other here.
	free := func(s string) string { return strings.NewReplacer("/", "∕", "[", `\[`, "?", `\?`).Replace(s) }
	matched, err := path.Match(free(pattern), strings.ReplaceAll(text, "/", "∕"))
	return err == nil && matched
}
