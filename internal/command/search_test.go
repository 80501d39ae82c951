package command

import (
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
)

// Of an object that is spread over lines a number that has one for itself is never the value.
func TestAnObjectMayBeSpreadOverLines(t *testing.T) {
	const spread = "{\n  \"value\": 0.3,\n  \"cost\": 12.5,\n  \"constraints\": [\n    -0.1\n  ]\n}"
	want := Report{Outcome: outcome.Outcome{Value: 0.3, Cost: 12.5, Constraints: []float64{-0.1}}, HasValue: true}
	for _, c := range []struct {
		output string
		want   Report
	}{
		{spread, want},
		{"7\n" + spread + "\n\n \r\n", want},
		{strings.ReplaceAll("7\n"+spread+"\n", "\n", "\r\n"), want},
		{"7\n  " + strings.ReplaceAll(spread, "\n", "\n  ") + "\ndone\n}\nat last }\n", want},
		{"7\n{\"cost\": 12.5,\n\"constraints\": [\n-0.1], \"value\":\n\n0.3}", want},
		{"7\n" + `{"list": [{` + "\n" + `"a": "}] \" {"` + "\n},\n{\n" + `"value": 1}` + "\n],\n" + `"value"` + "\n: 0.3}\n", value(0.3)},
		{spread + "\n7\n", value(7)},
		{"7\n{\n\"epoch\": 3,\n\"losses\": [\n0.5,\n0.25\n]\n}\n", value(7)},
		{"7\n{\n\"value\": 1\n}}\ndone\n", value(7)},
		{"done {\n7\n}\nafter all\n", value(7)},
		{"7\nlist {\n x: 1 }\n", value(7)},
		{"7\n" + strings.Repeat("1,\n", maxLine/2) + "}\ndone\n", value(7)},
		{"{\n\"infeasible\": true\n}", Report{Outcome: outcome.Outcome{Infeasible: true}, Reason: saysInfeasible}},
	} {
		if got, err := parse(c.output); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%.80q: %+v, %v; want %+v", c.output, got, err, c.want)
		}
	}
	if _, err := parse("7\n{\n\"value\": 1,\n\"value\": 2\n}\n"); err == nil || err.Error() != `"value" = 1 and 2: want one of them` {
		t.Error(err)
	}
}

func TestTheEndOfAnObjectThatWasSpoiledIsNotPassedOver(t *testing.T) {
	for _, c := range []struct{ output, last string }{
		{"7\n{\n\"value\": 1,\n}\n", "}"},
		{"7\n{'value': 1,\n 'cost': 2}\n", "'cost': 2}"},
		{"7\n\"value\": 1\n} ]\n\n", "} ]"},
		{"7\n[\n  0.5,\n  0.25\n]\n", "]"},
		{"7\nresult {\n0.5\n}", "}"},
		{"7\n{\n\"value\": 0.5\n\x1b[1;39m}\x1b[0m\n", "}"},
		{"7\n{\n\"value\": 0.5,\n" + strings.Repeat("\"x\": 1,\n", maxLine/8) + "\"y\": 1\n}", "}"},
		{"7\n{\"value\": 0.5,\"x\": \"" + strings.Repeat("x", 2*maxLine) + "\"\n}", "}"},
	} {
		got, err := parse(c.output)
		want := "the last line of standard output ends what is no JSON object; it was " + strconv.Quote(c.last)
		if err == nil || err.Error() != want || !reflect.DeepEqual(got, Report{}) {
			t.Errorf("%.80q: %+v, %v; want %s", c.output, got, err, want)
		}
	}
}
