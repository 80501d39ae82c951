package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

var (
	loads  = regexp.MustCompile(`(?:src|href)="([^"]*)"|from "([^"]*)"`)
	inline = regexp.MustCompile(`(?i)<style|\sstyle=|\son[a-z]+=|<script(?:>| [^>]*>[^<])|innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`)
)

// Whatever a page loads is here, nothing stands in it that its policy forbids, and texts enter it as texts.
func TestThePagesLoadFromHereAlone(t *testing.T) {
	s := serving(t, Config{Loopback: true})
	for _, path := range []string{"/", "/studies/x", "/page/list.js", "/page/study.js", "/page/charts.js", "/page/lanes.js", "/page/news.js", "/page/text.js"} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+path, nil))
		text := w.Body.String()
		if policy := w.Header().Get("Content-Security-Policy"); w.Code != 200 || strings.Contains(policy, "unsafe") || !strings.Contains(policy, "default-src 'none'") {
			t.Errorf("%s: %d, %s", path, w.Code, policy)
		}
		if bad := inline.FindString(text); bad != "" {
			t.Errorf("%s has %q", path, bad)
		}
		for _, m := range loads.FindAllStringSubmatch(text, -1) {
			to := m[1] + m[2]
			if strings.HasPrefix(to, "./") {
				to = "/page/" + to[2:]
			}
			if strings.HasPrefix(to, "#") || to == "data:," {
				continue
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost"+to, nil))
			if w.Code != 200 || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") {
				t.Errorf("%s loads %s: %d", path, to, w.Code)
			}
		}
		again := httptest.NewRequest("GET", "http://localhost"+path, nil)
		again.Header.Set("If-None-Match", w.Header().Get("ETag"))
		w = httptest.NewRecorder()
		if s.ServeHTTP(w, again); w.Code != 304 {
			t.Errorf("%s again: %d", path, w.Code)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "http://evil.example/studies/x", nil))
	if w.Code != 403 {
		t.Error("a page for another host:", w.Code)
	}
}

func TestTheLibraryIsTheOneThatWasPublished(t *testing.T) {
	note := string(must.Get(os.ReadFile("page/uplot/README.md"))(t))
	for _, name := range []string{"uPlot.iife.min.js", "uPlot.min.css"} {
		sum := sha256.Sum256(must.Get(pageFiles.ReadFile("page/uplot/" + name))(t))
		if want := "| `" + name + "` | `" + hex.EncodeToString(sum[:]) + "` |"; !strings.Contains(note, want) {
			t.Errorf("the note has no %s", want)
		}
	}
	if _, err := pageFiles.ReadFile("page/uplot/LICENSE"); err != nil {
		t.Error(err)
	}
}

// The page hears of every kind of event that a stream may have, but for those that are kept back.
func TestThePageHearsOfEveryEvent(t *testing.T) {
	script := string(must.Get(pageFiles.ReadFile("page/news.js"))(t))
	for _, e := range []loop.Event{
		loop.Proposed{}, loop.ProposeFailed{}, loop.Fitted{}, loop.FitFailed{}, loop.FeedbackArrived{}, loop.AnswerFollows{}, loop.EvaluationFailed{}, loop.Reported{},
		loop.LeaseRenewed{}, loop.CancelRequested{}, loop.ObservationArrived{}, loop.QueryEnqueued{}, loop.WorkerFreed{}, loop.BudgetSet{}, loop.Resumed{},
		loop.ContextArrived{}, loop.Woke{}, loop.StopRequested{},
	} {
		if want := `"` + portrait.KindOf(e) + `"`; !strings.Contains(script, want) {
			t.Errorf("news.js has no %s", want)
		}
	}
}

