package claims

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// Write puts what was measured in the place of the figures of a claim that differ, and returns how many it has put there. Figures
// stay that depend on the machine, ranges, and those that the command did not give: they are for a reader, as are the marks of
// what is best. Where a figure has no error, none is put there, and no more decimals than it had. The file is written whole or not at all.
func (r Result) Write() (int, error) {
	text, err := os.ReadFile(r.Claim.File)
	if err != nil {
		return 0, err
	}
	lines, written := strings.Split(string(text), "\n"), 0
	for _, f := range r.Findings {
		figure, ok := f.restated()
		if !ok || f.Line > len(lines) {
			continue
		}
		if f.column > 0 {
			ok = replaceCell(&lines[f.Line-1], f.column, f.Stands, figure)
		} else {
			ok = r.Claim.replaceWords(lines, f.What, f.Stands, figure)
		}
		if !ok {
			return 0, fmt.Errorf("%s:%d: %s is no longer where it stood; nothing was written", r.Claim.File, f.Line, f.Stands)
		}
		written++
	}
	if written == 0 {
		return 0, nil
	}
	return written, replaceFile(r.Claim.File, strings.Join(lines, "\n"))
}

// replaceFile writes a file beside the old one and puts it in its place.
func replaceFile(path, text string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	beside := path + ".new"
	if err := os.WriteFile(beside, []byte(text), info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(beside, path)
}

// restated returns what is to stand in place of a figure that differs.
func (f Finding) restated() (string, bool) {
	if f.Agrees || f.Err != nil || f.Speed > 0 {
		return "", false
	}
	old, err := parseFigure(f.Stands)
	found, wrong := parseFigure(f.Measured)
	if err != nil || wrong != nil || old.ranged || found.ranged {
		return "", false
	}
	was, is := wholeFigure.FindStringSubmatch(plain(f.Stands)), wholeFigure.FindStringSubmatch(plain(f.Measured))
	if len(old.values) == 2 && len(found.values) == 2 {
		return plain(f.Measured), true
	}
	if len(old.values) == 2 || strings.TrimSpace(was[2]) != strings.TrimSpace(is[2]) && is[2] != "" {
		return "", false // no error was measured, or another unit
	}
	return rounded(is[1], was[1]) + was[2], true
}

// rounded is a number with at most as many decimals as another one, if both are written without exponents.
func rounded(number, like string) string {
	if strings.ContainsAny(number+like, "e ") {
		return number
	}
	_, had, _ := strings.Cut(like, ".")
	_, has, _ := strings.Cut(number, ".")
	value, err := strconv.ParseFloat(number, 64)
	if len(has) <= len(had) || err != nil {
		return number
	}
	text := strconv.FormatFloat(value, 'f', len(had), 64)
	if strings.HasPrefix(like, ".") {
		text = strings.Replace(text, "0.", ".", 1)
	}
	return text
}

// replaceCell puts a figure into a cell of a line of a table, and keeps its marks.
func replaceCell(line *string, column int, stands, figure string) bool {
	cells := strings.Split(*line, "|")
	at := column + 1 // the line begins with a stroke
	if at >= len(cells) || plain(cells[at]) != stands {
		return false
	}
	if strings.Contains(*line, "−") {
		figure = strings.ReplaceAll(figure, "-", "−")
	}
	old := strings.Trim(strings.TrimSpace(cells[at]), "*`")
	cells[at] = strings.Replace(cells[at], old, figure, 1)
	*line = strings.Join(cells, "|")
	return true
}

// replaceWords puts a figure into the sentence of the claim where it stands, which may go over several lines. There are as many lines
// as before: those of other claims have their numbers.
func (c Claim) replaceWords(lines []string, words, stands, figure string) bool {
	before, after, _ := strings.Cut(plain(words), "{}")
	pattern := regexp.MustCompile(loosely(before) + `(` + loosely(stands) + `)` + loosely(after))
	comment, prose, _ := strings.Cut(strings.Join(lines[c.First-1:c.Last], "\n"), "-->")
	found := pattern.FindAllStringSubmatchIndex(prose, -1)
	if len(found) != 1 {
		return false
	}
	from, to := found[0][2], found[0][3]
	if strings.Contains(prose[from:to], "−") {
		figure = strings.ReplaceAll(figure, "-", "−")
	}
	if strings.Contains(prose[from:to], "\n") && from > 0 {
		from, figure = from-1, "\n"+figure
	}
	copy(lines[c.First-1:c.Last], strings.Split(comment+"-->"+prose[:from]+figure+prose[to:], "\n"))
	return true
}

// loosely is a pattern for words between which lines may end, and in which marks may stand.
func loosely(words string) string {
	const marks = "[`*]*"
	var pattern strings.Builder
	for _, r := range words {
		switch r {
		case ' ':
			pattern.WriteString(marks + `\s+` + marks)
		case '-':
			pattern.WriteString(`[-−]`)
		default:
			pattern.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return pattern.String()
}
