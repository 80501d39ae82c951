package loop

import (
	"encoding/json"
	"testing"
)

func TestAStatusIsItsNameInJSON(t *testing.T) {
	for _, want := range Statuses() {
		text, err := json.Marshal(want)
		if err != nil || string(text) != `"`+want.String()+`"` {
			t.Errorf("%v is %s, %v", want, text, err)
		}
		got := Status(-1)
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%s is read as %v, %v", text, got, err)
		}
	}
	if text, err := json.Marshal(Status(99)); err == nil {
		t.Errorf("a status that does not exist is %s", text)
	}
	var s Status
	if err := json.Unmarshal([]byte(`"done"`), &s); err == nil {
		t.Errorf("%q is read as %v", "done", s)
	}
}
