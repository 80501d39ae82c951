package space

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
)

func TestStepsAreTheDecimalsThatWereWritten(t *testing.T) {
	for _, c := range []struct {
		low, high, step float64
		want            string
	}{
		{0, 1, 0.1, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"},
		{0.1, 0.75, 0.1, "0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
		{0.1, 0.7, 0.1, "0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
		{-1, -0.7, 0.05, "-1 -0.95 -0.9 -0.85 -0.8 -0.75 -0.7"},
		{-0.1, 0.2, 0.1, "-0.1 0 0.1 0.2"},
		{0, 0.0039, 1e-3, "0 0.001 0.002 0.003"},
		{0.25, 1, 0.25, "0.25 0.5 0.75 1"},
		{0.05, 1, 0.3, "0.05 0.35 0.65 0.95"},
		{1e-7, 4e-7, 1e-7, "1e-07 2e-07 3e-07 4e-07"},
		{1e22, 4e22, 1e22, "1e+22 2e+22 3e+22 4e+22"},
		{0, 3e24, 1e24, "0 1e+24 2e+24 3e+24"},
		{1000.1, 1000.5, 0.2, "1000.1 1000.3 1000.5"},
		{0, 7, 2.5, "0 2.5 5"},
		{0.9, 1.2, 0.3, "0.9 1.2"},
		{0, 0.2999999999, 0.1, "0 0.1 0.2 0.2999999999"},
		{0, 0.29999, 0.1, "0 0.1 0.2"},
		{0.30000000000000004, 0.4, 0.1, "0.30000000000000004 0.4"},
	} {
		s, err := New(Float("x", c.low, c.high).Stepped(c.step))
		if err != nil {
			t.Error(err)
			continue
		}
		p, got := s.Parameter(0), ""
		for k := range p.Levels() {
			got += strconv.FormatFloat(p.Value(p.Level(k)), 'g', -1, 64) + " "
		}
		if got = strings.TrimSpace(got); got != c.want {
			t.Errorf("%v to %v by %v: %s, want %s", c.low, c.high, c.step, got, c.want)
		}
	}
}

// Against decimal arithmetic with big numbers: for short decimals each value is the float64 that is nearest to the decimal.
func TestStepsAreExactDecimals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 12).Draw(t, "places")
		whole := func(name string, low, high int) *big.Int {
			return big.NewInt(int64(rapid.IntRange(low, high).Draw(t, name)))
		}
		unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)
		read := func(n *big.Int) float64 {
			v, _ := new(big.Rat).SetFrac(n, unit).Float64()
			return v
		}
		low, step := whole("low", -1e6, 1e6), whole("step", 1, 1e4)
		count := rapid.IntRange(2, 1e6).Draw(t, "count")
		last := new(big.Int).Add(low, new(big.Int).Mul(step, big.NewInt(int64(count-1))))
		rest := new(big.Int).Mod(whole("rest", 0, 1e4), step)
		p := Float("x", read(low), read(new(big.Int).Add(last, rest))).Stepped(read(step))
		if err := p.Validate("p"); err != nil {
			t.Fatal(err)
		}
		if got := p.Levels(); got != count {
			t.Fatalf("%+v: %d values, want %d", p, got, count)
		}
		k := rapid.IntRange(0, count-1).Draw(t, "k")
		want := read(new(big.Int).Add(low, new(big.Int).Mul(step, big.NewInt(int64(k)))))
		if got := p.Value(p.Level(k)); got != want {
			t.Fatalf("%+v: value %d is %v, want %v", p, k, got, want)
		}
	})
}

func TestStepsThatAreNoDecimalsAreWithinTheirRange(t *testing.T) {
	for _, p := range []Parameter{
		Float("x", 1.0/3, 1).Stepped(1.0 / 3), Float("x", -math.Pi, math.Pi).Stepped(math.Pi / 7), Float("x", 0, 1e-29).Stepped(1e-30),
		Float("x", 1e15, 1e15+10).Stepped(0.5), Float("x", 0.1, 1e17).Stepped(1e14), Float("x", -1e308, 7e307).Stepped(1e300),
	} {
		if err := p.Validate("p"); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		n, before := p.Levels(), math.Inf(-1)
		for k := range min(n, 1000) {
			v := p.Value(p.Level(k))
			if want := p.Low + float64(k)*p.Step; !(v > before) || v > p.High || math.Abs(v-want) > 1e-15*max(math.Abs(p.Low), math.Abs(p.High)) {
				t.Errorf("%+v: value %d of %d is %v, after %v", p, k, n, v, before)
			}
			before = v
		}
		if last := p.Value(1); last > p.High || p.High-last >= 1.000001*p.Step {
			t.Errorf("%+v: the last of %d values is %v", p, n, last)
		}
	}
}

