package remote

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry"
)

// hand is a worker by hand: it sends what it likes.
type hand struct {
	t    *testing.T
	c    *client
	jobs chan jobMessage
}

// byHand lets a worker join that says what the test wants it to say.
func byHand(t *testing.T, conn *nats.Conn, name, instance string, slots int) *hand {
	t.Helper()
	h := &hand{t: t, jobs: make(chan jobMessage, 100)}
	_, err := conn.Subscribe("tarry.job."+name+"."+instance, func(m *nats.Msg) {
		var j jobMessage
		if err := decode(m.Data, &j); err != nil {
			t.Error(err)
		}
		h.jobs <- j
	})
	fatal(t, err)
	h.c, err = dial(conn, "tarry", key{name, instance})
	fatal(t, err)
	var reply joinReply
	h.say("join", joinMessage{Version: Version, Slots: slots}, &reply)
	if reply.Error != "" {
		t.Fatal(reply.Error)
	}
	return h
}

// say sends a message and reads the reply.
func (h *hand) say(kind string, m any, reply replied) {
	h.t.Helper()
	if err := h.c.ask(context.Background(), kind, m, reply, 10*time.Second); err != nil {
		h.t.Fatal(err)
	}
}

// result sends a result and returns the reply.
func (h *hand) result(m resultMessage) resultReply {
	h.t.Helper()
	var reply resultReply
	h.say("result", m, &reply)
	return reply
}

// reports sends a report of a job, and wants that it is to stop or is not.
func (h *hand) reports(j jobMessage, step float64, stop bool) {
	h.t.Helper()
	var reply reportReply
	h.say("report", reportMessage{id: j.id, Step: &step, Value: &step}, &reply)
	if reply.Error != "" || reply.Stop != stop {
		h.t.Errorf("evaluation %d.%d reports step %v: %+v, want stop = %v", j.Evaluation, j.Attempt, step, reply, stop)
	}
}

func found(i id, value float64) resultMessage {
	return resultMessage{id: i, Outcome: &foundMessage{Value: &value}}
}

func TestForgedAndForeignResultsAreRefused(t *testing.T) {
	s := serve(t)
	log, logs := logged()
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour, Logger: log, Epoch: 5})
	one := start(t, hub, tarry.Options{Budget: 2, Name: "one"})
	two := start(t, hub.With("never"), tarry.Options{Budget: 1, Name: "two"})
	conn := connect(t, s)
	w := byHand(t, conn, "w", "1", 2)
	j, other := got(t, "a job", w.jobs), got(t, "another", w.jobs)
	thief := byHand(t, conn, "thief", "1", 1) // before, it might be given one of them
	for what, m := range map[string]func(m *resultMessage){
		"was not given to worker w":                     func(m *resultMessage) { m.Token = strings.Repeat("A", 22) },
		"evaluation 1.1 of study \"one\" was not given": func(m *resultMessage) { m.Token = other.Token },
		"evaluation 2.1 of study \"one\" was not given": func(m *resultMessage) { m.Evaluation = 2 },
		"evaluation 1.7 of study \"one\" is unknown":    func(m *resultMessage) { m.Attempt = 7 },
		"evaluation 99.1 of study \"one\" is unknown":   func(m *resultMessage) { m.Evaluation = 99 },
		"evaluation 1.1 of study \"two\" is unknown":    func(m *resultMessage) { m.Study = "two" },
		"epoch = 6: this hub has 5":                     func(m *resultMessage) { m.Epoch = 6 },
		"evaluation = 0: want 1 ≤ evaluation":           func(m *resultMessage) { m.Evaluation = 0 },
		"want one of outcome, failure":                  func(m *resultMessage) { m.Follows = true },
		"failure.kind = \"tired\": want failed":         func(m *resultMessage) { m.Outcome, m.Failure = nil, &failedMessage{Kind: "tired"} },
		"failure.reason: 16385 bytes: want at most": func(m *resultMessage) {
			m.Outcome, m.Failure = nil, &failedMessage{kindFailed, strings.Repeat("x", maxReason+1)}
		},
		"value = null: want a finite number":          func(m *resultMessage) { m.Outcome.Value = nil },
		"constraints = NaN: want a finite number":     func(m *resultMessage) { m.Outcome.Constraints = point{0, math.NaN()} }, // null on its way
		"study is missing":                            func(m *resultMessage) { m.Study = "" },
		"constraints = 21: want 0 ≤ constraints ≤ 20": func(m *resultMessage) { m.Outcome.Constraints = make([]float64, 21) },
	} {
		forged := found(j.id, 1000)
		m(&forged)
		if reply := w.result(forged); !strings.Contains(reply.Error, what) || reply.Fate != "" || reply.Later {
			t.Errorf("%q is not in %+v", what, reply)
		}
	}
	if reply := thief.result(found(j.id, 1000)); !strings.Contains(reply.Error, "was not given to worker thief") {
		t.Errorf("the result of another worker: %+v", reply)
	}
	if n := logs.FilterMessage("result refused").Len() + logs.FilterMessage("message refused").Len(); n != 16 {
		t.Errorf("%d lines of the log say so", n)
	}
	gone := found(j.id, 1000)
	gone.Study = "three"
	if reply := w.result(gone); !reply.Later || reply.Error != "" {
		t.Errorf("a study that is not there: %+v", reply)
	}
	if reply := w.result(found(j.id, 1)); reply.Fate != "taken" {
		t.Errorf("the true one: %+v", reply)
	}
	if reply := w.result(found(j.id, 1)); reply.Fate != "repeated" || reply.Error != "" {
		t.Errorf("the same again: %+v", reply)
	}
	if reply := w.result(found(j.id, 2)); !strings.Contains(reply.Error, "has another answer") {
		t.Errorf("another value: %+v", reply)
	}
	if reply := w.result(resultMessage{id: j.id, Failure: &failedMessage{kindInfeasible, "steep"}}); !strings.HasSuffix(reply.Error, "has another answer: 1, now infeasible") {
		t.Errorf("an infeasible point after its value: %+v", reply)
	}
	if reply := w.result(found(other.id, 2)); reply.Fate != "taken" {
		t.Errorf("the other: %+v", reply)
	}
	result, err := one.Wait()
	fatal(t, err)
	if result.Best.Value != 2 || len(two.Snapshot().Evaluations) != 0 {
		t.Errorf("best %v", result.Best)
	}
	two.Stop()
	_, err = two.Wait()
	fatal(t, err)
}

