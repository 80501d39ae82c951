package serve

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const lr = "/v1/studies/lr"

// Every route of the document is there and every status that it names is given; every answer has the members that it names, and no other.
func TestTheDocumentAndTheHandlersAgree(t *testing.T) {
	s := serving(t, Config{Body: 4000, Loopback: true})
	s.want(200, "", "", "GET", "/v1/openapi.json", "")
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":5,"pending":2`))
	s.want(200, "", "", "PUT", lr, wishing(`,"budget":5`))
	s.want(409, "exists", "options.seed = 2: want 1", "PUT", lr, strings.Replace(wishing(""), `"seed":1`, `"seed":2`, 1))
	wrong := s.want(400, "invalid", "", "PUT", lr, wishing(`,"budget":"5","pendign":1,"timeout":3`))
	if n := len(wrong["violations"].([]any)); n != 3 {
		t.Errorf("%d violations: %v", n, wrong)
	}
	wrong = s.want(400, "invalid", "options.budget = 5.5: want a whole number", "PUT", lr, strings.Replace(wishing(`,"budget":5.5,"initial":-1,"pending":"7"`), `"random"`, `"nope"`, 1))
	for _, want := range []string{"options.initial = -1", "options.policy: policy \"nope\"", `options.pending = "7": want a whole number`, ", not text"} {
		if got := fmt.Sprint(wrong["violations"]); !strings.Contains(got, want) || strings.Count(got, ", not text") != 1 {
			t.Errorf("%q is missing in %s", want, got)
		}
	}
	s.want(413, "too-large", "4000", "PUT", lr, strings.Repeat(" ", 5000))
	s.want(415, "content-type", "text/plain", "PUT", lr, "{}", "Content-Type", "text/plain")
	s.want(200, "", "", "GET", "/v1/studies", "")
	s.want(200, "", "", "GET", "/metrics", "")
	s.want(200, "", "", "GET", "/v1/workers", "")
	s.want(200, "", "", "GET", lr+"/space", "")
	s.want(200, "", "", "POST", lr+"/enqueue", `{"x":{"lr":0.5}}`)
	s.want(200, "", "", "POST", lr+"/ask", `{"n":3}`)
	s.want(200, "", "", "GET", lr, "")
	first := lr + "/evaluations/1"
	s.want(200, "", "", "POST", first+"/renew", "")
	s.want(200, "", "", "POST", first+"/report", `{"value":0.2,"step":1}`)
	if again := s.want(200, "", "", "POST", first+"/report", `{"value":0.2,"step":1}`); again["repeated"] != true {
		t.Error("the same report again is", again)
	}
	s.want(409, "contradiction", "the first stands", "POST", first+"/report", `{"value":0.3,"step":1}`)
	s.want(400, "invalid", "step: missing", "POST", first+"/report", `{"value":0.3}`)
	s.want(200, "", "", "POST", first+"/tell", `{"value":0.5}`)
	if late := s.want(200, "", "", "POST", first+"/report", `{"value":0.2,"step":2}`); late["stop"] != true {
		t.Error("a report after the end is", late)
	}
	if again := s.want(200, "", "", "POST", first+"/tell", `{"value":0.5}`); again["repeated"] != true {
		t.Error("the same value again is", again)
	}
	if out := s.want(409, "contradiction", "now 0.6: the first stands", "POST", first+"/tell", `{"value":0.6}`); !strings.Contains(text(out["stands"]), `"value":0.5`) {
		t.Error(out)
	}
	s.want(409, "contradiction", "the first stands", "POST", first+"/fail", `{"infeasible":true}`)
	s.want(409, "not-awaited", "nobody waits", "POST", first+"/renew", "{}")
	s.want(200, "", "", "POST", lr+"/evaluations/2/cancel", "")
	s.want(200, "", "", "POST", lr+"/evaluations/2/fail", `{"reason":"oom"}`)
	s.want(200, "", "", "POST", lr+"/observe", `{"x":{"lr":0.1,"kind":"a"},"value":1}`)
	s.want(200, "", "", "POST", lr+"/observe", `{"x":{"lr":0.2,"kind":"a"},"value":1}`, "Idempotency-Key", "o")
	s.want(409, "key", "another body", "POST", lr+"/observe", `{"x":{"lr":0.2,"kind":"a"},"value":2}`, "Idempotency-Key", "o")
	for _, path := range []string{"/predict", "/recommend"} {
		s.want(200, "", "", "POST", lr+path, map[string]string{"/predict": `{"x":{"lr":0.1,"kind":"a"}}`}[path])
	}
	for _, path := range []string{"/pause", "/resume", "/resume"} {
		s.want(200, "", "", "POST", lr+path, "")
	}
	for _, path := range []string{"/best", "/export", "/export?format=csv", "/report", "/evaluations/1"} {
		s.want(200, "", "", "GET", lr+path, "")
	}
	for _, path := range []string{"/portrait", "/slices", "/portrait?after=3&stride=1"} {
		s.want(200, "", "", "GET", lr+path, "")
		s.want(404, "study", "there is no study none", "GET", "/v1/studies/none"+path, "")
	}
	s.want(400, "invalid", "after = x", "GET", lr+"/portrait?after=x", "")
	s.want(400, "invalid", "stride = -1", "GET", lr+"/portrait?stride=-1", "")
	s.want(400, "invalid", "json or csv", "GET", lr+"/export?format=xml", "")
	s.want(400, "invalid", "0s … 60s", "POST", lr+"/ask?wait=1h", "")
	for _, path := range []string{"", "/space", "/best", "/export", "/report", "/evaluations/1", "/events"} {
		s.want(404, "study", "there is no study none", "GET", "/v1/studies/none"+path, "")
	}
	s.want(404, "evaluation", "it has 4", "GET", lr+"/evaluations/77", "")
	for _, path := range []string{"/ask", "/observe", "/enqueue", "/predict", "/recommend", "/pause", "/resume", "/evaluations/1/tell", "/evaluations/1/fail", "/evaluations/1/cancel", "/evaluations/1/report", "/evaluations/1/renew"} {
		s.want(404, "study", "there is no study none", "POST", "/v1/studies/none"+path, "")
		s.want(400, "invalid", "unknown member", "POST", lr+path, `{"n0":1}`)
		s.want(415, "content-type", "application/json", "POST", lr+path, "a=b", "Content-Type", "application/x-www-form-urlencoded")
	}
	s.want(404, "evaluation", "no evaluation x", "POST", lr+"/evaluations/x/tell", "")
	s.want(400, "invalid", "after", "GET", lr+"/events?after=x", "")
	s.want(201, "", "", "PUT", "/v1/studies/one", wishing(`,"budget":1`))
	s.want(200, "", "", "POST", "/v1/studies/one/ask", "")
	s.want(200, "", "", "POST", "/v1/studies/one/evaluations/1/tell", `{"value":1}`)
	s.want(409, "ended", "ended", "POST", "/v1/studies/one/ask?wait=30s", "")
	s.want(400, "invalid", "without the quotes", "POST", first+"/tell", `{"value":"0.5"}`)
	s.want(200, "", "", "GET", lr+"/permissions", "")
	s.want(400, "invalid", "name of the study", "GET", "/v1/studies/-/permissions", "")
	s.want(400, "invalid", "options.target: unknown option, which tarry asktell alone has", "PUT", "/v1/studies/two", wishing(`,"target":1`))
	s.want(400, "invalid", "?wiat: unknown parameter of the request: did you mean wait? (want wait)", "POST", lr+"/ask?wiat=30s", "")
	for _, r := range table {
		if path := strings.NewReplacer("{study}", "lr", "{id}", "1").Replace(r.path); path != "/metrics" {
			s.want(400, "invalid", "?n0: unknown parameter", r.method, path+"?n0=1", "")
		}
		s.want(403, "host", "no name of this machine", r.method, "http://evil.example"+strings.NewReplacer("{study}", "lr", "{id}", "1").Replace(r.path), "")
	}
	for path, methods := range s.doc["paths"].(map[string]any) {
		for method, operation := range methods.(map[string]any) {
			if at(operation, "responses", "401") != nil {
				t.Errorf("%s %s: 401 is in the document, and nothing has users with passwords", method, path)
			}
			for status := range at(operation, "responses").(map[string]any) {
				if pattern := strings.ToUpper(method) + " " + path + " " + status; status != "default" && !s.seen[pattern] && pattern != "GET "+lr && !unprovoked[pattern] {
					t.Errorf("%s: in the document, and never given", pattern)
				}
			}
		}
	}
	for _, r := range table {
		if at(s.doc, "paths", r.path, strings.ToLower(r.method)) == nil {
			t.Errorf("%s %s is not in the document", r.method, r.path)
		}
	}
}

