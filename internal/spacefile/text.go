package spacefile

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const wantObject = "an object with the field parameters"

// clean returns the text without a byte order mark and with \n as its line ends. Not ok: there is no text to read, and
// the violation is recorded.
func (c *checker) clean(text []byte) (string, bool) {
	start := place{1, 1}
	if len(text) > MaxSize {
		c.add(start, "", "more than %d MiB: want a description of the search space", MaxSize>>20)
		return "", false
	}
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		c.add(start, "", "UTF-16 text: want UTF-8")
		return "", false
	}
	s := strings.TrimPrefix(string(text), "\ufeff")
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	at := cursor{text: s, place: start}
	for at.offset < len(s) {
		r, size := utf8.DecodeRuneInString(s[at.offset:])
		if r == utf8.RuneError && size == 1 {
			c.add(at.place, "", "byte 0x%02x is not UTF-8 text", s[at.offset])
			return "", false
		}
		at.to(at.offset + size)
	}
	if strings.TrimSpace(s) == "" {
		c.add(start, "", "empty: want %s", wantObject)
		return "", false
	}
	return s, true
}

// tree returns the text as a tree. Not ok: the text has no tree, and the violations are recorded.
func (c *checker) tree(text string) (node, bool) {
	err := jsonError(text)
	if err == nil {
		return readJSON(text), true
	}
	if strings.HasSuffix(strings.ToLower(c.file), ".json") {
		c.jsonSyntax(text, err)
		return node{}, false
	}
	return c.yaml(text)
}

// cursor is a place in a text, by its offset in bytes and by line and column. It moves forward only, so that all places
// of a text together cost one pass.
type cursor struct {
	text   string
	offset int
	place  place
}

// to moves the cursor to the offset, not beyond the end of the text.
func (c *cursor) to(offset int) {
	for offset = min(offset, len(c.text)); c.offset < offset; {
		r, size := utf8.DecodeRuneInString(c.text[c.offset:])
		c.offset += size
		c.place.column++
		if r == '\n' {
			c.place = place{c.place.line + 1, 1}
		}
	}
}

// maxShown bounds, in characters, what messages repeat of a text, and maxReason what they repeat of a parser's message.
const (
	maxShown  = 40
	maxReason = 200
)

// oneLine returns s as one line of at most limit characters, what cannot be printed as escapes.
func oneLine(s string, limit int) string {
	var b strings.Builder
	count := 0
	for _, r := range s {
		if count++; count > limit {
			b.WriteRune('…')
			break
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return b.String()
}
