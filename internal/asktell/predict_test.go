package asktell_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"

	"github.com/tarry-bo/tarry/internal/must"
)

// modeled are the numbers of an answer that asks the model.
type modeled struct {
	Prediction     *struct{ Mean, Stddev, Noise float64 }
	Recommendation *struct {
		X                   map[string]any
		Mean, Stddev, Noise float64
	}
	Expected *struct{ Mean, Stddev float64 }
	Reason   string
	Error    string
}

func read(t *testing.T, answer string) (m modeled) {
	t.Helper()
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatal(err)
	}
	return m
}

// The model is asked at any point and at any context, in the units of the user; it costs no budget, and changes nothing. Before
// there is a model the answer says so.
func TestTheModelIsAsked(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("price", 1, 9), tarry.Float("hour", 0, 24).AsContext()))(t)
	c := dial(t, server(t, s, tarry.Options{Budget: 5, Seed: 1, Minimize: true}))
	at := `{"op":"predict","x":{"price":4,"hour":6}}`
	for _, request := range []string{at, `{"op":"recommend","context":{"hour":6}}`} {
		if got := c.do("%s", request); read(t, got).Reason != "no model to ask: fewer than 3 values have come" || !strings.Contains(got, "null") {
			t.Errorf("before there is a model: %s", got)
		}
	}
	// The best price is 3 in the morning and 7 in the evening.
	for i := range 40 {
		price, hour := 1+8*float64(i%8)/7, 24*float64(i/8)/4
		c.do(`{"op":"observe","x":{"price":%v,"hour":%v},"value":%v}`, price, hour, 100+math.Pow(price-3-4*hour/24, 2))
	}
	before := c.do(`{"op":"state"}`)
	if got := read(t, c.do("%s", at)).Prediction; got == nil || math.Abs(got.Mean-100) > 0.5 || got.Stddev <= 0 || got.Stddev > 1 || got.Noise < 0 {
		t.Errorf("predicted %+v", got)
	}
	for hour, price := range map[int]float64{0: 3, 24: 7} {
		got := read(t, c.do(`{"op":"recommend","context":{"hour":%d}}`, hour)).Recommendation
		if got == nil || math.Abs(got.X["price"].(float64)-price) > 0.3 || got.X["hour"] != float64(hour) || math.Abs(got.Mean-100) > 0.5 {
			t.Errorf("recommended at %d: %+v", hour, got)
		}
	}
	after := c.do(`{"op":"state"}`)
	if expected := read(t, after).Expected; age.ReplaceAllString(after, "") != age.ReplaceAllString(before, "") || expected == nil || math.Abs(expected.Mean-100) > 1 {
		t.Errorf("%s\nbefore\n%s", after, before)
	}
	for request, want := range map[string]string{
		`{"op":"predict"}`:                                       "x: missing: want an object with price, hour",
		`{"op":"predict","x":{"price":10,"hour":1}}`:             "x.price = 10: want a number in [1, 9]",
		`{"op":"predict","x":{"price":2}}`:                       "x.hour: missing",
		`{"op":"predict","x":{"price":2,"price":3,"hour":1}}`:    "x.price: given twice",
		`{"op":"predict","x":{"price":2,"hour":1},"value":1}`:    "value: unknown field",
		`{"op":"recommend"}`:                                     "context: missing: want an object with hour",
		`{"op":"recommend","context":{"hour":25}}`:               "context.hour = 25: want a number in [0, 24]",
		`{"op":"recommend","context":{"hour":1},"op":"predict"}`: "op: given twice",
		`{"op":"tell","id":1,"value":1,"value":2}`:               "value: given twice",
		`{"op":"recommand","context":{"hour":1}}`:                "did you mean recommend?",
	} {
		if got := read(t, c.do("%s", request)).Error; !strings.Contains(got, want) {
			t.Errorf("%s is answered %q, want %q", request, got, want)
		}
	}
	c.hangUp()
}

// Whoever does not know what to ask is told.
func TestHelpListsWhatThereIs(t *testing.T) {
	got := serve(t, server(t, exampleSpace(t), tarry.Options{Budget: 9}), `{"op":"help"}`)[0]
	for _, want := range []string{`{"op":"tell","fields":["id","value",`, `{"op":"best","fields":[],"does":"`, `{"op":"help"`, `kind: one of \"adam\"`, `layers: a whole number in 1 … 8`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
}

// Values beyond what a model can add up are no reason to end a session.
func TestValuesWithoutAModelThatCanBeSaid(t *testing.T) {
	c := dial(t, server(t, exampleSpace(t), tarry.Options{Budget: 9, Seed: 1}))
	for i := range 9 {
		c.do(`{"op":"observe","x":{"lr":%v,"layers":%d,"kind":"adam"},"value":%v}`, 0.001*float64(i+1), 1+i%4, []float64{1.79e308, 1e308, -1.6e308}[i%3])
	}
	if got := read(t, c.do(`{"op":"predict","x":{"lr":0.1,"layers":2,"kind":"adam"}}`)).Reason; !strings.Contains(got, "not finite") {
		t.Errorf("%q: these are not values beyond what can be said", got)
	}
	if got := c.do(`{"op":"recommend"}`); !strings.Contains(got, `"layers":1`) || !strings.Contains(got, `"mean":1.7`) {
		t.Errorf("%s: the best value has no noise", got)
	}
	for _, request := range []string{`{"op":"predict","x":{"lr":0.1,"layers":2,"kind":"adam"}}`, `{"op":"recommend"}`, `{"op":"state"}`, `{"op":"ask"}`} {
		if got := c.do("%s", request); strings.Contains(got, "error") {
			t.Errorf("%s: %s", request, got)
		}
	}
	c.hangUp()
}

// A point without its fidelity is one at the greatest, and names what is active there.
func TestWhatIsActiveAtTheGreatestFidelityIsMissing(t *testing.T) {
	space := must.Get(tarry.NewSpace(tarry.Float("lr", 0, 1), tarry.Ordered("epochs", 1, 3).AsFidelity(1, 3), tarry.Int("deep", 1, 8).When("epochs", 3)))(t)
	s := server(t, space, tarry.Options{Budget: 6, Seed: 1})
	for request, want := range map[string]string{
		`{"op":"predict","x":{"lr":0.5}}`:                      `{"error":"x.deep: missing: want a whole number in 1 … 8","line":1}`,
		`{"op":"observe","x":{"lr":0.5},"value":1}`:            `{"error":"x.deep: missing: want a whole number in 1 … 8","line":1}`,
		`{"op":"observe","x":{"lr":0.5,"deep":2},"value":1}`:   `{"ok":true,"id":1}`,
		`{"op":"observe","x":{"lr":0.5,"epochs":1},"value":1}`: `{"ok":true,"id":1}`,
	} {
		if got := serve(t, s, request)[0]; !strings.HasPrefix(got, want[:10]) || strings.Contains(want, "error") && got != want {
			t.Errorf("%s: %s, want %s", request, got, want)
		}
	}
}
