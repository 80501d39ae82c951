package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/loop"
)

// fuzzed is a server of one study in memory, with three queries, of which the second has a value.
func fuzzed(t testing.TB, o tarry.Options) *Server {
	where := must.Get(spacefile.Parse("space.json", []byte(space)))(t).Space
	live := NewLive("lr", "")
	o.Policy, o.Budget, o.OnEvent = must.Get(tarry.ParsePolicy("random"))(t), 9, live.Heard
	study := must.Get(tarry.NewStudy(where, o))(t)
	live.Asked(&asktell.Server{Study: study}, loop.Config{Space: where})
	for range 3 {
		must.Get(study.Ask())(t)
	}
	if err := study.Tell(tarry.EvaluationID{Evaluation: 2, Attempt: 1}, 0.5); err != nil {
		t.Fatal(err)
	}
	s := must.Get(New(Config{Live: live, Export: func(io.Writer, string, string) error { return nil }}))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		study.Close()
	})
	return s
}

// answered does a request and holds what comes against what every answer is: below 500, JSON or what was asked for, and with violations
// where it says that the request was wrong.
func answered(t testing.TB, s *Server, r *http.Request) int {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code >= 500 {
		t.Fatalf("%s %s: %d %s", r.Method, r.URL, w.Code, w.Body)
	}
	if kind := w.Header().Get("Content-Type"); strings.Contains(kind, "json") && !json.Valid(w.Body.Bytes()) {
		t.Fatalf("%s %s: no JSON: %s", r.Method, r.URL, w.Body)
	}
	if w.Code >= 400 && w.Code != http.StatusTemporaryRedirect {
		var p problem
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Detail == "" || p.Status != w.Code || !anyWord.MatchString(p.Type) || w.Code == 400 && len(p.Violations) == 0 {
			t.Fatalf("%s %s: %d %s: %v", r.Method, r.URL, w.Code, w.Body, err)
		}
	}
	return w.Code
}

// posts are the paths that read a body, below that of a study.
var posts = []string{"/ask", "/evaluations/1/tell", "/evaluations/2/tell", "/evaluations/1/fail", "/evaluations/3/cancel", "/evaluations/1/renew", "/evaluations/2/report", "/observe", "/enqueue", "/predict", "/recommend", "/pause", "/resume"}

// FuzzBody sends arbitrary bodies to what reads one. A request that is refused as wrong changes nothing.
func FuzzBody(f *testing.F) {
	for i, body := range []string{
		`{"n":2}`, `{"value":0.5,"cost":1,"constraints":[1]}`, `{"value":NaN}`, `{"reason":"oom","lost":true}`, `{}`, `{"attempt":1}`,
		`{"x":{"lr":0.5,"kind":"a"},"value":1}`, `{"x":{"lr":0.5}}`, `{"x":{"lr":0.5,"kind":"b"}}`, `{"context":{}}`, "", "[]", `{"id":3}`, "\ufeff{}", `{"value":1}{`,
	} {
		f.Add(uint8(i), []byte(body))
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		s := fuzzed(t, tarry.Options{})
		before := s.config.Live.server.Study.Result()
		r := httptest.NewRequest("POST", "http://127.0.0.1"+lr+posts[int(which)%len(posts)], strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		status := answered(t, s, r)
		after := s.config.Live.server.Study.Result()
		before.Elapsed, after.Elapsed = 0, 0
		if status == 400 && (text(before) == "" || text(before) != text(after)) {
			t.Fatalf("%s is refused and changes\n%s\nto\n%s", body, text(before), text(after))
		}
	})
}

