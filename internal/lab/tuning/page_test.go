package tuning

import (
	"strconv"
	"strings"
)

// page is what a terminal shows: it understands the control sequences that the program writes, and no others.
type page struct {
	width    int
	lines    [][]cell
	row, col int
	code     string // colour or weight in force
	hidden   bool   // the cursor
	nowrap   bool
}

// cell is one character with its colour or weight.
type cell struct {
	char rune
	code string
}

// write shows what a program wrote to its terminal.
func (p *page) write(text string) {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "\x1b["); ok {
			end := strings.IndexFunc(rest, func(c rune) bool { return c >= '@' && c <= '~' })
			p.control(rest[:end], rest[end])
			text = rest[end+1:]
			continue
		}
		c := []rune(text[:min(4, len(text))])[0]
		p.put(c)
		text = text[len(string(c)):]
	}
}

func (p *page) put(c rune) {
	switch {
	case c == '\n':
		p.row, p.col = p.row+1, 0 // the driver of a terminal adds the return
	case c == '\r':
		p.col = 0
	case p.col >= p.width && p.nowrap:
		p.line()[p.width-1] = cell{c, p.code}
	default:
		if p.col >= p.width {
			p.row, p.col = p.row+1, 0
		}
		for len(p.line()) <= p.col {
			p.lines[p.row] = append(p.lines[p.row], cell{' ', ""})
		}
		p.lines[p.row][p.col] = cell{c, p.code}
		p.col++
	}
}

// line is the one in which the cursor is.
func (p *page) line() []cell {
	for len(p.lines) <= p.row {
		p.lines = append(p.lines, nil)
	}
	return p.lines[p.row]
}

func (p *page) control(argument string, command byte) {
	switch command {
	case 'A':
		n, _ := strconv.Atoi(argument)
		p.row = max(p.row-n, 0)
	case 'K':
		p.lines[p.row] = p.line()[:min(p.col, len(p.line()))]
	case 'J':
		p.lines[p.row] = p.line()[:min(p.col, len(p.line()))]
		p.lines = p.lines[:p.row+1]
	case 'm':
		p.code = strings.TrimPrefix(argument, "0")
	case 'h', 'l':
		switch argument {
		case "?25":
			p.hidden = command == 'l'
		case "?7":
			p.nowrap = command == 'l'
		}
	default:
		panic("page: unknown sequence " + argument + string(command))
	}
}

// text is what can be read, without blanks at the ends of lines and without empty lines at the end.
func (p *page) text() string {
	var b strings.Builder
	for _, line := range p.lines {
		chars := make([]rune, len(line))
		for i, c := range line {
			chars[i] = c.char
		}
		b.WriteString(strings.TrimRight(string(chars), " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
