package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/spacefile"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// problem is an error as RFC 9457 writes it.
type problem struct {
	Type       string          `json:"type"` // urn:tarry:problem: and a word for programs
	Title      string          `json:"title"`
	Status     int             `json:"status"`
	Detail     string          `json:"detail"`
	Violations []string        `json:"violations,omitempty"` // all that is wrong with the request
	Stands     json.RawMessage `json:"stands,omitempty"`     // the evaluation that the request contradicts
	retry      int             // seconds after which to try again; 0: not said
}

// problemEnded is the type of what comes to a study that has ended.
const problemEnded = "urn:tarry:problem:ended"

func problemOf(status int, kind, format string, args ...any) *problem {
	return &problem{Type: "urn:tarry:problem:" + kind, Title: http.StatusText(status), Status: status, Detail: fmt.Sprintf(format, args...)}
}

// invalid is a request with these violations.
func invalid(violations ...string) *problem {
	p := problemOf(http.StatusBadRequest, "invalid", "%s", strings.Join(violations, "; "))
	p.Violations = violations
	return p
}

// busy is a request for which there is no room now.
func busy(format string, args ...any) *problem {
	p := problemOf(http.StatusServiceUnavailable, "busy", format, args...)
	p.retry = 1
	return p
}

// write answers with the problem.
func (p *problem) write(w http.ResponseWriter) {
	if p.retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(p.retry))
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.Status)
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		panic("serve: a problem that is no JSON: " + err.Error())
	}
	_, _ = w.Write(out.Bytes()) // nobody is there to be told
}

// violations are the parts of an error, each on one line.
func violations(err error) []string {
	var listed spacefile.Violations
	if errors.As(err, &listed) {
		var out []string
		for _, v := range listed {
			out = append(out, v.Error())
		}
		return out
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var out []string
		for _, e := range joined.Unwrap() {
			out = append(out, violations(e)...)
		}
		return out
	}
	return []string{strings.ReplaceAll(strings.TrimPrefix(err.Error(), "tarry: "), "\n", "; ")}
}

// refused is the problem of a study that refuses.
func refused(err error) *problem {
	text := strings.ReplaceAll(err.Error(), "\n", "; ")
	switch {
	case errors.Is(err, tarry.ErrNotKept), errors.Is(err, tarry.ErrBroken):
		return problemOf(http.StatusInternalServerError, "not-kept", "nothing was acknowledged: %s", text)
	case errors.Is(err, tarry.ErrContradiction):
		return problemOf(http.StatusConflict, "contradiction", "%s", text)
	case errors.Is(err, errNotAsked):
		return problemOf(http.StatusConflict, "not-asked", "the study is %s", text)
	case errors.Is(err, asktell.ErrNotAwaited):
		return problemOf(http.StatusConflict, "not-awaited", "%s", text)
	case errors.Is(err, tarry.ErrPaused):
		return problemOf(http.StatusConflict, "paused", "the study is paused, and this process takes nothing more for it: want the one that goes on with it")
	case errors.Is(err, tarry.ErrEnded):
		return problemOf(http.StatusConflict, "ended", "%s", text)
	case errors.Is(err, tarry.ErrInvalidOption), errors.Is(err, tarry.ErrOutsideSpace):
		return invalid(violations(err)...)
	}
	return problemOf(http.StatusConflict, "refused", "%s", text)
}

// gone is the problem of a study that was open, and whose file is no longer there.
func gone(name string) *problem {
	return problemOf(http.StatusGone, "gone", "the file of study %s was taken away or exchanged while it was open", name)
}

// opening is the problem of a file that should hold a study.
func opening(name string, err error) *problem {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problemOf(http.StatusNotFound, "study", "there is no study %s", name)
	case errors.Is(err, sqlite.ErrInUse):
		p := problemOf(http.StatusConflict, "in-use", "%v", err)
		p.retry = 5
		return p
	case errors.Is(err, errNotAsked):
		return problemOf(http.StatusConflict, "not-asked", "study %s is %v", name, err)
	case errors.Is(err, sqlite.ErrForeign):
		return problemOf(http.StatusConflict, "foreign", "%v", err)
	}
	return problemOf(http.StatusInternalServerError, "study", "study %s cannot be opened: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}
