package asktell_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
)

// nonsense are lines that must be answered with an error, whatever is open.
var nonsense = []string{
	"", "   ", "\t", "{", "}", "[]", "null", "7", `"ask"`, "\xff\xfe", `{"op":"tell","id":`, "{}", `{"op":"ask","n":-1}`, `{"op":"tell","id":1e9,"value":1}`,
	`{"op":"tell","id":1,"value":NaN}`, `{"op":"tell","id":1,"value":1e999}`, `{"op":"tell","id":1,"value":"1"}`, `{"op":"tell","id":1}`,
	`{"op":"fail","id":0}`, `{"op":"fail","id":1,"attempt":9}`, `{"op":"cancel","id":"1"}`, `{"op":"renew","id":999}`, `{"op":"observe","value":1}`,
	`{"op":"enqueue","x":{"lr":0.1,"layers":1,"kind":"none"}}`, `{"op":"state","op":"state"}`, `{"op":"best","tag":{"a":[1,2],"a":1},"more":1}`,
	strings.Repeat("[", 20_000), strings.Repeat("9", 70_000), `{"op":"` + strings.Repeat("x", 200_000) + `"}`,
}

// Fifty queries are pending at all times. They are answered in any order, repeated, contradicted and failed, and between
// two answers comes nonsense.
func TestFiftyPendingQueriesAndNonsense(t *testing.T) {
	store := &journal.Memory{}
	o := tarry.Options{Budget: 300, Pending: 300, Seed: 3, Retries: 2, Policy: random(t), Journal: store}
	c := dial(t, server(t, exampleSpace(t), o))
	dice := rand.New(rand.NewPCG(1, 2))
	open, told, lines := map[int]bool{}, map[int]bool{}, 0
	ask := func(n int) {
		for _, q := range field(t, c.do(`{"op":"ask","n":%d}`, n), "queries").([]any) {
			open[int(q.(map[string]any)["id"].(float64))] = true
		}
		lines++
	}
	for ask(50); len(open) > 0; lines++ {
		id := slices.Sorted(maps.Keys(open))[dice.IntN(len(open))]
		switch dice.IntN(4) {
		case 0:
			answer := c.do("%s", strings.ReplaceAll(nonsense[dice.IntN(len(nonsense))], "\n", " "))
			if got := field(t, answer, "line"); got != float64(lines+1) || field(t, answer, "error") == "" {
				t.Fatalf("nonsense in line %d: %s", lines+1, answer)
			}
		case 1:
			c.must(`{"ok":true}`, `{"op":"fail","id":%d}`, id)
			delete(open, id)
			ask(1) // the same again, or another
		case 2:
			if len(told) == 0 {
				lines--
				continue
			}
			known := slices.Sorted(maps.Keys(told))[dice.IntN(len(told))]
			c.must(`{"ok":true,"repeated":true}`, `{"op":"tell","id":%d,"value":%d}`, known, known)
			if answer := c.do(`{"op":"tell","id":%d,"value":0.5}`, known); !strings.Contains(answer, fmt.Sprintf("has value %d, now 0.5", known)) {
				t.Fatal(answer)
			}
			lines++
		default:
			c.must(`{"ok":true}`, `{"op":"tell","id":%d,"value":%d}`, id, id)
			delete(open, id)
			told[id] = true
			if len(told)+len(open) < 200 {
				ask(1)
			}
		}
	}
	if c.answers != lines {
		t.Errorf("%d answers to %d lines", c.answers, lines)
	}
	c.hangUp()
	replayed, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	if err := replayed.Check(); err != nil {
		t.Error(err)
	}
	for _, e := range replayed.Result().Evaluations {
		if e.Status.Valued() != told[e.Number] || e.Status.Valued() && e.Value != float64(e.Number) {
			t.Errorf("evaluation %d is %v with value %v", e.Number, e.Status, e.Value)
		}
	}
}