// unprovoked are answers that other tests get.
var unprovoked = map[string]bool{"GET /v1/studies/{study}/events 200": true, "GET /v1/studies/{study} 400": true, "GET /v1/studies/{study} 409": true, "POST /v1/studies/{study}/enqueue 409": true,
	"POST /v1/studies/{study}/evaluations/{id}/cancel 409": true}

// A study may be one of a list of points: others are none of its space, and another list is another study.
func TestAStudyOfAListOfPoints(t *testing.T) {
	s := serving(t, Config{Loopback: true})
	begin := func(points string) string {
		return `{"space":{"parameters":[{"name":"x","type":"float","low":0,"high":1}],"points":` + points + `},"options":{"policy":"random"}}`
	}
	s.want(400, "invalid", "points[1].x = 2: want a number in [0, 1]", "PUT", lr, begin(`[{"x":0.5},{"x":2}]`))
	s.want(201, "", "", "PUT", lr, begin(`[{"x":0.5},{"x":0.25}]`))
	s.want(409, "exists", "space: the study has other points: 2, not 1", "PUT", lr, begin(`[{"x":0.5}]`))
	s.want(400, "invalid", "none of the 2 points that the space lists", "POST", lr+"/enqueue", `{"x":{"x":0.75}}`)
	if asked := text(s.want(200, "", "", "POST", lr+"/ask", `{"n":1}`)); !strings.Contains(asked, `{"x":0.5}`) && !strings.Contains(asked, `{"x":0.25}`) {
		t.Error(asked)
	}
}