func TestMessagesThatAreNoneAreRefused(t *testing.T) {
	s := serve(t)
	log, logs := logged()
	newHub(t, connect(t, s), Options{Logger: log})
	conn := connect(t, s)
	ask := func(subject, text string) string {
		m, err := conn.Request(subject, []byte(text), 5*time.Second)
		if err != nil {
			return err.Error()
		}
		var reply struct{ Error string }
		if err := json.Unmarshal(m.Data, &reply); err != nil {
			t.Error(err)
		}
		return reply.Error
	}
	for text, want := range map[string]string{
		`{"version":1,"slots":1`:                "unexpected EOF",
		`{"version":1,"slots":1} {}`:            "something follows the object",
		`{"version":1,"slots":1,"shoes":2}`:     `unknown field "shoes"`,
		`{"version":2,"slots":1}`:               "version = 2: want 1",
		`{"version":1,"slots":-1}`:              "slots = -1: want 0 ≤ slots ≤ 1024",
		`{"version":1,"slots":1e9}`:             "slots",
		`{"version":1,"slots":1,"labels":[""]}`: "label",
		`{"version":1,"slots":1,"epoch":7}`:     "epoch = 7: this hub has 0",
		`[]`:                                    "cannot unmarshal array",
		`{"version":1,"slots":1,"study":"` + strings.Repeat("x", 300): "EOF",
		strings.Repeat(" ", maxMessage+1):                             "want at most",
	} {
		if got := ask("tarry.join.w.1", text); !strings.Contains(got, want) {
			t.Errorf("%.80s gives %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		`{"study":"s","evaluation":1,"attempt":1,"outcome":{"value":null}}`:                   "value = null: want a finite number",
		`{"study":"s","evaluation":1,"attempt":1,"outcome":{}}`:                               "value = null: want a finite number",
		`{"study":"s","evaluation":1,"attempt":1,"outcome":{"value":1,"constraints":[null]}}`: "constraints = NaN: want a finite number",
	} {
		if got := ask("tarry.result.w.1", text); !strings.Contains(got, want) {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
	if got := ask("tarry.report.w.1", `{"study":"s","evaluation":1,"attempt":1,"step":1,"value":null}`); !strings.Contains(got, "value = null: want a finite number") {
		t.Errorf("a report of nothing: %q", got)
	}
	for _, kind := range []string{"hb", "result", "report", "leave", "study"} {
		if got := ask("tarry."+kind+".w.1", "hello"); !strings.Contains(got, "invalid character") {
			t.Errorf("%s: %q", kind, got)
		}
	}
	if got := ask("tarry.join.w.ä", `{"version":1,"slots":1}`); !strings.Contains(got, "timeout") {
		t.Errorf("a name that is none was answered: %q", got)
	}
	if logs.FilterMessage("message refused").Len() < 16 {
		t.Errorf("%d lines of the log say so", logs.Len())
	}
}

// No message has a time of a clock, so that no clock of a worker matters: what may be in one is counted here.
func TestNoTimesTravel(t *testing.T) {
	clock := reflect.TypeFor[time.Time]()
	for _, m := range []any{joinMessage{}, studyMessage{}, beatMessage{}, resultMessage{}, reportMessage{}, leaveMessage{}, joinReply{}, studyReply{}, beatReply{}, resultReply{}, reportReply{}, leaveReply{}, jobMessage{}, description{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(m)) {
			if f.Type == clock {
				t.Errorf("%T has %s", m, f.Name)
			}
		}
	}
}

// What a worker is told of its deadline counts from when it hears of it.
func TestADeadlineIsHowMuchTimeIsLeft(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	run := start(t, hub, tarry.Options{Budget: 1, Timeout: time.Hour})
	w := newGated()
	employ(t, connect(t, s), Worker{Objective: w.evaluate})
	q := got(t, "an attempt", w.began)
	if left := time.Until(q.Deadline); left > time.Hour || left < 50*time.Minute {
		t.Errorf("%v are left", left)
	}
	w.values <- 1
	_, err := run.Wait()
	fatal(t, err)
}

func TestPointsTravelToTheBit(t *testing.T) {
	x := point{math.NaN(), .1, 1e-308, math.MaxFloat64, 1. / 3, math.Copysign(0, -1)}
	var back point
	fatal(t, json.Unmarshal(encode(x), &back))
	for i := range x {
		if math.Float64bits(back[i]) != math.Float64bits(x[i]) && !(math.IsNaN(x[i]) && math.IsNaN(back[i])) {
			t.Errorf("%v came as %v", x[i], back[i])
		}
	}
}

func TestTokensFollowFromWhatTheyName(t *testing.T) {
	base := token(secret, "s", [32]byte{1}, 1, 2, []float64{.5, math.NaN()}, "w")
	if base != token(secret, "s", [32]byte{1}, 1, 2, []float64{.5, math.Float64frombits(0x7ff8000000000123)}, "w") || len(base) != 22 {
		t.Errorf("the token is %q", base)
	}
	for i, other := range []string{
		token([]byte("another key of 16"), "s", [32]byte{1}, 1, 2, []float64{.5, math.NaN()}, "w"),
		token(secret, "t", [32]byte{1}, 1, 2, []float64{.5, math.NaN()}, "w"),
		token(secret, "s", [32]byte{2}, 1, 2, []float64{.5, math.NaN()}, "w"),
		token(secret, "s", [32]byte{1}, 2, 1, []float64{.5, math.NaN()}, "w"),
		token(secret, "s", [32]byte{1}, 1, 2, []float64{.25, math.NaN()}, "w"),
		token(secret, "s", [32]byte{1}, 1, 2, []float64{.5}, "w"),
		token(secret, "sw", [32]byte{1}, 1, 2, []float64{.5, math.NaN()}, ""),
	} {
		if other == base {
			t.Errorf("token %d is the same", i)
		}
	}
}

// What was given out for a study that is gone is not taken for another of its name, also where that asks for the same points.
func TestAResultForAnEarlierStudyOfTheNameIsRefused(t *testing.T) {
	s := serve(t)
	hub := newHub(t, connect(t, s), Options{Heartbeat: time.Hour})
	w := byHand(t, connect(t, s), "w", "1", 1)
	before := start(t, hub, tarry.Options{Budget: 1, Name: "same", Seed: 7})
	old := got(t, "a job", w.jobs)
	before.Stop()
	if _, err := before.Wait(); err != nil && !errors.Is(err, tarry.ErrNoValue) {
		t.Fatal(err)
	}
	eventually(t, "the study is gone", func() bool { return hub.find("same") == nil })
	now := start(t, hub, tarry.Options{Budget: 1, Name: "same", Seed: 7})
	var j jobMessage
	for j.id.Evaluation == 0 { // the old one is told to stop first
		j = got(t, "a job", w.jobs)
	}
	if !slices.Equal(j.X, old.X) || j.name() != old.name() {
		t.Fatalf("%v at %v after %v at %v: want the same attempt", j.name(), j.X, old.name(), old.X)
	}
	if reply := w.result(found(old.id, 1000)); !strings.Contains(reply.Error, "was not given to worker w") {
		t.Errorf("the result for the study before: %+v", reply)
	}
	if reply := w.result(found(j.id, 1)); reply.Fate != "taken" {
		t.Errorf("the true one: %+v", reply)
	}
	if r, err := now.Wait(); err != nil || r.Best.Value != 1 {
		t.Error(r, err)
	}
}