// The default policy keeps a model, and the answers are the same bytes all the same.
func TestTheSameRequestsHaveTheSameAnswers(t *testing.T) {
	var requests []string
	for k := range 12 {
		requests = append(requests, `{"op":"ask","n":2}`, fmt.Sprintf(`{"op":"tell","id":%d,"value":%v}`, 2*k+2, float64(k%5)/3), `{"op":"best"}`,
			fmt.Sprintf(`{"op":"tell","id":%d,"value":%v}`, 2*k+1, float64(k%7)/3), `{"op":"state"}`, "nonsense")
	}
	var first string
	for range 2 {
		o := tarry.Options{Budget: 30, Seed: 5}
		answers := age.ReplaceAllString(strings.Join(serve(t, server(t, exampleSpace(t), o), requests...), "\n"), "")
		if first == "" {
			first = answers
		} else if answers != first {
			t.Errorf("two sessions differ:\n%s\n%s", first, answers)
		}
	}
}

// What a client enqueues and observes comes back to the bit, through logarithms and whole numbers.
func TestPointsComeBackToTheBit(t *testing.T) {
	s, err := tarry.NewSpace(tarry.LogFloat("rate", 1e-300, 1e300), tarry.Float("shift", -1e9, 1e9), tarry.LogInt("width", 1, 1<<39),
		tarry.Int("offset", -1<<38, 1<<38), tarry.Categorical("kind", "a\"b", "é\u2028", "</script>"))
	if err != nil {
		t.Fatal(err)
	}
	inX := regexp.MustCompile(`"x":(\{[^}]*\})`)
	rapid.Check(t, func(rt *rapid.T) {
		number := rapid.OneOf(rapid.Float64Range(1e-300, 1e300), rapid.Float64Range(0.01, 100))
		x := fmt.Sprintf(`{"rate":%s,"shift":%s,"width":%d,"offset":%d,"kind":%s}`,
			encoded(number.Draw(rt, "rate")), encoded(rapid.Float64Range(-1e9, 1e9).Draw(rt, "shift")),
			rapid.Int64Range(1, 1<<39).Draw(rt, "width"), rapid.Int64Range(-1<<38, 1<<38).Draw(rt, "offset"),
			rapid.SampledFrom([]string{`"a\"b"`, `"é\u2028"`, `"</script>"`}).Draw(rt, "kind"))
		answers := serve(t, server(t, s, tarry.Options{Budget: 3, Policy: random(t)}),
			`{"op":"enqueue","x":`+x+`}`, `{"op":"ask"}`, `{"op":"state"}`, `{"op":"observe","value":1,"x":`+x+`}`, `{"op":"best"}`)
		for _, i := range []int{1, 2, 4} {
			if got := inX.FindStringSubmatch(answers[i]); got == nil || got[1] != x {
				rt.Fatalf("%s\ncame back as %s", x, answers[i])
			}
		}
	})
}

// A query of any kind, as the client reads it, is the point of an observation and of the next query, to the bit.
func TestQueriesOfEveryKindComeBackToTheBit(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("third", -1.0/3, 5).Stepped(1.0/3), tarry.Float("fine", -1, 1).Stepped(1e-7), tarry.Int("n", -7, 1<<40).Stepped(9),
		tarry.Ordered("odd", -1e300, 1e-9, 0.1, 1<<53), tarry.Bool("bias"), tarry.Categorical("one", "a"), tarry.LogFloat("fixed", 0.1, 0.1),
		tarry.Float("context", 0, 1).Stepped(0.1).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	inX := regexp.MustCompile(`"x":(\{[^}]*\})`)
	for seed := range uint64(200) {
		context := encoded(s.Parameter(7).Value(float64(seed%11) / 10))
		asked := `{"op":"ask","context":{"context":` + context + `}}`
		srv := server(t, s, tarry.Options{Budget: 3, Seed: seed, Policy: random(t)})
		x := inX.FindStringSubmatch(serve(t, srv, asked)[0])[1]
		answers := serve(t, srv, `{"op":"enqueue","x":`+x+`}`, asked, `{"op":"observe","value":1,"x":`+x+`}`, `{"op":"best"}`)
		for _, i := range []int{1, 3} {
			if got := inX.FindStringSubmatch(answers[i]); got == nil || got[1] != x {
				t.Fatalf("%s\ncame back as %s", x, answers[i])
			}
		}
	}
}