// FuzzWish wants arbitrary studies. One that is not refused can begin, and is no other than itself.
func FuzzWish(f *testing.F) {
	for _, body := range []string{
		wishing(""), wishing(`,"budget":5,"pending":2,"minimize":true,"timeout":"3s"`), `{"space":{}}`, `{"options":{}}`, `{}`, "null", `{"space":null,"options":null}`,
		`{"space":{"parameters":[{"name":"x","type":"int","low":1,"high":3,"log":true}],"constraints":[{"name":"c","at_most":1}]},"options":{"budget-cost":5}}`,
		`{"space":{"parameters":[{"name":"x","type":"ordered","values":[1,3],"role":"fidelity","costs":[1,3]}]},"options":{"policy":"ucb-sdf:nu=1","seed":"1"}}`,
		`{"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}]},"options":{"lease":"1h","retries":3,"window-rounds":2,"floor":null}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		w, p := wished(body)
		if p != nil {
			if p.Status != 400 || len(p.Violations) == 0 || p.Detail == "" {
				t.Fatalf("%s: %+v", body, p)
			}
			return
		}
		o := w.options
		study, err := tarry.NewStudy(w.description.Space, o)
		if err != nil {
			t.Fatalf("%s is accepted, and cannot begin: %v", body, err)
		}
		defer study.Close()
		config := w.study
		config.Space = w.description.Space
		h := &held{}
		h.header.Config = config
		if wrong := w.differs(h); len(wrong) > 0 {
			t.Fatalf("%s is another than itself: %v", body, wrong)
		}
	})
}

// FuzzPath sends requests to arbitrary paths with arbitrary query strings, keys and numbers of events. Whatever they are is answered, and
// nothing waits longer than a caller may want.
func FuzzPath(f *testing.F) {
	for _, path := range []string{lr, lr + "/ask?wait=1ms", lr + "/ask?wait=-1s", lr + "/export?format=csv", lr + "/evaluations/00001", lr + "/evaluations/-1/tell", "/v1/studies/..%2f..%2fetc", "/v2", "/metrics?name[]=a", "//", lr + "/evaluations/1e3", "/v1/studies/lr%00", lr + "/events?after=18446744073709551616"} {
		f.Add("GET", path, "k", "7")
		f.Add("POST", path, "", "")
	}
	f.Add("GET", lr+"/events?after=0", "", "1")
	f.Fuzz(func(t *testing.T, method, path, key, last string) {
		at, err := url.ParseRequestURI(path)
		if err != nil || strings.Contains(method, " ") || at.Host != "" {
			return
		}
		s := fuzzed(t, tarry.Options{})
		s.end.Do(func() { close(s.ending) }) // so that nothing waits
		r := &http.Request{Method: method, URL: at, Host: "127.0.0.1", Header: http.Header{}, Body: http.NoBody, RemoteAddr: "127.0.0.1:1"}
		r.Header.Set("Idempotency-Key", key)
		r.Header.Set("Last-Event-ID", last)
		if wait, p := waiting(r); p == nil && (wait < 0 || wait > maxWait) {
			t.Fatalf("%s waits %v", path, wait)
		}
		if begin, p := from(r, s.config.Live.held()); p == nil && !begin.ahead && last != "" && begin.seq == 0 && strings.Trim(last, "0") != "" {
			t.Fatalf("after %q is 0", last)
		}
		answered(t, s, r.WithContext(t.Context()))
	})
}

// FuzzRoles reads arbitrary files of roles. One that is accepted gives nobody without a name a role, and each role that there is.
func FuzzRoles(f *testing.F) {
	for _, text := range []string{`{"roles":[{"name":"a","role":"admin","studies":["l*"]}]}`, `{"roles":[]}`, `{"roles":[{"name":"a","role":"viewer","studies":["[a-"]}]}`, "null", "{"} {
		f.Add([]byte(text), "lr")
	}
	f.Fuzz(func(t *testing.T, text []byte, study string) {
		r, err := parseRoles(text)
		if err != nil {
			return
		}
		for name, grants := range r {
			if name == "" || len(grants) == 0 {
				t.Fatalf("%s: %q has %v", text, name, grants)
			}
			for _, g := range grants {
				if g.role.String() == "" || g.role&(g.role-1) != 0 {
					t.Fatalf("%s: %q has %v", text, name, g)
				}
				g.covers(study)
			}
		}
	})
}
