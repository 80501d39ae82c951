package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// Package encoding/json checks that a text is JSON. Taking it apart is done here: a member that is not known, or is there
// twice, must not go by unnoticed, and speed counts a little.

var errMissing = errors.New("missing")

// member is a name and a value of an object, as they were written.
type member struct {
	name, value []byte
	taken       bool
}

// valid returns why the text is no JSON. What follows takes this for granted.
func valid(text []byte) error {
	if !json.Valid(text) || !utf8.Valid(text) {
		return errors.New("not JSON")
	}
	return nil
}

// split returns the members of an object.
func split(text []byte) ([]member, error) {
	i := blanks(text, 0)
	if text[i] != '{' {
		return nil, fmt.Errorf("want an object, found %s", cut(text[i:]))
	}
	members := make([]member, 0, 8)
	for i = blanks(text, i+1); text[i] != '}'; {
		var m member
		end := valueEnd(text, i)
		m.name = text[i+1 : end-1]
		if slices.Contains(m.name, '\\') {
			name, err := getText(text[i:end])
			if err != nil {
				return nil, err
			}
			m.name = []byte(name)
		}
		i = blanks(text, blanks(text, end)+1) // the colon
		end = valueEnd(text, i)
		m.value = text[i:end]
		members = append(members, m)
		if i = blanks(text, end); text[i] == ',' {
			i = blanks(text, i+1)
		}
	}
	return members, nil
}

// elements returns the values of a list.
func elements(text []byte) ([][]byte, error) {
	i := blanks(text, 0)
	if text[i] != '[' {
		return nil, fmt.Errorf("want a list, found %s", cut(text[i:]))
	}
	values := [][]byte{}
	for i = blanks(text, i+1); text[i] != ']'; {
		end := valueEnd(text, i)
		values = append(values, text[i:end])
		if i = blanks(text, end); text[i] == ',' {
			i = blanks(text, i+1)
		}
	}
	return values, nil
}

// blanks returns where the blanks at i end.
func blanks(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return i
}

// valueEnd returns where the value that begins at i ends.
func valueEnd(text []byte, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			i++
			continue
		default: // a number or a word
			for i < len(text) && text[i] != ',' && text[i] != '}' && text[i] != ']' && text[i] > ' ' {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
	return i
}

// cut is as much of a text as an error message can bear.
func cut(text []byte) string {
	if len(text) > 40 {
		return string(text[:40]) + " …"
	}
	return string(text)
}
