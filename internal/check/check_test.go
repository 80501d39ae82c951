package check

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestAllViolationsAreReportedAtOnce(t *testing.T) {
	var l List
	l.Between("Options.Workers", -3, 1, 1024)
	l.Positive("Options.Noise", math.NaN())
	l.Finite("Options.Floor", math.Inf(1))
	l.NotNegative("Options.Beta", -1)
	l.Within("Options.Rate", 2, 0, 1)
	l.Require(true, "fine", 1, "anything")
	err := l.Err()
	for _, want := range []string{
		"Options.Workers = -3: want 1 ≤ Workers ≤ 1024", "Options.Noise = NaN", "Options.Floor = +Inf", "Options.Beta = -1", "Options.Rate = 2",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %q", want, err)
		}
	}
	if n := strings.Count(err.Error(), "\n") + 1; n != 5 {
		t.Errorf("%d lines, want 5", n)
	}
	if !errors.Is(err, ErrInvalidOption) {
		t.Error("does not unwrap to ErrInvalidOption")
	}
	var field *FieldError
	if !errors.As(err, &field) || field.Field != "Options.Workers" {
		t.Errorf("first field error is %+v", field)
	}
}

func TestNothingWrongIsNil(t *testing.T) {
	var l List
	l.Between("a", 1, 1, 1)
	l.Join(nil)
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestJoinKeepsTheParts(t *testing.T) {
	var inner, outer List
	inner.Positive("x", 0)
	outer.Join(inner.Err())
	var field *FieldError
	if !errors.As(outer.Err(), &field) || field.Field != "x" {
		t.Fatal("inner violation lost")
	}
}

func TestFieldsCanBeRenamed(t *testing.T) {
	var inner, l List
	inner.Add("Config.Model.Noise", 1, "0")
	l.Join(inner.Err())
	l.Add("Config.Space.Points", 7, "fewer")
	l.Add("Other", 3, "another")
	other := errors.New("something else")
	l.Join(other)
	err := Renamed(l.Err(), "Config.Space", "Space", "Config.", "Options.")
	for _, want := range []string{"Options.Model.Noise = 1", "Space.Points = 7", "Other = 3", "something else"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %q", want, err)
		}
	}
	if strings.Contains(err.Error(), "Config") || !errors.Is(err, ErrInvalidOption) || !errors.Is(err, other) {
		t.Errorf("renamed to %q", err)
	}
	if Renamed(nil, "a", "b") != nil {
		t.Error("no error became one")
	}
}