// A portrait after an event has what changed since, and all where the stride is another one.
func TestAPortraitHasWhatChanged(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	s.want(200, "", "", "POST", lr+"/ask", `{"n":5}`)
	first := s.want(200, "", "", "GET", lr+"/portrait", "")
	after := text(at(first, "standing", "events"))
	s.want(200, "", "", "POST", lr+"/evaluations/2/tell", `{"value":3}`)
	numbers := func(query string) (out []any) {
		p := s.want(200, "", "", "GET", lr+"/portrait?"+query, "")
		for _, e := range p["evaluations"].([]any) {
			out = append(out, at(e, "n"))
		}
		return out
	}
	if got := text(numbers("after=" + after + "&stride=1")); got != "[1,2,3,4,5]" { // the pending ones have aged
		t.Error(got)
	}
	s.want(200, "", "", "POST", lr+"/evaluations/4/tell", `{"value":3}`)
	after = text(at(s.want(200, "", "", "GET", lr+"/portrait", ""), "standing", "events"))
	s.want(200, "", "", "POST", lr+"/evaluations/5/tell", `{"value":3}`)
	if got := text(numbers("after=" + after + "&stride=1")); got != "[1,3,5]" {
		t.Error(got)
	}
	if got := text(numbers("after=" + after + "&stride=2")); got != "[1,2,3,4,5]" {
		t.Error(got)
	}
	if got := text(numbers("after=100000&stride=1")); got != "[1,2,3,4,5]" {
		t.Error("after an event that is none:", got)
	}
	s.want(200, "", "", "POST", lr+"/observe", `{"x":{"lr":0.1,"kind":"a"},"value":3}`)
	if got := at(s.want(200, "", "", "GET", lr+"/portrait", ""), "standing", "foreign"); got != 1.0 {
		t.Error("measured elsewhere:", got)
	}
}

// A study that another process has open is shown as its file has it, and cannot be changed.
func TestAStudyOfAnotherProcessIsShown(t *testing.T) {
	looked := 0
	s := serving(t, Config{Look: func(path string) (portrait.Study, error) {
		looked++
		l, err := loop.New(loop.Config{Space: must.Get(parsedSpace())(t), Budget: 7})
		if err == nil && looked > 5 {
			err = errors.New("no study")
		}
		return portrait.Study{Loop: l, Holder: "tarry tune", Begun: time.Now(), Command: []string{"./train.sh"}}, err
	}})
	store := must.Get(sqlite.Create(filepath.Join(s.config.Folder, "other.db")))(t)
	defer store.Close()
	study := must.Get(tarry.NewStudy(must.Get(parsedSpace())(t), tarry.Options{Budget: 7, Journal: store}))(t)
	defer study.Close()
	out := s.want(200, "", "", "GET", "/v1/studies/other/portrait", "")
	if at(out, "standing", "live") != false || at(out, "standing", "holder") != "tarry tune" || at(out, "study", "name") != "other" {
		t.Error(out)
	}
	s.want(200, "", "", "GET", "/v1/studies/other/slices", "")
	s.want(200, "", "", "GET", "/v1/studies/other/portrait", "")
	if looked != 1 {
		t.Errorf("looked %d times within two seconds", looked)
	}
	s.want(409, "in-use", "", "POST", "/v1/studies/other/ask", "")
	s.want(200, "", "", "GET", "/v1/studies/other/report", "")
	s.want(200, "", "", "GET", "/v1/studies/other/export?format=csv", "")
	if other := serving(t, Config{Folder: t.TempDir()}); other.elsewhere(opening("x", errNotAsked)) {
		t.Error("a study is shown without anything that looks at it")
	}
	// A file that has no owner is not held by who only looks: its owner may come back at any time.
	study.Close()
	store.Close()
	s.want(200, "", "", "GET", "/v1/studies/other/portrait", "")
	if again, err := sqlite.Open(filepath.Join(s.config.Folder, "other.db")); err != nil {
		t.Error(err)
	} else {
		again.Close()
	}
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.glimpses.of(name)
	}
	if len(s.glimpses.byName) != maxGlimpses || len(s.glimpses.names) != maxGlimpses {
		t.Error(s.glimpses.names)
	}
}

func parsedSpace() (out tarry.Space, err error) {
	w, p := wished([]byte(wishing("")))
	if p != nil {
		text, _ := json.Marshal(p)
		return out, errors.New(string(text))
	}
	return w.description.Space, nil
}
