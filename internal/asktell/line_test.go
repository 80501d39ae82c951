package asktell_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/internal/must"
)

// padded is a request of so many bytes.
func padded(size int) string {
	const request = `{"op":"ask"}`
	return request + strings.Repeat(" ", size-len(request))
}

func TestLongLines(t *testing.T) {
	if raced {
		t.Skip("it takes a minute with the race detector: go test ./internal/asktell")
	}
	s := server(t, exampleSpace(t), small(t))
	answers := serve(t, s, padded(asktell.MaxLine), padded(asktell.MaxLine+1), strings.Repeat("x", 3*asktell.MaxLine), `{"op":"ask"}`)
	for i, want := range []string{`"id":1`, "longer than 16 MiB", "longer than 16 MiB", `"id":2`} {
		if !strings.Contains(answers[i], want) {
			t.Errorf("line %d is answered %.100s, want %s", i+1, answers[i], want)
		}
	}
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(padded(asktell.MaxLine+1)), &out); err != nil {
		t.Error(err)
	}
	if last := answersIn(t, out.String(), 1)[0]; !strings.Contains(last, "longer") {
		t.Errorf("a long line without an end is answered %s", last)
	}
}

func TestTagsComeBack(t *testing.T) {
	for _, c := range []struct{ request, tag string }{
		{`{"op":"best","tag":1e999}`, `1e999`},
		{`{"tag":12345678901234567890,"op":"best"}`, `12345678901234567890`},
		{`{"op":"best","tag":null}`, `null`},
		{`{"op":"best","tag":""}`, `""`},
		{"{\"op\":\"best\",\"tag\":{\"a\" :\r\t[1 , 2],\"a\":\"<&>\"}}", `{"a":[1,2],"a":"<&>"}`},
		{`{"op":"best","tag":"\ud800\u0000"}`, `"\ud800\u0000"`},
		{"{\"op\":\"best\",\"tag\":\"a\u2028b\u2029\"}", `"a\u2028b\u2029"`},
		{`{"op":"nothing","tag":7}`, `7`},
		{`{"tag":7,"tag":8}`, `7`},
		{`{"op":"tell","id":1,"value":NaN,"tag":[ 7 ]}`, `[7]`},
		{"{\"op\":\"best\xff\",\"tag\":7}", `7`},
		{"{\"op\":\"best\",\"tag\":\"\xff\"}", "\"\ufffd\""},
		{`{"op":"best","tag":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}`, strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)},
	} {
		answer := serve(t, server(t, exampleSpace(t), small(t)), c.request)[0]
		if !strings.HasSuffix(answer, `,"tag":`+c.tag+"}") {
			t.Errorf("%.80q is answered %.200s", c.request, answer)
		}
	}
	for _, request := range []string{`{"op":"best","tag":NaN}`, `{"op":"best","tag":[1,-Infinity]}`, `{"op":"best","tag":{"a":NaN },"x":1}`, `{"op":"best"}`} {
		if answer := serve(t, server(t, exampleSpace(t), small(t)), request)[0]; strings.Contains(answer, "tag\":") {
			t.Errorf("%s is answered %s", request, answer)
		}
	}
}

func TestPlacesAreInCharacters(t *testing.T) {
	for request, want := range map[string]string{
		"{\"op\":\"é\xff\"}":          "column 9: byte 0xff is not UTF-8",
		"{\"ä\":x}":                   "not JSON at column 6: invalid character 'x'",
		"{\"ä\":":                     "not JSON at column 6: unexpected end",
		"{\"ä\":\"":                   "not JSON at column 7: unexpected end",
		"{\"ä\":[Infinity,NaN,oh]}":   "column 7: Infinity is not JSON: want a finite number; an evaluation without one has failed; column 16: NaN",
		"{\"op\":\"ask\",\"n\":1NaN}": "column 18: NaN is not JSON",
		strings.Repeat("[", 10_001):   "not JSON at column 10001: invalid character '[' exceeded max depth",
	} {
		answer := serve(t, server(t, exampleSpace(t), small(t)), request)[0]
		if got, _ := field(t, answer, "error").(string); !strings.HasPrefix(got, want) || !utf8.ValidString(answer) {
			t.Errorf("%.60q is answered %s, want %s", request, answer, want)
		}
	}
}

