package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"

	"github.com/tarry-bo/tarry/outcome"
)

// search looks for the last value of an output, whose lines it gets from the last to the first. A value is a value line, or a JSON object
// that is spread over several lines, of which the first begins with {. An object without a value is passed over with all its lines: a number
// that has a line of such a list for itself is no value line.
type search struct {
	named []outcome.Constraint
	limit int  // bytes of an object that is spread over several lines
	inner bool // whether something follows what is searched, so that its last line is no ending that may be spoiled

	out   Report
	bad   error // what is wrong with the value, or which line was spoiled
	found bool
	text  []byte // of the value
	last  string // the last line that is not blank, for a message; empty without one

	back   []byte // lines of what may be an object, from its last byte to the first so far; empty outside of one
	open   int    // brackets that they open, less those that they close: negative as long as the object has not begun
	ending bool   // whether the first of them is the last line that is not blank
}

// visit takes the next line, and reports whether the search is at its end.
func (s *search) visit(line []byte, long bool) (done bool) {
	line = bytes.TrimSpace(line)
	if len(line) == 0 && !long {
		return false
	}
	ending := s.last == "" && !s.inner
	if s.last == "" {
		if s.last = strconv.Quote(clip(line)); long {
			s.last = "longer than a MiB"
		}
	}
	switch {
	case len(s.back) > 0:
		return s.grow(line, long)
	case long:
		return false
	case line[0] != '{' && line[len(line)-1] == '}' && isLike(line) && depth(line) < 0:
		s.ending = ending
		return s.grow(line, false)
	}
	return s.ordinary(line, ending)
}

// ordinary takes a line that is no part of an object which is spread over several.
func (s *search) ordinary(line []byte, ending bool) (done bool) {
	if s.out, s.found, s.bad = parseLine(line, s.named); s.found {
		s.text = bytes.Clone(line)
	} else if ending {
		s.bad = spoiled(line, s.named)
		s.found = s.bad != nil
	}
	return s.found
}

// grow takes a line of what may be an object, and decides where that begins or cannot any more.
func (s *search) grow(line []byte, long bool) (done bool) {
	if long || len(s.back)+len(line) > s.limit || !isLike(line) {
		return s.torn(false) || !long && s.ordinary(line, false)
	}
	if len(s.back) > 0 {
		s.back = append(s.back, '\n')
	}
	for _, c := range slices.Backward(line) {
		s.back = append(s.back, c)
	}
	if s.open += depth(line); s.open < 0 {
		return false
	}
	object := s.taken()
	if s.open > 0 || line[0] != '{' || !json.Valid(object) && !isObject(object) { // most of them are without NaN
		return s.torn(line[0] == '{')
	}
	s.back, s.open = s.back[:0], 0
	if s.out, s.found, s.bad = parseObject(object, s.named); s.found {
		s.text = object
	}
	return s.found
}

// taken is what may be an object.
func (s *search) taken() []byte {
	out := bytes.Clone(s.back)
	slices.Reverse(out)
	return out
}

// torn takes the lines for what they are each, since they are no object together. Where they are the end of the output and were meant for
// one, since they begin as it does or end with nothing but brackets, that is spoiled, and no earlier value takes its place.
func (s *search) torn(begins bool) (done bool) {
	rest := s.taken()
	s.back, s.open = s.back[:0], 0
	for last := true; len(rest) > 0; last = false {
		cut := max(bytes.LastIndexByte(rest, '\n'), 0)
		line := bytes.TrimSpace(rest[cut:])
		rest = rest[:cut]
		if last && s.ending && (begins || onlyCloses(line)) {
			s.bad, s.found = endsNoObject(line), true
		} else {
			s.ordinary(line, false)
		}
		if s.found {
			return true
		}
	}
	return false
}

// end is told that there are no more lines.
func (s *search) end() {
	if len(s.back) > 0 && !s.found {
		s.torn(false)
	}
}

// onlyCloses reports whether a line has nothing but brackets that close.
func onlyCloses(line []byte) bool { return len(bytes.Trim(line, "]} \t")) == 0 }

// endsNoObject says of the last line that it is the end of an object that was spoiled.
func endsNoObject(line []byte) error {
	return errors.New("the last line of standard output ends what is no JSON object; it was " + strconv.Quote(clip(line)))
}

// isLike reports whether a line begins as one of an object may, or of what was meant for one.
func isLike(line []byte) bool {
	switch line[0] {
	case '{', '}', '[', ']', '"', '\'', ',', ':', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return true
	case 't', 'f', 'n', 'N', 'I':
		for _, word := range []string{"true", "false", "null", "NaN", "Infinity"} {
			if bytes.HasPrefix(line, []byte(word)) {
				return true
			}
		}
	}
	return false
}

// depth is how many brackets a line of JSON opens, less those that it closes. Texts do not go over the end of a line.
func depth(line []byte) int {
	open, inText := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{', c == '[':
			open++
		case c == '}', c == ']':
			open--
		}
	}
	return open
}
