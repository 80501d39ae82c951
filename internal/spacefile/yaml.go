package spacefile

import (
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/scanner"
	"github.com/goccy/go-yaml/token"

	"github.com/tarry-bo/tarry/space"
)

// The YAML parser recurses for every field of an object and for every nested collection, and copies the remaining fields at
// each call. Limits on fields and nesting keep its stack small and its time short.
const (
	maxFields = 10 * space.MaxDim
	maxDepth  = 32
)

// refused maps each token of YAML that a description of a space cannot contain to the reason that the user reads.
var refused = map[token.Type]string{
	token.AnchorType:     "anchors (&) are not supported: write the value where it is needed",
	token.AliasType:      "aliases (*) are not supported: write the value out, or put text that begins with * in quotes",
	token.MergeKeyType:   "merge keys (<<) are not supported: write the fields out",
	token.TagType:        "tags (!) are not supported: write the value only, or put text that begins with ! in quotes",
	token.DirectiveType:  "directives (%) are not supported: put text that begins with % in quotes",
	token.MappingKeyType: "keys that begin with ? are not supported: write key: value",
	token.LiteralType:    "block text (|) is not supported: write it in double quotes",
	token.FoldedType:     "block text (>) is not supported: write it in double quotes",
}

// yaml parses a YAML text into a tree. Where it returns false, the violations are recorded.
func (c *checker) yaml(text string) (node, bool) {
	return c.contained(func() (node, bool) {
		tokens := scan(text)
		before := len(c.found)
		if c.refuse(tokens); len(c.found) > before {
			return node{}, false
		}
		file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
		if err != nil {
			c.yamlSyntax(err)
			return node{}, false
		}
		for _, document := range file.Docs {
			if document.Body != nil {
				return yamlNode(document.Body), true
			}
		}
		c.add(place{1, 1}, "", "empty: want %s", wantObject)
		return node{}, false
	})
}

// contained calls parse and records a panic of the YAML parser as a violation: a text that the parser cannot handle must not
// end the program.
func (c *checker) contained(parse func() (node, bool)) (n node, ok bool) {
	defer func() {
		if cause := recover(); cause != nil {
			c.add(place{1, 1}, "", "syntax error: the YAML parser gave up: %s", oneLine(fmt.Sprint(cause), maxReason))
			n, ok = node{}, false
		}
	}()
	return parse()
}

// scan returns the tokens of a text, up to and including the first one that is not YAML.
func scan(text string) token.Tokens {
	var s scanner.Scanner
	s.Init(text + "\n") // without a line end, the scanner loses a tag at the end
	var tokens token.Tokens
	for {
		some, err := s.Scan()
		tokens.Add(some...)
		if err != nil {
			return tokens
		}
	}
}

// refuse records the tokens that are not YAML or not supported, and a text that exceeds the limits of the parser.
func (c *checker) refuse(tokens token.Tokens) {
	var s structure
	for _, t := range tokens {
		if t.Type == token.InvalidType {
			c.add(yamlPlace(t), "", "syntax error: %s", oneLine(t.Error, maxReason))
			return
		}
		if why, is := refused[t.Type]; is {
			c.add(yamlPlace(t), "", "%s", why)
			if t.Type == token.DirectiveType {
				return // the words of a directive would count as a document
			}
		}
		if why := s.next(t); why != "" {
			c.add(yamlPlace(t), "", "%s", why)
			return
		}
	}
}

// structure counts what the limits bound: documents, fields and nested collections.
type structure struct {
	content, ended         bool // of the document
	fields, brackets, dash int
	dashLine               int
}

// next counts a token. It returns the violation where a limit is exceeded, and otherwise an empty text.
func (s *structure) next(t *token.Token) string {
	switch t.Type {
	case token.CommentType, token.DirectiveType:
		return ""
	case token.DocumentHeaderType:
		if s.content || s.ended {
			return "a second document: want one document in a file"
		}
		s.content = true
		return ""
	case token.DocumentEndType:
		s.ended = true
		return ""
	case token.MappingValueType:
		s.fields++
	case token.MappingStartType, token.SequenceStartType:
		s.brackets++
	case token.MappingEndType, token.SequenceEndType:
		s.brackets--
	case token.SequenceEntryType:
		if s.dash++; t.Position.Line != s.dashLine {
			s.dash, s.dashLine = 1, t.Position.Line
		}
	}
	switch {
	case s.ended:
		return "a second document: want one document in a file"
	case s.fields > maxFields:
		return fmt.Sprintf("more than %d fields: want at most %d parameters", maxFields, space.MaxDim)
	case s.brackets > maxDepth || s.dash > maxDepth:
		return fmt.Sprintf("more than %d collections inside each other: want parameters only", maxDepth)
	}
	s.content = true
	return ""
}

// yamlSyntax records an error of the parser.
func (c *checker) yamlSyntax(err error) {
	at, message := place{1, 1}, "not YAML"
	var syntax interface {
		error
		GetMessage() string
		GetToken() *token.Token
	}
	if errors.As(err, &syntax) {
		message = syntax.GetMessage() // Error would quote the text around the place
		if t := syntax.GetToken(); t != nil {
			at = yamlPlace(t)
		}
	}
	c.add(at, "", "syntax error: %s", oneLine(message, maxReason))
}

func yamlPlace(t *token.Token) place {
	return place{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// yamlNode returns the tree below a node of the parser.
func yamlNode(from ast.Node) node {
	t := from.GetToken()
	n := node{place: yamlPlace(t)}
	switch v := from.(type) {
	case *ast.MappingNode:
		n.shape = object
		for _, pair := range v.Values {
			n.fields = append(n.fields, field{yamlNode(pair.Key), yamlNode(pair.Value)})
		}
		if !v.IsFlowStyle && len(n.fields) > 0 {
			n.place = n.fields[0].key.place // the token is the first colon
		}
	case *ast.SequenceNode:
		n.shape = list
		for _, item := range v.Values {
			n.items = append(n.items, yamlNode(item))
		}
	default:
		n.text = t.Value
		n.quoted = t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
		n.absent = t.Type == token.ImplicitNullType
	}
	return n
}
