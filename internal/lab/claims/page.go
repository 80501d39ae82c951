package claims

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// page is a Markdown file as far as claims go.
type page struct {
	stretches []stretch
	loose     []string // what holds figures and stands in no stretch, with its line
}

// stretch is what stands between two comments.
type stretch struct {
	first, last int
	comment     string // without "claim"
	none        bool   // no claim is made
	command     string // the first one in it
	tables      []Table
	prose       string // its paragraphs, words apart by single spaces
	numbered    []int  // lines of the paragraphs in which figures stand
}

// Table is a table with the line right before it.
type Table struct {
	Caption string
	Head    []string
	Rows    [][]string

	line  int
	above string // all lines before it up to an empty one
}

var (
	opening = regexp.MustCompile(`^<!-- (claim|no claim:)`)
	closing = "<!-- end -->"
	code    = regexp.MustCompile("`[^`]*`")
	// A measurement has an error, a unit or a rate. Parameters of commands have none.
	measurement = regexp.MustCompile(`\d ± |± \.\d|\d (ns|µs|ms|s|seconds|minutes|MB|GB)\b|\d %|\d (evaluations|answers|events) a second`)
)

// measures reports whether a line has a measurement among its words. What stands in code is an example.
func measures(line string) bool { return measurement.MatchString(code.ReplaceAllString(line, "")) }

// parsePage reads a file. The error says all that is wrong with its comments.
func parsePage(text string) (page, error) {
	var p page
	var l check.List
	var open *stretch
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case opening.MatchString(line):
			s, next, err := parseOpening(lines, i)
			l.Join(err)
			if open != nil {
				l.Join(fmt.Errorf("line %d: the claim before it, of line %d, has no end", i+1, open.first))
			}
			open, i = &s, next
		case line == closing:
			if open == nil {
				l.Join(fmt.Errorf("line %d: an end without a beginning", i+1))
			} else {
				open.last = i + 1
				p.stretches = append(p.stretches, *open)
			}
			open = nil
			i++
		case strings.HasPrefix(line, "```"):
			i = fence(lines, i, open)
		case strings.HasPrefix(line, "|"):
			t, next := parseTable(lines, i)
			i = next
			if !t.figures() {
				break
			}
			if open == nil {
				p.loose = append(p.loose, fmt.Sprintf("line %d: the table | %s |", t.line, strings.Join(t.Head, " | ")))
			} else {
				open.tables = append(open.tables, t)
			}
		default:
			if open != nil {
				open.prose += " " + strings.TrimSpace(line)
				if measures(line) {
					open.numbered = append(open.numbered, i+1)
				}
			} else if measures(line) {
				p.loose = append(p.loose, fmt.Sprintf("line %d: %s", i+1, line))
			}
			i++
		}
	}
	if open != nil {
		l.Join(fmt.Errorf("line %d: the claim has no end", open.first))
	}
	return p, l.Err()
}

// parseOpening reads the comment that begins at a line, and returns the line after it.
func parseOpening(lines []string, at int) (stretch, int, error) {
	s := stretch{first: at + 1}
	text := ""
	for i := at; i < len(lines); i++ {
		text += lines[i] + "\n"
		if !strings.Contains(lines[i], "-->") {
			continue
		}
		text = strings.TrimSuffix(strings.TrimSpace(text), "-->")
		if why, none := strings.CutPrefix(text, "<!-- no claim:"); none {
			s.none = true
			if strings.TrimSpace(why) == "" {
				return s, i + 1, fmt.Errorf("line %d: no claim, and no reason", at+1)
			}
		}
		s.comment = strings.TrimPrefix(text, "<!-- claim")
		return s, i + 1, nil
	}
	return s, len(lines), fmt.Errorf("line %d: the comment has no end", at+1)
}

// fence skips a block of code, whose first command is noted, and returns the line after it.
func fence(lines []string, at int, s *stretch) int {
	var command []string
	end := at + 1
	for ; end < len(lines) && lines[end] != "```"; end++ {
		if s == nil || s.command != "" || !strings.HasPrefix(lines[at], "```sh") {
			continue
		}
		line, _, _ := strings.Cut(lines[end], "  #")
		more := strings.HasSuffix(strings.TrimSpace(line), `\`)
		command = append(command, strings.TrimSuffix(strings.TrimSpace(line), `\`))
		if !more {
			s.command = strings.Join(strings.Fields(strings.Join(command, " ")), " ")
		}
	}
	return end + 1
}

// parseTable reads the table that begins at a line, and returns the line after it.
func parseTable(lines []string, at int) (Table, int) {
	t := Table{line: at + 1}
	for i := at - 1; i >= 0 && t.Caption == ""; i-- {
		if words := strings.TrimSpace(lines[i]); !strings.HasPrefix(words, "<!--") {
			t.Caption = plain(strings.TrimSuffix(words, ":"))
		}
	}
	end := at
	for ; end < len(lines) && strings.HasPrefix(lines[end], "|"); end++ {
		cells := strings.Split(strings.Trim(lines[end], "|"), "|")
		for i := range cells {
			cells[i] = plain(cells[i])
		}
		switch {
		case end == at:
			t.Head = cells
		case end > at+1: // the line of dashes is between them
			t.Rows = append(t.Rows, cells)
		}
	}
	return t, end
}

// plain is text without marks, as a program prints it.
func plain(text string) string {
	return strings.NewReplacer("`", "", "**", "", "−", "-").Replace(strings.TrimSpace(text))
}

// figures reports whether some cell after the first column is a figure and nothing else.
func (t Table) figures() bool {
	for _, row := range t.Rows {
		for _, cell := range row[1:] {
			if _, err := parseFigure(cell); err == nil {
				return true
			}
		}
	}
	return false
}

// standing returns the figure that stands in place of {} in the words.
func (s stretch) standing(words string) (string, error) {
	before, after, found := strings.Cut(plain(words), "{}")
	if !found {
		return "", fmt.Errorf("figure %q: want {} where the figure stands", words)
	}
	pattern := regexp.MustCompile(regexp.QuoteMeta(before) + `(` + figurePattern + `)` + regexp.QuoteMeta(after))
	matches := pattern.FindAllStringSubmatch(plain(strings.Join(strings.Fields(s.prose), " ")), -1)
	if len(matches) != 1 {
		return "", fmt.Errorf("figure %q: it stands %d times in the text, want 1", words, len(matches))
	}
	return matches[0][1], nil
}
