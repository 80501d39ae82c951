package asktell_test

import (
	"strings"
	"testing"
)

func TestReportsAreAnsweredByWhatBecameOfThem(t *testing.T) {
	o := small(t)
	o.Budget, o.Pending, o.Initial, o.StopEarly = 20, 20, 20, 0.1
	c := dial(t, server(t, exampleSpace(t), o))
	c.do(`{"op":"ask","n":10}`)
	c.must(`{"ok":true}`, `{"op":"report","id":1,"value":0.5,"step":1}`)
	c.must(`{"ok":true,"repeated":true}`, `{"op":"report","id":1,"value":0.5,"step":1,"attempt":1}`)
	c.must(`{"ok":true}`, `{"op":"report","id":1,"value":0.6,"step":2.5}`)
	c.must(`{"ok":true,"stale":true}`, `{"op":"report","id":1,"value":0.5,"step":2}`)
	c.must(`{"error":"evaluation 1 reported another value than 0.7 at step 2.5: the first stands","line":6}`, `{"op":"report","id":1,"value":0.7,"step":2.5}`)
	for _, wrong := range []string{
		`{"op":"report","id":1,"value":0.7}`, `{"op":"report","id":1,"step":3}`, `{"op":"report","id":1,"value":NaN,"step":3}`,
		`{"op":"report","id":1,"value":1e999,"step":3}`, `{"op":"report","id":99,"value":1,"step":3}`, `{"op":"report","value":1,"step":3}`,
		`{"op":"report","id":1,"value":1,"step":3,"attempt":2}`, `{"op":"report","id":1,"value":1,"step":3,"cost":2}`,
	} {
		if answer := c.do("%s", wrong); !strings.HasPrefix(answer, `{"error":`) {
			t.Errorf("%s: %s", wrong, answer)
		}
	}
	for id := 1; id <= 8; id++ {
		c.do(`{"op":"report","id":%d,"value":%v,"step":3}`, id, float64(id)/10)
		c.must(`{"ok":true}`, `{"op":"tell","id":%d,"value":%v}`, id, float64(id)/5)
	}
	c.must(`{"ok":true,"stop":true}`, `{"op":"report","id":1,"value":0.5,"step":9}`)
	c.must(`{"ok":true}`, `{"op":"report","id":9,"value":0.9,"step":3}`)
	c.must(`{"ok":true,"stop":true}`, `{"op":"report","id":9,"value":-1,"step":4}`)
	c.must(`{"ok":true,"stop":true}`, `{"op":"report","id":9,"value":-1,"step":5}`)
	if state := c.do(`{"op":"state"}`); !strings.Contains(state, `"infeasible":0,"stopped":1}`) {
		t.Errorf("state %s", state)
	}
	c.must(`{"ok":true,"late":true}`, `{"op":"tell","id":9,"value":3}`)
	c.hangUp()
}
