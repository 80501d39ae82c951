package command

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/outcome"
)

func TestConstraintsWithNamesComeWithEachValue(t *testing.T) {
	named := []outcome.Constraint{outcome.AtMost("latency", 0.2), outcome.AtLeast("recall", 0.5)}
	said := func(line string) (Report, error) {
		return parseOutput(strings.NewReader(line), int64(len(line)), false, named)
	}
	o, err := said(`{"value": 3, "constraints": {"recall": 0.4, "latency": 0.1}}`)
	if err != nil || o.Value != 3 || !slices.Equal(o.Constraints, []float64{0.1, 0.4}) || o.Infeasible || o.Reason != "" {
		t.Errorf("%+v, %v: whether they hold is not said here", o, err)
	}
	if o, err := said(`{"infeasible": true}`); err != nil || !o.Infeasible || o.HasValue || o.Constraints != nil {
		t.Errorf("%+v, %v", o, err)
	}
	for line, want := range map[string]string{
		"0.5":          "constraints.latency = missing: want a finite number",
		`{"value": 3}`: "constraints.recall = missing: want a finite number",
		`{"value": 3, "constraints": [0.1, 0.4]}`:                         `"constraints" = [0.1, 0.4]: want an object with a number for each constraint, as in {"latency": 0.1}`,
		`{"value": 3, "constraints": {"latency": 0.1}}`:                   "constraints.recall = missing",
		`{"value": 3, "constraints": {"latency": 0.1, "recal": 0.4}}`:     "constraints.recal = 0.4: want one of latency, recall (did you mean recall?)",
		`{"value": 3, "constraints": {"latency": NaN, "recall": 0.4}}`:    `"constraints".latency = "NaN": want a finite number`,
		`{"value": 3, "constraints": {"latency": "fast", "recall": 0.4}}`: `"constraints".latency = "fast": want a finite number`,
		`{"value": 3, "constraints": {"latency": null, "recall": 0.4}}`:   `"constraints".latency = null: want a finite number`,
	} {
		if _, err := said(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
	}
}
