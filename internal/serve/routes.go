package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/spacefile"
)

//go:embed openapi.json
var document []byte

// answer is what a request gets where nothing is wrong.
type answer struct {
	status int    // 0: 200
	kind   string // of the body; empty: JSON
	body   []byte
	kept   tarry.Keeping // what it waits for
}

// route is a path with a method, who may go there besides an admin, and what answers.
type route struct {
	method, path string
	may          role
	do           func(s *Server, r *http.Request, body []byte) (answer, *problem)
}

const (
	studyPath      = "/v1/studies/{study}"
	evaluationPath = studyPath + "/evaluations/{id}"
)

// table are all routes; that of the events streams. A further operation of a study, such as a report on an evaluation that goes on, is
// one line here, one path in openapi.json, and one line in the table of docs/http.md.
var table = []route{
	{"GET", "/v1/openapi.json", anybody, (*Server).openapi},
	{"GET", "/metrics", viewer | asker, (*Server).metrics},
	{"GET", "/v1/workers", viewer | asker, (*Server).workers},
	{"GET", "/v1/studies", anybody, (*Server).list},
	{"PUT", studyPath, asker, (*Server).create},
	{"GET", studyPath, anybody, operation("state")},
	{"GET", studyPath + "/space", anybody, (*Server).space},
	{"GET", studyPath + "/permissions", anybody, (*Server).permissions},
	{"POST", studyPath + "/ask", worker | asker, (*Server).ask},
	{"POST", studyPath + "/observe", asker, operation("observe")},
	{"POST", studyPath + "/enqueue", asker, operation("enqueue")},
	{"POST", studyPath + "/predict", viewer | asker, operation("predict")},
	{"POST", studyPath + "/recommend", viewer | asker, operation("recommend")},
	{"POST", studyPath + "/pause", nobody, pause(true)},
	{"POST", studyPath + "/resume", nobody, pause(false)},
	{"GET", studyPath + "/best", viewer | asker, operation("best")},
	{"GET", studyPath + "/export", viewer | asker, (*Server).export},
	{"GET", studyPath + "/report", viewer | asker, (*Server).report},
	{"GET", studyPath + "/portrait", viewer | asker, (*Server).portrait},
	{"GET", studyPath + "/slices", viewer | asker, (*Server).slices},
	{"GET", studyPath + "/events", anybody, nil},
	{"GET", evaluationPath, anybody, (*Server).evaluation},
	{"POST", evaluationPath + "/tell", worker | asker, operation("tell")},
	{"POST", evaluationPath + "/fail", worker | asker, operation("fail")},
	{"POST", evaluationPath + "/cancel", asker, operation("cancel")},
	{"POST", evaluationPath + "/report", worker | asker, operation("report")},
	{"POST", evaluationPath + "/renew", worker | asker, operation("renew")},
}

// queries are what may follow the question mark, by the path of a route; nothing elsewhere.
var queries = map[string][]string{
	studyPath + "/ask": {"wait"}, studyPath + "/export": {"format"}, studyPath + "/portrait": {"after", "stride"}, studyPath + "/events": {"after"},
}

// unasked says what follows the question mark that the route does not know; nil: nothing. Metrics are asked for by programs that say more than they need.
func unasked(r *http.Request, to route) *problem {
	var wrong []string
	for name := range r.URL.Query() {
		if slices.Contains(queries[to.path], name) || to.path == "/metrics" {
			continue
		}
		hint, want := "", "none"
		if meant := check.Meant(name, queries[to.path]); meant != "" {
			hint = ": did you mean " + meant + "?"
		}
		if known := queries[to.path]; known != nil {
			want = strings.Join(known, ", ")
		}
		wrong = append(wrong, fmt.Sprintf("?%s: unknown parameter of the request%s (want %s)", shortened(name), hint, want))
	}
	if wrong == nil {
		return nil
	}
	slices.Sort(wrong)
	return invalid(wrong...)
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, one := range table {
		s.routeOf[one.method+" "+one.path] = one
		mux.HandleFunc(one.method+" "+one.path, func(w http.ResponseWriter, r *http.Request) { s.enter(w, r, one) })
	}
	for path, page := range pages {
		mux.HandleFunc("GET "+path, s.among(page))
	}
	mux.HandleFunc("/", s.among(s.unmatched))
	return mux
}

