package option

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
)

type kind int

type inner struct {
	Rounds int
	Strict bool
}

type study struct {
	Inner  inner // its first field has its address
	Seed   uint64
	Rate   float64
	Floor  *float64
	List   []float64
	Wait   time.Duration
	Kind   kind
	Word   string
	hidden int
}

func (s *study) options() []Option {
	return []Option{
		{Name: "rounds", Value: Whole(&s.Inner.Rounds, 2, 9), Zero: "0 means 5"},
		{Name: "strict", Value: Toggle(&s.Inner.Strict), Wants: func() string {
			if s.Inner.Strict && s.Inner.Rounds == 0 {
				return "false without rounds"
			}
			return ""
		}},
		{Name: "seed", Value: Seed(&s.Seed)},
		{Name: "rate", Value: Number(&s.Rate, Range{High: 1, OpenHigh: true})},
		{Name: "floor", Value: Maybe(&s.Floor)},
		{Name: "list", Value: Numbers(&s.List)},
		{Name: "wait", Value: Time(&s.Wait), Zero: "0 means for ever"},
		{Name: "kind", Value: Choice(&s.Kind, []string{"red", "", "blue"})},
		{Name: "word", Value: Word(&s.Word, []string{"a", "b"}), Zero: "none means a"},
	}
}

// Whatever is in a field, within the limits or not, its text is read back to the same bits.
func TestTheTextOfAValueIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0.1}))
		s := study{
			Inner: inner{rapid.Int().Draw(t, "whole"), rapid.Bool().Draw(t, "toggle")}, Seed: rapid.Uint64().Draw(t, "seed"), Rate: number.Draw(t, "number"),
			Wait: time.Duration(rapid.Int64().Draw(t, "time")), Kind: kind(2 * rapid.IntRange(0, 1).Draw(t, "choice")), Word: rapid.String().Draw(t, "word"),
		}
		if rapid.Bool().Draw(t, "there") {
			v := number.Draw(t, "maybe")
			s.Floor, s.List = &v, rapid.SliceOfN(number, 0, 3).Draw(t, "numbers")
		}
		var back study
		theirs := back.options()
		for i, o := range s.options() {
			if !theirs[i].Read(o.Text()) {
				t.Fatalf("%s: %q is not read", o.Name, o.Text())
			}
		}
		if !reflect.DeepEqual(back, s) || math.Signbit(back.Rate) != math.Signbit(s.Rate) {
			t.Fatalf("%+v became %+v", s, back)
		}
	})
}

func TestWhatIsNoValueIsNotRead(t *testing.T) {
	floor := 2.0
	s := study{Inner: inner{Rounds: 3}, Seed: 4, Rate: 0.5, Floor: &floor, List: []float64{1}, Wait: 7, Kind: 2, Word: "b"}
	before := s
	for _, o := range s.options() {
		for _, text := range []string{"?", "-", "1.5.2", "1e", "purple"} {
			if o.Name != "word" && o.Read(text) {
				t.Errorf("%s was read from %q", o.Name, text)
			}
		}
	}
	if o := s.options()[7]; o.Read("") || o.Read("1") || o.Kind != "one of red, blue" {
		t.Errorf("%+v", o)
	}
	if !reflect.DeepEqual(s, before) {
		t.Errorf("%+v became %+v", before, s)
	}
}

func TestEveryViolationIsReportedWithWhatZeroMeans(t *testing.T) {
	nan := math.NaN()
	s := study{Inner: inner{10, true}, Rate: 1, Floor: &nan, Wait: -time.Second, Kind: 1, Word: "c"}
	err := Check("Study", &s, s.options())
	want := strings.Join([]string{
		"Study.Inner.Rounds = 10: want 2 ≤ Rounds ≤ 9; 0 means 5", "Study.Rate = 1: want 0 ≤ Rate < 1", "Study.Floor = NaN: want a finite number",
		"Study.Wait = -1s: want a duration ≥ 0; 0 means for ever", "Study.Kind = 1: want one of red, blue", "Study.Word = c: want one of a, b; none means a",
	}, "\n")
	if err == nil || err.Error() != want || !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("%v\nwant\n%s", err, want)
	}
	s = study{Inner: inner{Strict: true}}
	if err := Check("Study", &s, s.options()); err == nil || err.Error() != "Study.Inner.Strict = true: want false without rounds" {
		t.Error(err)
	}
	s = study{}
	if err := Check("Study", &s, s.options()); err != nil {
		t.Errorf("where zero stands for something: %v", err)
	}
	for i, want := range []string{"a whole number with 2 ≤ x ≤ 9", "true or false", "a whole number with 0 ≤ x ≤ 18446744073709551615", "a number with 0 ≤ x < 1"} {
		if got := s.options()[i].Want("x"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := TimeWithin(&s.Wait, time.Second, 90*time.Minute).Want("x"); got != "a duration such as 1m30s with 1s ≤ x ≤ 1h30m" {
		t.Error(got)
	}
	o := s.options()[8]
	if o.Help = "`WORD` of it"; o.Usage() != "`WORD` of it: a, b; none means a" {
		t.Error(o.Usage())
	}
}

// Fields with one name and one type are one field; what else there is stays.
func TestCopyTakesWhatBothHave(t *testing.T) {
	type other struct {
		Seed  uint64
		Rate  int // another type
		Extra string
		Word  string
	}
	from, to := study{Seed: 3, Rate: 0.5, Word: "a", hidden: 1}, other{Rate: 7, Extra: "kept", Word: "old"}
	if names := Copy(&to, &from); !slices.Equal(names, []string{"Seed", "Word"}) || to != (other{3, 7, "kept", "a"}) {
		t.Errorf("%v: %+v", names, to)
	}
	if got := Path(&from, &to.Seed); got != "" {
		t.Errorf("a field of something else is at %q", got)
	}
}
