package journal

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// written has one event of every type with the text that it must have in every journal that this format will ever be
// read from.
var written = []struct {
	event loop.Event
	text  string
}{
	{loop.WorkerJoined{Worker: 3, Slots: 2}, `worker_joined {"worker":3,"slots":2}`},
	{loop.WorkerResized{Worker: 3}, `worker_resized {"worker":3,"slots":0}`},
	{loop.WorkerLeft{Worker: 3, Reason: "said \"bye\"\n<&>\x01 ü\\"}, `worker_left {"worker":3,"reason":"said \"bye\"\n<&>\u0001 ü\\"}`},
	{loop.WorkerLeft{Worker: 3, Reason: "\xff"}, `worker_left {"worker":3,"reason":{"base64":"/w=="}}`},
	{loop.Proposed{Ask: 7, Proposals: []policies.Proposal{{X: []float64{0.25, 1}, Forecast: &policies.Forecast{Mean: 1, Stddev: 0.5, Shift: -3, Scale: 2}}, {}}, Trouble: loop.Trouble{Jittered: 1, Lifted: 2, Merged: 3, Raised: 4}},
		`proposed {"ask":7,"proposals":[{"x":[0.25,1],"forecast":{"mean":1,"stddev":0.5,"shift":-3,"scale":2}},{}],"trouble":{"jittered":1,"lifted":2,"merged":3,"raised":4}}`},
	{loop.Proposed{Ask: 9, Proposals: []policies.Proposal{{X: []float64{0.5}, Again: true}}}, `proposed {"ask":9,"proposals":[{"x":[0.5],"again":true}]}`},
	{loop.Proposed{Ask: 8, Proposals: []policies.Proposal{}}, `proposed {"ask":8,"proposals":[]}`},
	{loop.ProposeFailed{Ask: 7, Reason: "no"}, `propose_failed {"ask":7,"reason":"no"}`},
	{loop.Fitted{Fit: 3, Hyper: []float64{1}, Noise: 0.5, LogEvidence: 1, Outliers: []int{2, 17}}, `fitted {"fit":3,"hyper":[1],"noise":0.5,"log_evidence":1,"outliers":[2,17]}`},
	{loop.Fitted{Fit: 2, Hyper: []float64{1e-7, 2}, Noise: 1e-6, LogEvidence: -12.5}, `fitted {"fit":2,"hyper":[1e-07,2],"noise":0.000001,"log_evidence":-12.5}`},
	{loop.Fitted{Fit: 4, Hyper: []float64{1}, Noise: 0.002, Doubtful: true}, `fitted {"fit":4,"hyper":[1],"noise":0.002,"log_evidence":0,"doubtful":true}`},
	{loop.Fitted{Fit: 5, Hyper: []float64{1}, Noise: 0.002, Penal: true, Penalty: -1e3}, `fitted {"fit":5,"hyper":[1],"noise":0.002,"log_evidence":0,"penal":true,"penalty":-1000}`},
	{loop.FitFailed{Fit: 2}, `fit_failed {"fit":2}`},
	{loop.FeedbackArrived{Evaluation: 5, Attempt: 1, Outcome: outcome.Of(0.1)}, `feedback_arrived {"evaluation":5,"attempt":1,"value":0.1}`},
	{loop.FeedbackArrived{Evaluation: 5, Attempt: 1, Outcome: outcome.Outcome{Value: math.Inf(-1), Cost: 1e21, Constraints: []float64{math.Inf(1), math.Copysign(0, -1)}, Infeasible: true}},
		`feedback_arrived {"evaluation":5,"attempt":1,"value":"-inf","cost":1e+21,"constraints":["inf",-0],"infeasible":true}`},
	{loop.AnswerFollows{Evaluation: 5, Attempt: 1, Retire: true}, `answer_follows {"evaluation":5,"attempt":1,"retire":true}`},
	{loop.EvaluationFailed{Evaluation: 5, Attempt: 1, Failure: outcome.Failure{Reason: "r", Verdict: outcome.Infeasible}}, `evaluation_failed {"evaluation":5,"attempt":1,"reason":"r","verdict":"infeasible"}`},
	{loop.EvaluationFailed{Evaluation: 5, Attempt: 1, Failure: outcome.Failure{Verdict: outcome.Lost}}, `evaluation_failed {"evaluation":5,"attempt":1,"verdict":"lost"}`},
	{loop.EvaluationFailed{Evaluation: 5, Attempt: 1, Failure: outcome.Failure{Verdict: -4}}, `evaluation_failed {"evaluation":5,"attempt":1,"verdict":-4}`},
	{loop.ContextArrived{Context: []float64{3}}, `context_arrived {"context":[3]}`},
	{loop.Woke{}, `woke {}`},
	{loop.StopRequested{Reason: "enough"}, `stop_requested {"reason":"enough"}`},
	{loop.WorkerFreed{Evaluation: 3, Attempt: 2}, `worker_freed {"evaluation":3,"attempt":2}`},
	{loop.LeaseRenewed{Evaluation: 5, Attempt: 2}, `lease_renewed {"evaluation":5,"attempt":2}`},
	{loop.Reported{Evaluation: 5, Attempt: 2, Step: 0.5, Value: -3}, `reported {"evaluation":5,"attempt":2,"step":0.5,"value":-3}`},
	{loop.Reported{Evaluation: 5, Attempt: 1, Step: math.Inf(1), Value: 2}, `reported {"evaluation":5,"attempt":1,"step":"inf","value":2}`},
	{loop.CancelRequested{Evaluation: 5, Reason: "r"}, `cancel_requested {"evaluation":5,"reason":"r"}`},
	{loop.ObservationArrived{X: []float64{1, 2}, Value: 3}, `observation_arrived {"x":[1,2],"value":3}`},
	{loop.QueryEnqueued{X: []float64{1, 2}}, `query_requested {"x":[1,2]}`},
	{loop.QueryEnqueued{}, `query_requested {}`},
	{loop.Resumed{}, `resumed {}`},
	{loop.BudgetSet{Budget: 200}, `budget_set {"budget":200}`},
	{loop.FeedbackArrived{Evaluation: 5, Attempt: 1, Outcome: outcome.Of(2), Told: true}, `feedback_arrived {"evaluation":5,"attempt":1,"value":2,"told":true}`},
	{loop.FeedbackArrived{Evaluation: 5, Attempt: 1, Outcome: outcome.Of(2), Suffices: true}, `feedback_arrived {"evaluation":5,"attempt":1,"value":2,"suffices":true}`},
	{loop.EvaluationFailed{Evaluation: 5, Attempt: 1, Told: true}, `evaluation_failed {"evaluation":5,"attempt":1,"verdict":"failed","told":true}`},
}

