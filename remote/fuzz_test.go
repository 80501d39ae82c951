package remote

import (
	"bytes"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
)

// messages returns one message of each kind, empty.
func messages() []checked {
	return []checked{
		&joinMessage{}, &studyMessage{}, &beatMessage{}, &resultMessage{}, &reportMessage{}, &leaveMessage{},
		&joinReply{}, &studyReply{}, &beatReply{}, &resultReply{}, &reportReply{}, &leaveReply{}, &jobMessage{},
	}
}

// full are messages as they travel.
func full() []any {
	i := id{Study: "s", Evaluation: 3, Attempt: 2, Token: "AAAAAAAAAAAAAAAAAAAAAA"}
	return []any{
		joinMessage{Version: Version, Epoch: 1, Slots: 8, Labels: []string{"gpu"}, Study: "s", Running: []id{i}}, studyMessage{Study: "s", From: 7},
		beatMessage{Slots: 8, Running: []id{i, i}}, resultMessage{id: i, Outcome: &foundMessage{Value: new(-1.5), Cost: 2, Constraints: []float64{0, 1}, Infeasible: true}},
		resultMessage{id: i, Failure: &failedMessage{kindLost, "gone"}}, resultMessage{id: i, Follows: true}, resultMessage{id: i, Returned: true},
		reportMessage{id: i, Step: new(1.), Value: new(2.)}, leaveMessage{Reason: "night"}, joinReply{Epoch: 9, Heartbeat: time.Second, Missed: 3}, joinReply{Error: "no"},
		studyReply{Total: 3, Part: []byte("abc")}, beatReply{Stop: []id{i.name()}, Rejoin: true}, resultReply{Fate: "taken", Later: true}, reportReply{Stop: true}, leaveReply{Epoch: math.MaxUint64},
		jobMessage{Epoch: 1, id: i, About: "0123", X: point{1, math.NaN()}, Left: time.Hour, Parent: "00-aa-bb-01"}, jobMessage{Stop: []id{i.name()}},
	}
}

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	for _, m := range full() {
		back := reflect.New(reflect.TypeOf(m)).Interface().(checked)
		if err := decode(encode(m), back); err != nil {
			t.Errorf("%T: %v", m, err)
		}
		if again := encode(reflect.ValueOf(back).Elem().Interface()); !bytes.Equal(again, encode(m)) {
			t.Errorf("%s came back as %s", encode(m), again)
		}
	}
}

// Whatever arrives, a message is refused or can be sent again as it was understood.
func FuzzDecode(f *testing.F) {
	for _, m := range full() {
		for k, kind := range messages() {
			if reflect.TypeOf(kind).Elem() == reflect.TypeOf(m) {
				f.Add(k, encode(m))
			}
		}
	}
	f.Add(0, []byte(`{"version":1,"slots":1} x`))
	f.Add(3, []byte(`{"study":"s","evaluation":1,"attempt":1,"outcome":{"value":1e999}}`))
	f.Add(12, []byte(`{"study":"s","evaluation":1,"attempt":1,"x":[null,1e308],"left":-1}`))
	f.Fuzz(func(t *testing.T, kind int, text []byte) {
		all := messages()
		m := all[((kind%len(all))+len(all))%len(all)]
		if decode(text, m) != nil {
			return
		}
		sent := encode(m)
		back := reflect.New(reflect.TypeOf(m).Elem()).Interface().(checked)
		if err := decode(sent, back); err != nil || !bytes.Equal(encode(back), sent) {
			t.Fatalf("%T: %s was taken, and sent as %s, which comes back as %s: %v", m, text, sent, encode(back), err)
		}
		if r, is := m.(*resultMessage); is {
			if a := r.answer(); a.Failed() != (r.Failure != nil) || a.Evaluation < 1 {
				t.Fatalf("%s is the answer %+v", text, a)
			}
		}
	})
}

// Whatever a hub says that a study is, it is refused, or a worker can use it.
func FuzzReadStudy(f *testing.F) {
	s, err := space.New(space.Float("x", 0, 1), space.Categorical("kind", "a", "b"), space.Float("y", 0, 1).When("kind", "a"))
	fatal(f, err)
	text, err := describe("s", "1f", loop.Config{Space: s, Constraints: []outcome.Constraint{outcome.AtMost("cost", 3)}, Minimize: true, Exclusive: true, Timeout: time.Minute})
	fatal(f, err)
	f.Add(text)
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readStudy(text, digest(text))
		if err != nil {
			return
		}
		if _, err := readStudy(text, "another"); err == nil {
			t.Fatal("another description was taken")
		}
		again, err := describe(got.Name, got.Identity, loop.Config{Space: got.Space, Constraints: got.Constraints, Minimize: got.Minimize, Exclusive: got.Exclusive, Timeout: got.Timeout})
		if err != nil {
			t.Fatal(err)
		}
		if back, err := parseStudy(again); err != nil || back.Space.Dim() != got.Space.Dim() || len(back.Constraints) != len(got.Constraints) {
			t.Fatalf("%s was taken and is %s: %v", text, again, err)
		}
		j := Job{Study: got, Evaluation: 1, Attempt: 1, X: make(space.Point, got.Space.Dim())}
		_ = j.Query()
	})
}
