package outcome

import (
	"math"
	"strings"
	"testing"
)

func TestAConstraintHoldsUpToItsBound(t *testing.T) {
	for _, c := range []struct {
		constraint Constraint
		value      float64
		holds      bool
	}{
		{AtMost("latency", 0.2), 0.2, true}, {AtMost("latency", 0.2), 0.21, false}, {AtMost("latency", 0.2), -7, true},
		{AtLeast("recall", 0.5), 0.5, true}, {AtLeast("recall", 0.5), 0.49, false}, {AtLeast("recall", 0.5), 7, true},
	} {
		if got := c.constraint.Margin(c.value) >= 0; got != c.holds {
			t.Errorf("%v holds at %v: %v", c.constraint, c.value, got)
		}
		if back := c.constraint.Value(c.constraint.Margin(c.value)); math.Abs(back-c.value) > 1e-12 {
			t.Errorf("%v: %v came back as %v", c.constraint, c.value, back)
		}
	}
	if m := AtMost("x", math.MaxFloat64).Margin(-math.MaxFloat64); !Finite(m) {
		t.Errorf("margin %v", m)
	}
}

func TestTheTextOfAConstraintIsReadBack(t *testing.T) {
	for _, c := range []Constraint{AtMost("latency", 0.1+0.2), AtLeast("a.b-c_1", -1e-300), AtMost("<=,% ü", 0)} {
		if back, err := ParseConstraint(c.Text()); err != nil || back != c {
			t.Errorf("%q became %+v, %v", c.Text(), back, err)
		}
	}
	for _, text := range []string{"", "latency", "latency<0.2", "latency<=", "latency<=x"} {
		if _, err := ParseConstraint(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func TestWhatIsNoConstraintOfAStudyIsNamed(t *testing.T) {
	for want, all := range map[string][]Constraint{
		"latency is there twice":   {AtMost("latency", 1), AtLeast("latency", 0)},
		`not "a b"`:                {AtMost("a b", 1)},
		`not ""`:                   {AtMost("", 1)},
		"finite bound of x":        {AtMost("x", math.NaN())},
		"at most 20 constraints":   make([]Constraint, 21),
		"letters, digits, _, . an": {AtMost("1x", 0)},
	} {
		if got := CheckConstraints(all); !strings.Contains(got, want) {
			t.Errorf("%q, want %q in it", got, want)
		}
	}
	if got := CheckConstraints([]Constraint{AtMost("x", 1), AtLeast("y", 0)}); got != "" {
		t.Error(got)
	}
}

func TestEveryNamedConstraintNeedsAValue(t *testing.T) {
	named := []Constraint{AtMost("latency", 0.2), AtLeast("recall", 0.5)}
	if got, err := ByName(named, []string{"recall", "latency"}, []float64{0.6, 0.1}); err != nil || got[0] != 0.1 || got[1] != 0.6 {
		t.Errorf("%v, %v", got, err)
	}
	_, err := ByName(named, []string{"recall", "latncy"}, []float64{math.NaN(), 0.1})
	for _, want := range []string{"constraints.latency = missing: want a finite number", "constraints.latncy = 0.1: want one of latency, recall (did you mean latency?)", "constraints.recall = NaN"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
	for _, values := range [][]float64{nil, {1}, {1, 2, 3}, {1, math.Inf(1)}} {
		if Complete(named, values) == nil {
			t.Errorf("%v are complete", values)
		}
	}
	if Complete(nil, []float64{3}) != nil || Complete(named, []float64{1, 2}) != nil {
		t.Error("what is complete is refused")
	}
	if got := Violation(named, []float64{0.31, 0.4}); got != "latency is 0.31: want at most 0.2; recall is 0.4: want at least 0.5" {
		t.Error(got)
	}
	if got := Violation(named, []float64{0.2, 0.5}); got != "" {
		t.Error(got)
	}
}
