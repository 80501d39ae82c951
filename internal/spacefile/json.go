package spacefile

import (
	"encoding/json"
	"errors"
	"strings"
)

// jsonError returns nil when the text is JSON.
func jsonError(text string) *json.SyntaxError {
	var raw json.RawMessage
	var syntax *json.SyntaxError
	errors.As(json.Unmarshal([]byte(text), &raw), &syntax)
	return syntax
}

// jsonSyntax records why the text is not JSON.
func (c *checker) jsonSyntax(text string, err *json.SyntaxError) {
	at := cursor{text: text, place: place{1, 1}}
	at.to(int(err.Offset) - 1) // the offset counts the wrong character
	if strings.HasPrefix(err.Error(), "unexpected end") {
		at.to(len(text))
	}
	c.add(at.place, "", "syntax error: %s", err.Error())
}

// jsonReader turns the tokens of a text that is JSON into a tree.
type jsonReader struct {
	tokens *json.Decoder
	at     cursor
}

// readJSON returns the tree of a text that is JSON.
func readJSON(text string) node {
	r := jsonReader{tokens: json.NewDecoder(strings.NewReader(text)), at: cursor{text: text, place: place{1, 1}}}
	r.tokens.UseNumber() // a choice keeps the text of its number
	return r.node()
}

// next returns the next token and moves the cursor to its beginning.
func (r *jsonReader) next() json.Token {
	begin := int(r.tokens.InputOffset())
	for begin < len(r.at.text) && strings.IndexByte(" \t\n,:", r.at.text[begin]) >= 0 {
		begin++
	}
	r.at.to(begin)
	token, _ := r.tokens.Token() // the text is JSON
	return token
}

func (r *jsonReader) node() node {
	token := r.next()
	n := node{place: r.at.place}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			n.shape = list
			for r.tokens.More() {
				n.items = append(n.items, r.node())
			}
		} else {
			n.shape = object
			for r.tokens.More() {
				key := r.node()
				n.fields = append(n.fields, field{key, r.node()})
			}
		}
		r.next() // the closing bracket
	case string:
		n.text, n.quoted = v, true
	case json.Number:
		n.text = v.String()
	case bool:
		n.text = "false"
		if v {
			n.text = "true"
		}
	case nil:
		n.text = "null"
	}
	return n
}
