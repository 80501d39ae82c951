package outcome

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
)

var nan, inf = math.NaN(), math.Inf(1)

func TestOutcomesSayWhatIsWrongWithThem(t *testing.T) {
	for name, c := range map[string]struct {
		outcome         Outcome
		flaw, violation string
		wrong           []string // fields
	}{
		"value":              {Of(-3), "", "", nil},
		"with all":           {Outcome{Value: 1, Cost: 2, Constraints: []float64{-1, 0}}, "", "", nil},
		"nan":                {Of(nan), "value is NaN", "", []string{"value"}},
		"infinite cost":      {Outcome{Cost: inf}, "cost is +Inf", "", []string{"cost"}},
		"cost below 0":       {Outcome{Value: 1, Cost: -1e-300}, "cost is -1e-300", "", []string{"cost"}},
		"infinite bound":     {Outcome{Constraints: []float64{1, -inf}}, "constraints are [1 -Inf]", "constraint 1 is 1: want ≤ 0", []string{"constraints[1]"}},
		"everything":         {Outcome{nan, inf, []float64{nan}, true}, "value is NaN", "infeasible", []string{"value", "cost", "constraints[0]"}},
		"infeasible by word": {Outcome{Value: 1, Infeasible: true}, "", "infeasible", nil},
		"by a constraint":    {Outcome{Value: 1, Constraints: []float64{-1, 1e-300}}, "", "constraint 2 is 1e-300: want ≤ 0", nil},
	} {
		if got := c.outcome.Flaw(); got != c.flaw {
			t.Errorf("%s: flaw %q", name, got)
		}
		if got := c.outcome.Violation(); got != c.violation {
			t.Errorf("%s: violation %q", name, got)
		}
		err := c.outcome.Validate()
		if (err == nil) != (c.wrong == nil) || err != nil && !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%s: %v", name, err)
		}
		for _, field := range c.wrong {
			if !strings.Contains(err.Error(), field+" = ") {
				t.Errorf("%s: %q does not name %s", name, err, field)
			}
		}
	}
}

func TestTheBetterOfTwoValues(t *testing.T) {
	for _, c := range []struct {
		sense  Sense
		a, b   float64
		better bool
	}{
		{Maximize, 2, 1, true}, {Maximize, 1, 2, false}, {Minimize, 1, 2, true}, {Minimize, 2, 1, false},
		{Maximize, 1, 1, false}, {Minimize, 1, 1, false}, {Maximize, 0, math.Copysign(0, -1), false}, {Minimize, math.Copysign(0, -1), 0, false},
		{Maximize, nan, -inf, false}, {Minimize, nan, inf, false}, {Maximize, -inf, nan, true}, {Minimize, inf, nan, true}, {Maximize, nan, nan, false},
	} {
		if got := c.sense.Better(c.a, c.b); got != c.better {
			t.Errorf("minimize %v: %v better than %v: %v", c.sense, c.a, c.b, got)
		}
	}
	for _, c := range []struct {
		sense         Sense
		value, target float64
		reaches       bool
	}{
		{Maximize, 1, 1, true}, {Maximize, 2, 1, true}, {Maximize, 0, 1, false}, {Minimize, 1, 1, true}, {Minimize, 0, 1, true}, {Minimize, 2, 1, false},
		{Maximize, nan, 1, false}, {Minimize, nan, 1, false},
	} {
		if got := c.sense.Reaches(c.value, c.target); got != c.reaches {
			t.Errorf("minimize %v: %v reaches %v: %v", c.sense, c.value, c.target, got)
		}
	}
}

// To minimize is to maximize the negative, and sorting agrees with what is better.
func TestSensesMirrorEachOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{nan, inf, -inf, 0, 1})), 2, 9).Draw(t, "values")
		a, b := values[0], values[1]
		if Minimize.Better(a, b) != Maximize.Better(-a, -b) || Minimize.Sign() != -Maximize.Sign() {
			t.Fatal(a, b)
		}
		slices.SortFunc(values, Minimize.Compare)
		for i := range len(values) - 1 {
			if Minimize.Better(values[i+1], values[i]) {
				t.Fatal(values)
			}
		}
	})
}

func TestFailuresHaveAReasonAndAVerdict(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Failure
	}{
		{nil, Failure{Reason: "failed"}}, {errors.New(""), Failure{Reason: "failed"}}, {errors.New("burnt"), Failure{Reason: "burnt"}},
		{ErrInfeasible, Failure{"infeasible", Infeasible}}, {fmt.Errorf("no mesh: %w", ErrInfeasible), Failure{"no mesh: infeasible", Infeasible}},
		{fmt.Errorf("preempted: %w", ErrLost), Failure{"preempted: attempt lost", Lost}},
	} {
		if got := FailureOf(c.err); got != c.want {
			t.Errorf("%v gives %+v", c.err, got)
		}
	}
}

func TestWhatIsHeardWhenNobodyWaitsAnyMore(t *testing.T) {
	for name, c := range map[string]struct {
		answer        Answer
		failed, lasts bool
	}{
		"value":          {Answer{Outcome: Of(0)}, false, true},
		"follows":        {Answer{Follows: true}, false, false},
		"failed":         {Answer{Failure: Failure{Reason: "burnt"}}, true, false},
		"without reason": {Answer{Failure: Failure{Verdict: Lost}}, true, false},
		"infeasible":     {Answer{Failure: Failure{Verdict: Infeasible}}, true, true},
	} {
		if c.answer.Failed() != c.failed || c.answer.Lasts() != c.lasts {
			t.Errorf("%s: failed %v, lasts %v", name, c.answer.Failed(), c.answer.Lasts())
		}
	}
}
