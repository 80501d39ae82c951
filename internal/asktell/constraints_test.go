package asktell_test

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
)

func TestASessionWithConstraints(t *testing.T) {
	where := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	s := server(t, where, tarry.Options{Budget: 9, Initial: 5, Constraints: []tarry.Constraint{tarry.AtMost("latency", 0.2), tarry.AtLeast("recall", 0.5)}})
	for _, c := range []struct{ request, want string }{
		{`{"op":"ask","n":5}`, `"id":5`},
		{`{"op":"tell","id":1,"value":3}`, `constraints: missing: want an object with a number for each of latency, recall`},
		{`{"op":"tell","id":1,"value":3,"constraints":[0.1,0.6]}`, `want an object with a number for each of latency, recall`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"latency":0.1,"recal":0.6}}`,
			`constraints.recal: unknown constraint: did you mean recall? (want latency, recall); constraints.recall: missing: want a finite number, with every value`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"latency":"fast","recall":0.6}}`, `constraints.latency = \"fast\": want a finite number`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"latency":NaN,"recall":0.6}}`, `NaN is not JSON`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"latency":0.1,"latency":0.2,"recall":0.6}}`, `constraints.latency: given twice`},
		{`{"op":"best"}`, `{"best":null}`}, // nothing was taken so far
		{`{"op":"tell","id":1,"value":3,"constraints":{"recall":0.6,"latency":0.1}}`, `{"ok":true}`},
		{`{"op":"tell","id":2,"value":8,"constraints":{"latency":0.3,"recall":0.9}}`, `{"ok":true}`},
		{`{"op":"tell","id":3,"value":2,"constraints":{"latency":0.15,"recall":0.7}}`, `{"ok":true}`},
		{`{"op":"tell","id":4,"infeasible":true}`, `{"ok":true}`},
		{`{"op":"observe","x":{"x":0.5},"value":4}`, `constraints: missing`},
		{`{"op":"observe","x":{"x":0.5},"value":4,"constraints":{"latency":0.1,"recall":0.6}}`, `"ok":true`},
		{`{"op":"best"}`, `"value":4`},
		{`{"op":"predict","x":{"x":0.5}}`, `"constraints":{"latency":{"mean":0.1`},
		{`{"op":"predict","x":{"x":0.5}}`, `"feasible":`},
		{`{"op":"recommend"}`, `"feasible":`},
		{`{"op":"recommend"}`, `"constraints":{"latency":{"mean":0.`},
		{`{"op":"help"}`, `"constraints":["latency at most 0.2","recall at least 0.5"]`},
		{`{"op":"state"}`, `"feasible":`},
	} {
		if got := serve(t, s, c.request)[0]; !strings.Contains(got, c.want) {
			t.Errorf("%s\n  %s\nwant %s", c.request, got, c.want)
		}
	}
}

func TestASessionUnderAPromise(t *testing.T) {
	where := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	policy := must.Get(tarry.ParsePolicy("d-safe-bocp:alpha=0.5"))(t)
	s := server(t, where, tarry.Options{Budget: 9, Policy: policy, Seeds: []tarry.Point{{0.25}}, Constraints: []tarry.Constraint{tarry.AtMost("heat", 0.2)}})
	for _, c := range []struct{ request, want string }{
		{`{"op":"ask","n":3}`, `{"queries":[{"id":1,"x":{"x":0.25}},{"id":2,"x":{"x":0.25}},{"id":3,"x":{"x":0.25}}]}`}, // nothing is known yet
		{`{"op":"tell","id":1,"value":3,"constraints":{"heat":0.1}}`, `{"ok":true}`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"heat":0.1}}`, `{"ok":true,"repeated":true}`},
		{`{"op":"tell","id":1,"value":3,"constraints":{"heat":0.9}}`, `evaluation 1 has constraints [0.1], now [0.9]: the first stands`},
		{`{"op":"fail","id":1,"infeasible":true}`, `evaluation 1 has value 3, now \"infeasible\": the first stands`},
		{`{"op":"ask"}`, `"id":4`},
		{`{"op":"state"}`, `"safety":{"promised":{"alpha":0.5,"queries":9,"confidence":1,"allowed":4,"left":3,"eta":2,"beta":`},
		{`{"op":"state"}`, `"started":4,"counted":1,"violations":0,"pending":1,"lost":0`},
		{`{"op":"tell","id":4,"value":3,"constraints":{"heat":0.3}}`, `{"ok":true}`},
		{`{"op":"state"}`, `"counted":1,"violations":1,"pending":0`},
		{`{"op":"tell","id":2,"value":3,"constraints":{"heat":0.9}}`, `{"ok":true}`},
		{`{"op":"ask"}`, `the study has ended: a seed is not safe: 1 of 1, x=0.25: heat is 0.9: want at most 0.2`},
	} {
		if got := serve(t, s, c.request)[0]; !strings.Contains(got, c.want) {
			t.Errorf("%s\n  %s\nwant %s", c.request, got, c.want)
		}
	}
}