// Whatever range is accepted, each of its values is the value of its level and of its coordinate, those at both ends and in the middle among them.
func TestEveryLevelOfALongRangeCanBeReached(t *testing.T) {
	for _, p := range []Parameter{
		LogInt("n", 1, 1<<40), LogInt("n", 1<<40-1000, 1<<40), LogInt("n", 1<<43, 1<<43+1<<39), LogInt("n", 1<<44-1000, 1<<44), LogInt("n", 1e15, 1e15), LogInt("n", 1<<44-1, 1<<44),
		Int("n", -1<<53, -1<<53+1000), Int("n", 1<<53-1000, 1<<53), Int("n", 0, 1<<53).Stepped(1 << 20), Int("n", -1<<39, 1<<39-1),
		Float("x", 0, 1).Stepped(1e-11), Float("x", -1e300, 1e300).Stepped(1e290),
	} {
		if err := p.Validate("p"); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		n := p.Levels()
		for k := range min(n, 1000) {
			for _, level := range []int{k, n - 1 - k, (n/2 + k) % n} {
				u := p.Level(level)
				if v := p.Value(u); p.Rank(u) != level || !p.Contains(v) || p.Value(p.Unit(v)) != v {
					t.Fatalf("%+v: level %d has rank %d, value %v, and again %v", p, level, p.Rank(u), v, p.Value(p.Unit(v)))
				}
			}
		}
	}
	for _, p := range []Parameter{LogFloat("x", 1, 1+1e-9), LogFloat("x", 1e15, 1e15+1e8), LogFloat("x", 1e-300, 1e300), LogFloat("x", 1e-300, 1.000001e-300), Float("x", 1e300, 1.0000001e300)} {
		if err := p.Validate("p"); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		for k := range 1001 {
			if u := float64(k) / 1000; math.Abs(p.Unit(p.Value(u))-u) > 1e-6 {
				t.Errorf("%+v: coordinate %v comes back as %v", p, u, p.Unit(p.Value(u)))
			}
		}
	}
}

func TestStepsThatAreRefusedAreNamed(t *testing.T) {
	for _, c := range []struct {
		p    Parameter
		want string
	}{
		{Float("x", 0, 1).Stepped(-0.1), "p.Step = -0.1: want a finite number > 0"},
		{Float("x", 0, 1).Stepped(math.NaN()), "p.Step = NaN: want a finite number > 0"},
		{Float("x", 0, 1).Stepped(math.Inf(1)), "p.Step = +Inf: want a finite number > 0"},
		{Float("x", 0, 1).Stepped(1.5), "p.Step = 1.5: want a number of at most High − Low = 1"},
		{LogFloat("x", 0.1, 1).Stepped(0.1), "p.Step = 0.1: want none, since Log is set"},
		{Float("x", 3, 3).Stepped(0.1), "p.Step = 0.1: want none, since Low = High"},
		{Float("x", 0, 1).Stepped(1e-13), "p.Step = 1e-13: want fewer than 2^40 values"},
		{Float("x", 1e16, 1e16+100).Stepped(1), "p.Step = 1: want a number of at least 8, so that all values between Low and High differ"},
		{Int("x", 0, 10).Stepped(2.5), "p.Step = 2.5: want a whole number"},
		{Int("x", 0, 10).Stepped(11), "p.Step = 11: want a number of at most High − Low = 10"},
		{Int("x", 0, 1<<41).Stepped(2), "p.Step = 2: want fewer than 2^40 values"},
		{LogInt("x", 1e15, 1e15+1000), "p.High = 1.000000000001e+15: want a whole number up to 2^44, since Log is set: the logarithms of greater ones do not differ enough"},
		{LogInt("x", 1<<44, 1<<44+1), "p.High = 1.7592186044417e+13: want a whole number up to 2^44, since Log is set: the logarithms of greater ones do not differ enough"},
		{LogFloat("x", 1e15, 1e15+1), "p.High = 1.000000000000001e+15: want at least 1.0000000088459e+15, or Low = 1e+15, since Log is set: the logarithms of nearer numbers do not differ enough"},
		{Bool("x").Stepped(1), "p.Step = 1: want 0, unless Kind is KindFloat or KindInt"},
		{Ordered("x", 1, 2).Stepped(1), "p.Step = 1: want 0, unless Kind is KindFloat or KindInt"},
		{Float("x", 2, 1).Stepped(0.1), "p.High = 1: want a number of at least Low = 2"},
		{Parameter{Name: "x", Kind: KindBool, Log: true}, "p.Log = true: want false, unless Kind is KindFloat or KindInt"},
		{Ordered("x"), "p.Values = []: want at least one number"},
		{Ordered("x", 1, 2, 1), "p.Values[1] = 1: want distinct numbers"},
		{Ordered("x", 0, math.Copysign(0, -1)), "p.Values[1] = -0: want distinct numbers"},
		{Ordered("x", 1, math.NaN()), "p.Values[0] = NaN: want a finite number"},
		{Ordered("x", 1, math.Inf(1)), "p.Values[1] = +Inf: want a finite number"},
		{Parameter{Name: "x", Kind: KindOrdered, Values: []float64{2, 1}}, "p.Values[1] = 1: want a number above the one before it, 2"},
		{Parameter{Name: "x", Kind: KindInt, High: 1, Values: []float64{1}}, "p.Values = [1]: want none, unless Kind is KindOrdered"},
	} {
		err := c.p.Validate("p")
		if err == nil || err.Error() != c.want || !errors.Is(err, check.ErrInvalidOption) {
			t.Errorf("%+v: %v, want %s", c.p, err, c.want)
		}
	}
	for _, p := range []Parameter{Int("x", 0, 1<<41).Stepped(4), Int("x", 1<<53-9, 1<<53).Stepped(1), Float("x", 0, 1).Stepped(0)} {
		if err := p.Validate("p"); err != nil {
			t.Error(err)
		}
	}
}

// A parameter that was taken from a space and changed forgets what the space knew of it.
func TestAChangedParameterHasOtherSteps(t *testing.T) {
	s := must.Get(New(Float("x", 0, 1).Stepped(0.1)))(t)
	p := s.Parameter(0)
	p.High, p.Step = 2, 0.5
	again, err := New(p)
	if err != nil || p.Levels() != 5 || again.Parameter(0).Levels() != 5 || s.Parameter(0).Levels() != 11 {
		t.Errorf("%v: %d, %d and %d values", err, p.Levels(), again.Parameter(0).Levels(), s.Parameter(0).Levels())
	}
	if text := fmt.Sprint(again.Parameter(0).Range()); text != "one of 0, 0.5 … 2 (steps of 0.5)" {
		t.Error(text)
	}
}