func TestWhatIsNoPathNoVersionOrNoMethodIsSaid(t *testing.T) {
	s := serving(t, Config{Loopback: true, Rate: 1000})
	s.want(404, "path", `begins with "/v2"`, "GET", "/v2/studies", "")
	s.want(404, "path", "openapi.json", "GET", "/v1/stuff", "")
	for _, path := range []string{"//v1/studies/lr", "/v1//studies/lr", lr + "//ask", "/v1/./studies", "/v1/studies/../studies", "//"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("POST", "http://127.0.0.1"+path, nil))
		if w.Code != 404 || w.Header().Get("Content-Type") != "application/problem+json" || !strings.Contains(w.Body.String(), "a part that is empty") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	s.want(405, "method", "GET or PUT", "DELETE", lr, "")
	s.want(400, "invalid", "name of the study", "GET", "/v1/studies/..%2fx", "")
	r := serving(t, Config{Rate: 1})
	r.want(200, "", "", "GET", "/v1/studies", "")
	r.want(429, "rate", "more than 1 requests", "GET", "/v1/studies", "")
	s.want(403, "origin", "another origin", "POST", lr+"/ask", "", "Sec-Fetch-Site", "cross-site")
	if !isLoopback("[::1]:80") || !isLoopback("localhost") || isLoopback("evil.example:8080") {
		t.Error("names of this machine")
	}
}