// enter lets in who may do what the route does, where there is a place for him.
func (s *Server) enter(plain http.ResponseWriter, r *http.Request, to route) {
	w, begun := &noted{plain, http.StatusOK}, time.Now()
	defer func() { s.config.Metrics.took(to, w.status, begun) }()
	place := s.places(to)
	if p := place.enter(); p != nil {
		p.write(w)
		return
	}
	defer place.leave()
	p := s.permit(r, to)
	if p == nil {
		p = unasked(r, to)
	}
	switch {
	case p != nil:
		p.write(w)
	case to.do == nil:
		s.events(w, r, to)
	default:
		s.respond(w, r, to)
	}
}

// respond reads the body, does what the route does, and answers.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, to route) {
	body, p := read(r)
	control := http.NewResponseController(w)
	var a answer
	if p == nil { // else what did not come must not be waited for, as the library does before it answers
		_ = control.SetReadDeadline(time.Time{}) // all is read: a policy may think for long
		a, p = to.do(s, r, body)
	}
	_ = control.SetWriteDeadline(time.Now().Add(writeTime))
	if p != nil {
		p.write(w)
		return
	}
	if a.kind == "" {
		a.kind = "application/json"
	}
	w.Header().Set("Content-Type", a.kind)
	if a.status != 0 {
		w.WriteHeader(a.status)
	}
	_, _ = w.Write(a.body)
}

// read returns the body, which may be empty.
func read(r *http.Request) ([]byte, *problem) {
	body, err := io.ReadAll(r.Body)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, problemOf(http.StatusRequestEntityTooLarge, "too-large", "the body is longer than %d bytes", large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, problemOf(http.StatusRequestTimeout, "slow", "the body did not come within %v", readTime)
	case err != nil:
		return nil, invalid("body: " + err.Error())
	}
	return body, notJSON(r, body)
}

func (s *Server) openapi(*http.Request, []byte) (answer, *problem) {
	return answer{body: document}, nil
}

// list names the studies of the folder in which the caller has a role, those that are open and those that are not.
func (s *Server) list(r *http.Request, _ []byte) (answer, *problem) {
	names, err := s.names()
	if err != nil {
		return answer{}, problemOf(http.StatusInternalServerError, "folder", "the folder of studies cannot be read: %v", err)
	}
	type entry struct {
		Name string `json:"name"`
	}
	out := struct {
		Studies []entry `json:"studies"`
	}{[]entry{}}
	for _, name := range names {
		if s.sees(r, name) {
			out.Studies = append(out.Studies, entry{name})
		}
	}
	body, err := json.Marshal(out)
	if err != nil {
		panic("serve: " + err.Error())
	}
	return answer{body: body}, nil
}

// names are those of all studies.
func (s *Server) names() ([]string, error) {
	if l := s.config.Live; l != nil {
		return []string{l.name}, nil
	}
	entries, err := os.ReadDir(s.config.Folder)
	var out []string
	for _, e := range entries {
		if name, is := strings.CutSuffix(e.Name(), extension); is && isStudyName(name) && holds(s.fileOf(name)) {
			out = append(out, name)
		}
	}
	return out, err
}

// on returns the study that a path names, open, for somebody who releases it.
func (s *Server) on(r *http.Request) (*held, *problem) {
	h, _, p := s.shelf.get(r.PathValue("study"), way{open: s.resume})
	return h, p
}

// numbered returns the evaluation that a path names, 0 where it names none.
func numbered(r *http.Request, h *held) (tarry.Evaluation, int, *problem) {
	text := r.PathValue("id")
	if text == "" {
		return tarry.Evaluation{}, 0, nil
	}
	number, err := strconv.Atoi(text)
	e, there := h.study.Evaluation(number)
	if err != nil || !there {
		return e, 0, problemOf(http.StatusNotFound, "evaluation", "study %s has no evaluation %s: it has %d, numbered from 1", h.name, shortened(text), h.study.Evaluations())
	}
	return e, number, nil
}