func TestEveryEventHasItsText(t *testing.T) {
	for _, w := range written {
		kind, body, err := EncodeEvent(w.event)
		if got := kind + " " + string(body); err != nil || got != w.text {
			t.Errorf("%v\n got %s\nwant %s", err, got, w.text)
			continue
		}
		back, err := DecodeEvent(kind, body)
		if err != nil || !reflect.DeepEqual(back, w.event) {
			t.Errorf("%s became %+v, %v", w.text, back, err)
		}
	}
}

// eventTypes returns the names of the types that are events, by the source of package loop.
func eventTypes(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../loop/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "apply" {
				names = append(names, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// Whoever adds an event must give it a form, and its text must be pinned above.
func TestEveryTypeOfEventHasAForm(t *testing.T) {
	want := eventTypes(t)
	if len(want) < 17 {
		t.Fatalf("found only %v", want)
	}
	var pinned, have []string
	for _, w := range written {
		pinned = append(pinned, strings.TrimPrefix(fmt.Sprintf("%T", w.event), "loop."))
	}
	for _, f := range forms {
		have = append(have, reflect.TypeOf(empty(t, f)).Name())
	}
	slices.Sort(pinned)
	slices.Sort(have)
	if pinned = slices.Compact(pinned); !slices.Equal(pinned, want) || !slices.Equal(have, want) {
		t.Errorf("events %v\nforms %v\npinned %v", want, have, pinned)
	}
}

// empty is the zero event of a form: what it reads when no member is asked for.
func empty(t *testing.T, f form) loop.Event {
	t.Helper()
	return f.read(&fields{reading: true, err: errMissing})
}

// Whoever adds a field to an event must add it to its form.
func TestEveryFieldOfEveryEventIsWritten(t *testing.T) {
	for _, f := range forms {
		v := reflect.New(reflect.TypeOf(empty(t, f))).Elem()
		for range 2 { // the zero event, then the full one
			e := v.Interface().(loop.Event)
			kind, body, err := EncodeEvent(e)
			if err != nil || kind != f.kind {
				t.Fatalf("%+v: kind %q, %v", e, kind, err)
			}
			if back, err := DecodeEvent(kind, body); err != nil || !reflect.DeepEqual(back, e) {
				t.Errorf("%#v became %#v, %v, by way of %s", e, back, err, body)
			}
			n := 0
			fill(v, &n)
		}
	}
}

func TestAnyEventComesBackToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		v := reflect.New(reflect.TypeOf(f.read(&fields{reading: true, err: errMissing}))).Elem()
		draw(t, v, v.Type().Name())
		e := v.Interface().(loop.Event)
		kind, body, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(kind, body)
		if err != nil || bits(back) != bits(e) {
			t.Fatalf("%v: %#v became %#v by way of %s", err, e, back, body)
		}
	})
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"feedback_retracted", `{}`, `unknown kind of event "feedback_retracted"`},
		{"", `{}`, "unknown kind"},
		{"woke", ``, "not JSON"},
		{"woke", `{} {}`, "not JSON"},
		{"woke", `[]`, "want an object"},
		{"woke", `null`, "want an object"},
		{"woke", `{"early":true}`, `"early" is a member that is not known`},
		{"woke", "{\"\xff\":1}", "not JSON"},
		{"lease_renewed", `{"evaluation":1}`, "attempt: missing"},
		{"lease_renewed", `{"evaluation":1,"attempt":2,"evaluation":1}`, `"evaluation" is a member that is not known or is there twice`},
		{"lease_renewed", `{"evaluation":1.5,"attempt":2}`, "evaluation: want a whole number, found 1.5"},
		{"lease_renewed", `{"evaluation":null,"attempt":2}`, "evaluation: want a whole number, found null"},
		{"lease_renewed", `{"evaluation":99999999999999999999,"attempt":2}`, "want a whole number"},
		{"lease_renewed", `{"Evaluation":1,"attempt":2}`, "evaluation: missing"},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":"NaN"}`, `value: want a number, "nan", "inf" or "-inf", found "NaN"`},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":1e999}`, "value: want a number"},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":true}`, "value: want a number"},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":1,"infeasible":"yes"}`, "infeasible: want true or false"},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":1,"constraints":{}}`, "constraints: want a list"},
		{"feedback_arrived", `{"evaluation":1,"attempt":1,"value":1,"constraints":[null]}`, "constraints: want a number"},
		{"evaluation_failed", `{"evaluation":1,"attempt":1,"verdict":"sad"}`, `verdict: want one of ["failed" "infeasible" "lost"], found "sad"`},
		{"worker_left", `{"worker":1,"reason":{"base64":"?"}}`, "reason: "},
		{"worker_left", `{"worker":1,"reason":{"base64":{"base64":""}}}`, "reason: want a string"},
		{"worker_left", `{"worker":1,"reason":["` + strings.Repeat("a", 99) + `"]}`, " …"},
		{"proposed", `{"ask":1,"proposals":[{"x":[1],"y":[2]}]}`, `proposals: "y" is a member that is not known`},
		{"proposed", `{"ask":1,"proposals":[1]}`, "proposals: want an object"},
		{"proposed", `{"ask":1,"trouble":[]}`, "trouble: want an object"},
	} {
		if e, err := DecodeEvent(c.kind, []byte(c.body)); err == nil || !strings.Contains(err.Error(), c.want) || e != nil {
			t.Errorf("%s %s became %+v, error %v, want one with %q", c.kind, c.body, e, err, c.want)
		}
	}
	if _, _, err := EncodeEvent(nil); err == nil {
		t.Error("no event was written")
	}
}

func TestBlanksAndEscapedNamesDoNotMatter(t *testing.T) {
	e, err := DecodeEvent("feedback_arrived", []byte(" {\n\t\"valu\\u0065\" : -1.5e0 , \"evaluation\":4, \"attempt\" :1,\"constraints\" : [ 1 ,2 ]\r} "))
	if want := (loop.FeedbackArrived{Evaluation: 4, Attempt: 1, Outcome: outcome.Outcome{Value: -1.5, Constraints: []float64{1, 2}}}); err != nil || !reflect.DeepEqual(e, want) {
		t.Errorf("%+v, %v", e, err)
	}
}

// A study that went through the codec record by record replays to the same digests.
func TestAStudyReplaysFromItsText(t *testing.T) {
	for _, policy := range []string{"random", "gp-bucb", "ucb-sdf"} {
		original := record(t, policy)
		text, err := EncodeHeader(original.header)
		if err != nil {
			t.Fatal(err)
		}
		h, err := DecodeHeader(text)
		if err != nil {
			t.Fatal(err)
		}
		copied := NewMemory(h)
		for _, r := range original.All() {
			kind, body, err := EncodeEvent(r.Event.Event)
			if err != nil {
				t.Fatal(err)
			}
			if r.Event.Event, err = DecodeEvent(kind, body); err != nil {
				t.Fatal(err)
			}
			if err := copied.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := Replay(copied); err != nil {
			t.Errorf("%s: %v", policy, err)
		}
	}
}

func BenchmarkEncodeFeedback(b *testing.B) {
	e := loop.Event(loop.FeedbackArrived{Evaluation: 1234, Attempt: 1, Outcome: outcome.Outcome{Value: 0.8251367, Cost: 12.5}})
	for b.Loop() {
		if _, _, err := EncodeEvent(e); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeFeedback(b *testing.B) {
	_, body, err := EncodeEvent(loop.FeedbackArrived{Evaluation: 1234, Attempt: 1, Outcome: outcome.Outcome{Value: 0.8251367, Cost: 12.5}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := DecodeEvent("feedback_arrived", body); err != nil {
			b.Fatal(err)
		}
	}
}
