package spacefile

import (
	"strings"
	"testing"
)

func TestSyntaxErrorsHaveAPlace(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"s.json", "{\"parameters\":[\n\t{\"low\":1,}\n]}", "s.json:2:11: syntax error: invalid character '}' looking for beginning of object key string"},
		{"s.json", "{\"parameters\":\n[", "s.json:2:2: syntax error: unexpected end of JSON input"},
		{"s.json", "{} {}", "s.json:1:4: syntax error: invalid character '{' after top-level value"},
		{"s.json", "{\"é\": 01}", "s.json:1:8: syntax error: invalid character '1' after object key:value pair"},
		{"s.JSON", "parameters: []", "s.JSON:1:1: syntax error: invalid character 'p' looking for beginning of value"},
		{"s.yaml", "parameters:\n- name: a\n   type: float\n", "s.yaml:2:9: syntax error: mapping value is not allowed in this context"},
		{"s.yaml", "parameters:\n- name: a\n\ttype: float\n", "s.yaml:3:1: syntax error: found character '\\t' that cannot start any token"},
		{"s.yaml", "parameters: [1, 2", "s.yaml:1:13: syntax error: sequence end token ']' not found"},
		{"s.yaml", "parameters: []]", "s.yaml:1:15: syntax error: value is not allowed in this context"},
		{"s.yaml", "parameters: \"a", "s.yaml:1:13: syntax error: could not find end character of double-quoted text"},
		{"s.yaml", "parameters:\n- name: @", "s.yaml:2:9: syntax error: '@' is a reserved character"},
		{"s.yaml", "a\r\nb\xe9", "s.yaml:2:2: byte 0xe9 is not UTF-8 text"},
		{"s.json", "\ufeff\"é\xff\"", "s.json:1:3: byte 0xff is not UTF-8 text"},
		{"s.yaml", "\xff\xfea\x00", "s.yaml:1:1: UTF-16 text: want UTF-8"},
	} {
		if _, err := Parse(c.name, []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestPartsOfYAMLThatAreRefusedAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"parameters:\n- &a {name: a}\n- <<: *a\n  name: !!str b\n": `s:2:3: anchors (&) are not supported: write the value where it is needed
s:3:3: merge keys (<<) are not supported: write the fields out
s:3:7: aliases (*) are not supported: write the value out, or put text that begins with * in quotes
s:4:9: tags (!) are not supported: write the value only, or put text that begins with ! in quotes`,
		"a: !b":                   "s:1:4: tags (!) are not supported: write the value only, or put text that begins with ! in quotes",
		"%YAML 1.2\n---\na: b\n":  "s:1:1: directives (%) are not supported: put text that begins with % in quotes",
		"? a\n: b\n":              "s:1:1: keys that begin with ? are not supported: write key: value",
		"a: |\n  b\nc: >-\n  d\n": "s:1:4: block text (|) is not supported: write it in double quotes\ns:3:4: block text (>) is not supported: write it in double quotes",
		"a: 1\n---\nb: 2\n":       "s:2:1: a second document: want one document in a file",
		"---\na: 1\n---\n":        "s:3:1: a second document: want one document in a file",
		"a: 1\n...\nb: 2\n":       "s:3:1: a second document: want one document in a file",
	} {
		if _, err := Parse("s", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q\ngot\n%v\nwant\n%s", text, err, want)
		}
	}
}

func TestHugeNonsenseIsRefusedBeforeTheParserSeesIt(t *testing.T) {
	for piece, want := range map[string]string{
		"a:\n":     ": more than 10000 fields: want at most 1000 parameters",
		"- a: b\n": ": more than 10000 fields: want at most 1000 parameters",
		"[":        ": more than 32 collections inside each other: want parameters only",
		"{a: ":     ": more than 32 collections inside each other: want parameters only",
		"- ":       ": more than 32 collections inside each other: want parameters only",
		"[],\n":    ": syntax error: value is not allowed in this context",
		"'":        ": syntax error: could not find end character of single-quoted text",
	} {
		text := strings.Repeat(piece, 400_000/len(piece)) + "'"
		_, err := Parse("s", []byte(text))
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q again and again: %v", piece, err)
		}
	}
	if _, err := Parse("s.json", []byte(strings.Repeat("[", MaxSize))); err == nil || err.Error() != "s.json:1:10001: syntax error: invalid character '[' exceeded max depth" {
		t.Errorf("brackets: %v", err)
	}
}

func TestManyListsOneAfterTheOtherAreNotDeep(t *testing.T) {
	_, err := Parse("s", []byte("parameters:\n"+strings.Repeat("- []\n", 100)))
	if err == nil || strings.Count(err.Error(), "= a list: want an object with the fields") != 100 {
		t.Error(err)
	}
}

func TestAPanicOfTheParserIsASyntaxError(t *testing.T) {
	c := &checker{file: "s"}
	_, ok := c.contained(func() (node, bool) { panic("index\nout of range") })
	if ok || c.found.Error() != `s:1:1: syntax error: the YAML parser gave up: index\nout of range` {
		t.Errorf("%v, %v", ok, c.found)
	}
}

func TestMessagesRepeatOneShortLine(t *testing.T) {
	text := `{"parameters":"` + strings.Repeat("é", 41) + `\n"}`
	if _, err := Parse("s", []byte(text)); err.Error() != `s:1:15: parameters = "`+strings.Repeat("é", 40)+`…": want a list of parameters` {
		t.Error(err)
	}
}
