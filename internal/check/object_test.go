package check

import (
	"errors"
	"testing"
)

func TestATextIsOneObject(t *testing.T) {
	for text, want := range map[string]error{
		`{"a": 1}`: nil, " {\"a\": 1} \n\n": nil,
		`{"a": 1}}`: errFollows, `{"a": 1}]`: errFollows, `{"a": 1} {"a": 2}`: errFollows, `{"a": 1} b`: errFollows, `{"a": 1},`: errFollows,
	} {
		var found struct{ A int }
		if err := Object([]byte(text), &found); !errors.Is(err, want) || want == nil && err != nil || found.A != 1 {
			t.Errorf("%q: %v, %+v", text, err, found)
		}
	}
	for _, text := range []string{"", `{"a": 1`, `{"b": 1}`, `{"a": "1"}`, `[1]`} {
		var found struct{ A int }
		if err := Object([]byte(text), &found); err == nil || errors.Is(err, errFollows) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