// A reason is kept as the client wrote it, and a long one is cut between two characters.
func TestReasonsAreKept(t *testing.T) {
	s := server(t, exampleSpace(t), small(t))
	serve(t, s, `{"op":"ask","n":4}`, `{"op":"fail","id":1,"infeasible":true,"reason":"does not fit"}`, `{"op":"fail","id":2,"reason":"x`+strings.Repeat("é", 1000)+`"}`,
		`{"op":"fail","id":3}`, `{"op":"cancel","id":4}`)
	for i, want := range []string{"does not fit", "x" + strings.Repeat("é", 499), "failed", "cancelled by the client"} {
		if e, _ := s.Study.Evaluation(i + 1); e.Reason != want {
			t.Errorf("evaluation %d: %q, want %q", i+1, e.Reason, want)
		}
	}
}

func TestManyNamesAreNotListed(t *testing.T) {
	var parameters []tarry.Parameter
	for k := range 25 {
		parameters = append(parameters, tarry.Float(fmt.Sprintf("p%02d", k), 0, 1))
	}
	s := must.Get(tarry.NewSpace(parameters...))(t)
	answer := serve(t, server(t, s, small(t)), `{"op":"enqueue"}`)[0]
	if !strings.Contains(answer, "want an object with p00, ") || !strings.Contains(answer, "p19, … 5 more\"") {
		t.Error(answer)
	}
	answer = serve(t, server(t, s, small(t)), `{"op":"observe","x":{},"value":1}`)[0]
	if strings.Count(answer, "missing") != 20 || !strings.Contains(answer, "; and 5 more\"") {
		t.Error(answer)
	}
}

// What state says of the forecasts is what the study says, and with a model there are some.
func TestStateSaysHowTheForecastsDid(t *testing.T) {
	policy := must.Get(tarry.ParsePolicy("ocbo"))(t)
	s := server(t, exampleSpace(t), tarry.Options{Budget: 12, Policy: policy})
	for i := range 12 {
		serve(t, s, `{"op":"ask"}`, fmt.Sprintf(`{"op":"tell","id":%d,"value":%d}`, i+1, i*i%7))
	}
	var answer struct{ Coverage tarry.Coverage }
	if err := json.Unmarshal([]byte(serve(t, s, `{"op":"state"}`)[0]), &answer); err != nil {
		t.Fatal(err)
	}
	if got, want := answer.Coverage, s.Study.Result().Coverage; got != want || got.Judged < 4 || got.Issued != got.Judged || got.Target != 0.8 {
		t.Errorf("state says %+v, the study %+v", got, want)
	}
}

// A parameter with one value need not be told.
func TestWhatIsFixedNeedNotBeTold(t *testing.T) {
	space := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.LogFloat("fixed", 0.1, 0.1), tarry.Categorical("one", "a"), tarry.Float("hour", 7, 7).AsContext()))(t)
	s := server(t, space, tarry.Options{Budget: 9})
	answers := serve(t, s, `{"op":"observe","x":{"x":0.5},"value":2}`, `{"op":"observe","x":{"x":0.25,"fixed":0.1},"value":1}`, `{"op":"observe","x":{"x":0.75,"fixed":0.2},"value":1}`,
		`{"op":"observe","x":{"fixed":0.1},"value":1}`, `{"op":"ask"}`, `{"op":"predict","x":{"x":0.3}}`)
	for i, want := range []string{`"ok":true`, `"ok":true`, "x.fixed = 0.2: want the fixed value 0.1", "x.x: missing", `"id":3`, "null"} {
		if !strings.Contains(answers[i], want) {
			t.Errorf("answer %d is %s, want %s", i+1, answers[i], want)
		}
	}
	if e, _ := s.Study.Evaluation(1); fmt.Sprint(e.X) != "[0.5 0.1 0 7]" {
		t.Errorf("observed at %v", e.X)
	}
}
