package command

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxShown = 200 // bytes of a line that messages show

// linesBackwards calls visit for each line from the last to the first, without its line feed, until it is done. Of a
// line of more than limit bytes it says so, and shows less than all of it. The line is valid during the call. It reads
// a chunk of bytes at a time and costs O(size), and limit + 2 chunk of memory.
func linesBackwards(r io.ReaderAt, size int64, chunk, limit int, visit func(line []byte, long bool) (done bool)) error {
	var (
		tail []byte // the end of a line whose beginning has not been read
		long bool   // the tail was longer and is gone
	)
	for end := size; end > 0; {
		n := min(int64(chunk), end)
		data := make([]byte, n, n+int64(len(tail)))
		if got, err := r.ReadAt(data, end-n); int64(got) < n {
			return fmt.Errorf("%d of %d bytes at %d: %w", got, n, end-n, err)
		}
		data = append(data, tail...)
		for cut := bytes.LastIndexByte(data[:n], '\n'); cut >= 0; cut = bytes.LastIndexByte(data, '\n') {
			if visit(data[cut+1:], long || len(data)-cut-1 > limit) {
				return nil
			}
			data, long = data[:cut], false
		}
		if tail = data; long || len(tail) > limit {
			tail, long = nil, true
		}
		end -= n
	}
	visit(tail, long)
	return nil
}

// quoteNonFinite returns the line with NaN, Infinity and -Infinity, where they stand in the place of JSON numbers as
// Python and JavaScript libraries write them, in quotes.
func quoteNonFinite(line []byte) []byte {
	var out []byte
	inString := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\' && i+1 < len(line):
			out = append(out, c)
			i++
		case c == '"':
			inString = !inString
		case !inString:
			if word := nonFinite(line[i:]); word != "" {
				out = append(append(append(out, '"'), word...), '"')
				i += len(word) - 1
				continue
			}
		}
		out = append(out, line[i])
	}
	return out
}

// hasField reports whether a JSON object has a field of one of the names. Of what is no JSON it may say either.
func hasField(line []byte, names ...string) bool {
	depth, begin := 0, 0 // begin of the string that has been opened, 0 outside of strings
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case begin > 0 && c == '\\':
			i++
		case begin > 0 && c == '"':
			after := bytes.TrimLeft(line[i+1:min(i+9, len(line))], " \t\r\n")
			if depth == 1 && slices.Contains(names, string(line[begin:i])) && (len(after) == 0 || after[0] == ':') {
				return true
			}
			begin = 0
		case begin > 0:
		case c == '"':
			begin = i + 1
		case c == '{', c == '[':
			depth++
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// nonFinite returns the word that b begins with, if it is one of those that JSON lacks.
func nonFinite(b []byte) string {
	for _, word := range []string{"NaN", "Infinity", "-Infinity", "-NaN"} {
		if bytes.HasPrefix(b, []byte(word)) {
			return word
		}
	}
	return ""
}

// lastLine returns the last line of a file that is not blank, as a message shows it; empty when there is none or the
// file cannot be read. What a progress bar has written over itself counts as lines.
func lastLine(path string) string {
	const enough = 8 << 10
	f, err := open(path, os.O_RDONLY)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	data := make([]byte, min(info.Size(), enough))
	n, _ := f.ReadAt(data, info.Size()-int64(len(data))) // what could be read is good enough for a message
	lines := bytes.FieldsFunc(data[:n], func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if line := clip(lines[i]); line != "" {
			return line
		}
	}
	return ""
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;?]*[@-~]") // colors and the like

// printable returns text for a message: on one line, without control characters.
func printable(b []byte) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(escapes.ReplaceAll(b, nil)), "\uFFFD")))
}

// clip returns printable text of at most maxShown bytes.
func clip(b []byte) string {
	const more = "…"
	cut := len(b) > 4*maxShown // what comes later cannot be seen
	if cut {
		b = b[:4*maxShown]
	}
	s := printable(b)
	if len(s) <= maxShown && !cut {
		return s
	}
	s = s[:min(len(s), maxShown-len(more))]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s + more
}