// However much is wrong, the message stays short and comes soon.
func TestMessagesStayShort(t *testing.T) {
	many := func(format string) string {
		var b strings.Builder
		for k := range 50_000 {
			if b.WriteString(fmt.Sprintf(format, k)); k < 49_999 {
				b.WriteByte(',')
			}
		}
		return b.String()
	}
	choices := make([]string, 4000)
	for i := range choices {
		choices[i] = fmt.Sprintf("choice %d of many, and with a name that goes on and on", i)
	}
	s := must.Get(tarry.NewSpace(tarry.Categorical("kind", choices...)))(t)
	for _, request := range []string{
		`{"op":"ask",` + many(`"field%d":1`) + `}`,
		`{"op":"enqueue","x":{` + many(`"kin%d":1`) + `}}`,
		`{"op":"enqueue","x":{` + many(`"kind":%d`) + `}}`,
		`{"op":"enqueue","x":{"kind":"choice"}}`,
		`{"op":"tell","constraints":[` + many(`"%d"`) + `]}`,
		`{"op":"tell","value":[` + many(`NaN`) + `]}`,
		`{"op":"` + strings.Repeat("é", 100_000) + `","` + strings.Repeat("ü", 100_000) + `":1}`,
	} {
		answer := serve(t, server(t, s, small(t)), request)[0]
		if len(answer) > 20_000 || !utf8.ValidString(answer) || field(t, answer, "error") == nil {
			t.Errorf("%.60s is answered with %d bytes: %.300s", request, len(answer), answer)
		}
	}
}

func TestListedPointsOnly(t *testing.T) {
	s := must.Get(tarry.NewList([]tarry.Point{{1, 0}, {2, 1}, {0.1, 1}}, tarry.Float("price", 0, 9), tarry.Categorical("shelf", "top", "low"), tarry.Int("day", 1, 7).AsContext()))(t)
	c := dial(t, server(t, s, small(t)))
	c.must(`{"error":"x: none of the 3 points that the space lists","line":1}`, `{"op":"enqueue","x":{"price":1,"shelf":"low"}}`)
	c.must(`{"error":"x: none of the 3 points that the space lists","line":2}`, `{"op":"observe","x":{"price":1,"shelf":"low","day":3},"value":1}`)
	c.must(`{"ok":true}`, `{"op":"enqueue","x":{"price":0.1,"shelf":"low"}}`)
	c.must(`{"queries":[{"id":1,"x":{"price":0.1,"shelf":"low","day":7}}]}`, `{"op":"ask","context":{"day":7.0}}`)
	c.must(`{"ok":true,"id":2}`, `{"op":"observe","x":{"price":2,"shelf":"low","day":3},"value":1}`)
	c.must(`{"ok":true}`, `{"op":"enqueue","x":{"shelf":"top"}}`) // what is left open is that of a point with these values
	c.must(`{"queries":[{"id":3,"x":{"price":1,"shelf":"top","day":2}}]}`, `{"op":"ask","context":{"day":2}}`)
	c.must(`{"error":"x: none of the 3 points that the space lists","line":8}`, `{"op":"enqueue","x":{"price":0.3}}`)
	c.hangUp()
}

// A byte order mark may stand before the first line, as before those of files, and before no other.
func TestAByteOrderMarkIsPassedOver(t *testing.T) {
	answers := serve(t, server(t, exampleSpace(t), small(t)), "\ufeff"+`{"op":"ask"}`, "\ufeff"+`{"op":"ask"}`)
	if !strings.Contains(answers[0], `"id":1`) || !strings.Contains(answers[1], `"error"`) {
		t.Errorf("%s", answers)
	}
}
