package asktell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarry-bo/tarry"
)

// Reply is what came of a request that is no line. Of its three parts one is there, but for an ask that was cut short: its Body holds
// the queries that were given out, and Err says why there are no more.
type Reply struct {
	Body    []byte   // the answer, an object; nil where the request was refused
	Wrong   []string // all that is wrong with the request, which changed nothing
	Err     error    // why the study refuses
	Queries int      // that an ask gave out
	Held    string   // what holds back further ones

	Kept tarry.Keeping // nobody may hear of the reply before its Wait has returned nil; its error is that of the study
}

// Do does one operation for a caller that has it from elsewhere than from a line, with the members of body, an object; nothing is one
// without members. An id above 0 is the evaluation that is meant, and is no member then. It is safe for concurrent use. An operation that
// does not exist is a bug, and panics. It does not wait for the journal: the caller does, by Reply.Kept.
func (s *Server) Do(ctx context.Context, op string, id int, body []byte) Reply {
	i := slices.IndexFunc(operations, func(o operation) bool { return o.name == op })
	if i < 0 {
		panic("asktell: no operation " + op)
	}
	r := &request{line: 1, operation: operations[i], fields: map[string]json.RawMessage{}}
	r.object(body, id)
	answer, err := s.perform(ctx, r) // which says what else is wrong
	switch {
	case !r.fits():
		return Reply{Wrong: r.wrong.all()}
	case answer == nil:
		return Reply{Err: err, Kept: r.kept}
	}
	reply := Reply{Err: err, Kept: r.kept}
	if q, asked := answer.(queriesAnswer); asked {
		q.Line = 0
		answer, reply.Queries, reply.Held = q, len(q.Queries), q.Held
	}
	reply.Body = encode(answer, nil)
	return reply
}

// object reads the members of a request that is no line.
func (r *request) object(body []byte, id int) {
	known := slices.Clone(r.operation.fields)
	if id > 0 {
		r.fields["id"] = json.RawMessage(strconv.Itoa(id))
		known = slices.DeleteFunc(known, func(name string) bool { return name == "id" })
	}
	text := bytes.TrimSpace(r.clean(body))
	if len(text) == 0 {
		return
	}
	patched, syntax := r.patch(text)
	switch {
	case syntax != nil:
		r.wrong.say("not JSON at column %d: %s", column(text, syntax), syntax.Error())
		return
	case shapeOf(patched) != object:
		r.wrong.add("body", shown(patched), "an object")
		return
	}
	for _, m := range r.members("", patched) {
		if !slices.Contains(known, m.name) {
			r.wrong.unknown("member", quoted(m.name), m.name, known)
			continue
		}
		r.fields[m.name] = m.value
	}
}

// all returns the violations one by one.
func (c *complaints) all() []string {
	out := slices.Clone(c.said)
	if c.more > 0 {
		out = append(out, "and "+strconv.Itoa(c.more)+" more")
	}
	return out
}

// standing is an error of a second answer, with what stands.
type standing struct{ text string }

func (e standing) Error() string { return e.text }
func (e standing) Unwrap() error { return tarry.ErrContradiction }

// ErrNotAwaited is why an attempt is not renewed: nobody waits for it any more.
var ErrNotAwaited = errors.New("nobody waits for the attempt any more")

// unawaited is ErrNotAwaited with the attempt.
type unawaited struct{ text string }

func (e unawaited) Error() string { return e.text }
func (e unawaited) Unwrap() error { return ErrNotAwaited }

// evaluated is an evaluation as it stands.
type evaluated struct {
	ID          int       `json:"id"`
	Attempt     int       `json:"attempt"` // 0: none yet
	X           point     `json:"x"`
	Status      string    `json:"status"`
	Value       *float64  `json:"value"`
	Cost        float64   `json:"cost,omitempty"`
	Constraints []float64 `json:"constraints,omitempty"`
	Reason      string    `json:"reason,omitempty"` // of the last failure
	Foreign     bool      `json:"foreign"`
	Chosen      seconds   `json:"chosen_s"` // since the study began
	Ended       *seconds  `json:"ended_s"`  // null while it is pending
}

// Evaluation returns an evaluation of the study as JSON: what was asked and what stands.
func Evaluation(s Study, e tarry.Evaluation) []byte {
	out := evaluated{
		ID: e.ID.Evaluation, Attempt: e.ID.Attempt, X: point{s.Space(), e.X}, Status: e.Status.String(), Cost: e.Cost, Constraints: e.Constraints,
		Reason: strings.ToValidUTF8(e.Reason, "\ufffd"), Foreign: e.Foreign, Chosen: inSeconds(e.Chosen),
	}
	if e.Measured {
		out.Value = &e.Value
	}
	if e.Status != tarry.Pending {
		ended := inSeconds(e.Ended)
		out.Ended = &ended
	}
	return jsonOf(out)
}

func inSeconds(d time.Duration) seconds { return seconds(d.Seconds()) }
