package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

const space = `{"parameters":[{"name":"lr","type":"float","low":0,"high":1},{"name":"kind","type":"categorical","choices":["a","b"]}]}`

// wishing is a body that wants a study with the random policy.
func wishing(options string) string {
	return `{"space":` + space + `,"options":{"policy":"random","seed":1` + options + `}}`
}

// served is a handler of a folder of its own, whose answers are compared with openapi.json.
type served struct {
	*Server
	t    testing.TB
	doc  map[string]any
	seen map[string]bool // method, path and status
}

func serving(t testing.TB, c Config) *served {
	t.Helper()
	c.Export = func(w io.Writer, path, format string) error {
		_, err := fmt.Fprint(w, map[string]string{"json": `{"evaluations":[]}`, "csv": "id\n", "html": "<!DOCTYPE html>"}[format])
		return err
	}
	if c.Folder == "" {
		c.Folder = t.TempDir()
	}
	s := must.Get(New(c))(t)
	t.Cleanup(func() { s.Close() })
	out := &served{Server: s, t: t, seen: map[string]bool{}}
	if err := json.Unmarshal(document, &out.doc); err != nil {
		t.Fatal(err)
	}
	return out
}

// plain is for requests beside others: what was seen is its own.
func (s *served) plain() *served {
	return &served{Server: s.Server, t: s.t, doc: s.doc, seen: map[string]bool{}}
}

// call does a request and holds its answer against the document.
func (s *served) call(method, path, body string, header ...string) (int, map[string]any) {
	s.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = "http://127.0.0.1" + path
	}
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	var out map[string]any
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if strings.HasSuffix(kind, "json") {
		if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
			s.t.Errorf("%s %s: %v: %s", method, path, err, w.Body)
		}
	}
	s.compare(r, w.Code, kind, out)
	return w.Code, out
}

// compare holds an answer against the document.
func (s *served) compare(r *http.Request, status int, kind string, body any) {
	s.t.Helper()
	_, pattern := s.mux.Handler(r)
	method, path, _ := strings.Cut(pattern, " ")
	operation, _ := at(s.doc, "paths", path, strings.ToLower(method)).(map[string]any)
	if operation == nil {
		return // a path or a method that is none: tested by itself
	}
	s.seen[fmt.Sprintf("%s %d", pattern, status)] = true
	response := at(operation, "responses", fmt.Sprint(status))
	if response == nil && slices.Contains([]int{410, 429, 500, 503}, status) {
		response = at(operation, "responses", "default")
	}
	schema := at(response, "content", kind, "schema")
	if schema == nil {
		s.t.Errorf("%s: %d with %q is not in the document", pattern, status, kind)
		return
	}
	if body.(map[string]any) != nil {
		s.fits(fmt.Sprintf("%s %d", pattern, status), schema.(map[string]any), body)
	}
}

// at returns what lies below the names.
func at(in any, names ...string) any {
	for _, name := range names {
		m, _ := in.(map[string]any)
		in = m[name]
	}
	return in
}

// fits holds a value against a schema: its type, its members, those that must be there, its items and its words.
func (s *served) fits(where string, schema map[string]any, value any) {
	s.t.Helper()
	if wrong := s.misfit(where, schema, value); wrong != "" {
		s.t.Error(wrong)
	}
}

func (s *served) misfit(where string, schema map[string]any, value any) string {
	if ref, is := schema["$ref"].(string); is {
		return s.misfit(where, at(s.doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any), value)
	}
	if several, is := schema["anyOf"].([]any); is {
		for _, one := range several {
			if s.misfit(where, one.(map[string]any), value) == "" {
				return ""
			}
		}
		return where + ": none of what it may be"
	}
	if words, is := schema["enum"].([]any); is && !slices.Contains(words, value) {
		return fmt.Sprintf("%s: %v is no word of %v", where, value, words)
	}
	is := map[string]bool{}
	switch v := value.(type) {
	case nil:
		is["null"] = true
	case bool:
		is["boolean"] = true
	case string:
		is["string"] = true
	case float64:
		is["number"], is["integer"] = true, v == float64(int64(v))
	case []any:
		is["array"] = true
		for i, item := range v {
			if wrong := s.misfit(fmt.Sprintf("%s[%d]", where, i), schema["items"].(map[string]any), item); wrong != "" {
				return wrong
			}
		}
	case map[string]any:
		is["object"] = true
		if wrong := s.misfits(where, schema, v); wrong != "" {
			return wrong
		}
	}
	if kind, _ := schema["type"].(string); !is[kind] {
		return fmt.Sprintf("%s: %v is no %v", where, value, schema["type"])
	}
	return ""
}

func (s *served) misfits(where string, schema, v map[string]any) string {
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, there := v[name.(string)]; !there {
			return where + ": no " + name.(string)
		}
	}
	for name, member := range v {
		of, known := at(schema, "properties", name).(map[string]any)
		if !known {
			of, known = schema["additionalProperties"].(map[string]any)
		}
		if !known && schema["additionalProperties"] == false {
			return where + ": " + name + " is not in the document"
		}
		if known {
			if wrong := s.misfit(where+"."+name, of, member); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

var anyWord = regexp.MustCompile(`^urn:tarry:problem:[a-z-]+$`)

// want calls and compares the status, and for a problem its type and a part of what it says.
func (s *served) want(status int, kind, part, method, path, body string, header ...string) map[string]any {
	s.t.Helper()
	got, out := s.call(method, path, body, header...)
	detail, _ := out["detail"].(string)
	problem, _ := out["type"].(string)
	if got != status || status >= 400 && (problem != "urn:tarry:problem:"+kind || !anyWord.MatchString(problem) || !strings.Contains(detail, part)) {
		s.t.Errorf("%s %s %s: %d %v, want %d %s %q", method, path, body, got, out, status, kind, part)
	}
	return out
}

// text is a value as JSON.
func text(v any) string {
	var out bytes.Buffer
	json.NewEncoder(&out).Encode(v)
	return strings.TrimSpace(out.String())
}