// operation answers as asktell does.
func operation(op string) func(*Server, *http.Request, []byte) (answer, *problem) {
	return func(s *Server, r *http.Request, body []byte) (answer, *problem) {
		h, p := s.on(r)
		if p != nil {
			return answer{}, p
		}
		defer s.shelf.release(h)
		_, id, p := numbered(r, h)
		if p != nil {
			return answer{}, p
		}
		do := func() (answer, *problem) { return s.do(r, h, op, id, body) }
		if op == "observe" || op == "enqueue" {
			a, p := s.once(r, h, body, do)
			return s.settled(h, a, p)
		}
		a, p := do()
		return s.settled(h, a, p)
	}
}

// settled waits until what an answer says is kept, while others ask and tell.
func (s *Server) settled(h *held, a answer, p *problem) (answer, *problem) {
	if p != nil {
		return a, p
	}
	if err := a.kept.Wait(); err != nil {
		s.shelf.broken(h)
		return answer{}, refused(err)
	}
	return a, nil
}

// do does an operation and turns its reply into an answer.
func (s *Server) do(r *http.Request, h *held, op string, id int, body []byte) (answer, *problem) {
	reply := h.server.Do(r.Context(), op, id, body)
	return s.replied(h, id, reply)
}

// replied is the answer of a reply, which is settled later; a refusal is settled already.
func (s *Server) replied(h *held, id int, reply asktell.Reply) (answer, *problem) {
	if reply.Body == nil {
		if lost := reply.Kept.Wait(); lost != nil {
			reply.Err = lost
		}
	}
	if errors.Is(reply.Err, tarry.ErrNotKept) || errors.Is(reply.Err, tarry.ErrBroken) {
		s.shelf.broken(h)
	}
	switch {
	case reply.Wrong != nil:
		return answer{}, invalid(reply.Wrong...)
	case reply.Body == nil:
		p := refused(reply.Err)
		if p.Type == problemEnded {
			p.Detail += ": " + h.study.Result().Reason
		}
		if e, there := h.study.Evaluation(id); there && p.Status == http.StatusConflict {
			p.Stands = asktell.Evaluation(h.study, e)
		}
		return answer{}, p
	}
	return answer{body: reply.Body, kept: reply.Kept}, nil
}

func (s *Server) evaluation(r *http.Request, _ []byte) (answer, *problem) {
	h, p := s.on(r)
	if p != nil {
		return answer{}, p
	}
	defer s.shelf.release(h)
	e, _, p := numbered(r, h)
	if p != nil {
		return answer{}, p
	}
	return answer{body: asktell.Evaluation(h.study, e)}, nil
}

func (s *Server) space(r *http.Request, _ []byte) (answer, *problem) {
	h, p := s.on(r)
	if p != nil {
		return answer{}, p
	}
	defer s.shelf.release(h)
	return answer{body: spacefile.Format(h.study.Space())}, nil
}

// formats of an export, with the kinds of their bodies.
var formats = map[string]string{"json": "application/json", "csv": "text/csv; charset=utf-8"}

func (s *Server) export(r *http.Request, _ []byte) (answer, *problem) {
	format := r.URL.Query().Get("format")
	if format == "" {
		format = "json"
	}
	kind, known := formats[format]
	if !known {
		return answer{}, invalid("format = " + shortened(format) + ": want json or csv")
	}
	return s.written(r, format, kind)
}

// report is the study as a page for people. It may neither load nor run anything, whatever a user wrote into the study.
func (s *Server) report(r *http.Request, _ []byte) (answer, *problem) {
	return s.written(r, "html", "text/html; charset=utf-8")
}

// written is the study as Config.Export writes it, one at a time; also one that cannot be opened here.
func (s *Server) written(r *http.Request, format, kind string) (answer, *problem) {
	name := r.PathValue("study")
	h, p := s.on(r)
	if p == nil {
		defer s.shelf.release(h)
	} else if !s.elsewhere(p) {
		return answer{}, p
	}
	path := s.fileOf(name)
	if path == "" {
		return answer{}, problemOf(http.StatusConflict, "refused", "study %s is in no file, so that there is nothing to export", name)
	}
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	case <-r.Context().Done():
		return answer{}, busy("the caller has gone")
	}
	var out bytes.Buffer
	if err := s.config.Export(&out, path, format); err != nil {
		return answer{}, opening(name, err)
	}
	return answer{kind: kind, body: out.Bytes()}, nil
}