// A request that comes again with its key gets the same queries, and no others.
func TestAnAskThatIsRepeatedGivesTheSameQueries(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	first := s.want(200, "", "", "POST", lr+"/ask", "", "Idempotency-Key", "k")
	again := s.want(200, "", "", "POST", lr+"/ask", "", "Idempotency-Key", "k")
	other := s.want(200, "", "", "POST", lr+"/ask", "", "Idempotency-Key", "l")
	if text(first) != text(again) || text(first) == text(other) {
		t.Error(first, again, other)
	}
	s.want(409, "key", "was used for", "POST", lr+"/enqueue", `{"x":{"lr":0.5}}`, "Idempotency-Key", "k")
	s.want(409, "key", "another body", "POST", lr+"/ask", `{"n":2}`, "Idempotency-Key", "k")
	s.want(200, "", "", "POST", lr+"/observe", `{"x":{"lr":0.1,"kind":"a"},"value":1}`, "Idempotency-Key", "o")
	s.want(409, "key", "another body", "POST", lr+"/observe", `{"x":{"lr":0.2,"kind":"a"},"value":2}`, "Idempotency-Key", "o")
}

// Of more studies than may be open the one that nobody needed for longest is closed, and opened again with all that it knew.
func TestStudiesAreClosedAndOpenedAgain(t *testing.T) {
	s := serving(t, Config{Open: 1})
	s.want(201, "", "", "PUT", lr, wishing(""))
	asked := s.want(200, "", "", "POST", lr+"/ask", "")
	s.want(201, "", "", "PUT", "/v1/studies/two", wishing(""))
	if out := s.want(200, "", "", "GET", lr, ""); len(out["pending"].([]any)) != 1 {
		t.Error(asked, out)
	}
	s.want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":3}`)
	if err := os.Remove(filepath.Join(s.config.Folder, "lr.db")); err != nil {
		t.Fatal(err)
	}
	s.want(410, "gone", "taken away", "POST", lr+"/evaluations/1/tell", `{"value":3}`)
	s.want(404, "study", "there is no study", "GET", lr, "")
}

// The budget of a study is the one that it has now, whatever it began with.
func TestAStudyIsFoundByItsBudgetOfNow(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":1`))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	store := must.Get(sqlite.Open(filepath.Join(s.config.Folder, "lr.db")))(t)
	study := must.Get(tarry.ResumeStudy(store, tarry.Options{Budget: 8}))(t)
	if err := errors.Join(study.Stop(), store.Close()); err != nil {
		t.Fatal(err)
	}
	s = serving(t, Config{Folder: s.config.Folder})
	s.want(200, "", "", "PUT", lr, wishing(`,"budget":8`))
	s.want(409, "exists", "options.budget = 1: want 8, as the study has it", "PUT", lr, wishing(`,"budget":1`))
}

func TestASecondServerOfAFolderIsRefused(t *testing.T) {
	s := serving(t, Config{})
	if _, err := New(s.config); !errors.Is(err, ErrInUse) {
		t.Error(err)
	}
}

// What is listed is there, or is said to be broken. A file without a byte holds no study, unless something beside it says that it did.
func TestWhatIsListedIsThere(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	for name, text := range map[string]string{"blank.db": "", "text.db": "no study", "lost.db": "", "lost.db-wal": strings.Repeat("x", 100)} {
		if err := os.WriteFile(filepath.Join(s.config.Folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("lr.db", filepath.Join(s.config.Folder, "link.db")); err != nil {
		t.Fatal(err)
	}
	if out := text(s.want(200, "", "", "GET", "/v1/studies", "")["studies"]); out != `[{"name":"link"},{"name":"lost"},{"name":"lr"},{"name":"text"}]` {
		t.Error("listed are", out)
	}
	s.want(409, "in-use", "", "GET", "/v1/studies/link", "")
	s.want(409, "foreign", "it is no SQLite database", "GET", "/v1/studies/text", "")
	s.want(500, "study", "has not a byte", "GET", "/v1/studies/lost", "")
	s.want(404, "study", "there is no study blank", "GET", "/v1/studies/blank", "")
	s.want(201, "", "", "PUT", "/v1/studies/blank", wishing(""))
	if out := text(s.want(200, "", "", "GET", "/v1/studies", "")["studies"]); !strings.Contains(out, `{"name":"blank"}`) {
		t.Error("what began is not listed:", out)
	}
}
