package calibration

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

func localized(t *testing.T, c LocalizedConfig) *Localized {
	t.Helper()
	return must.Get(NewLocalized(c))(t)
}

// force judges an answer as a miss or not, whatever was issued.
func force(l *Localized, x space.Unit, missed bool) {
	if missed {
		l.Judge(x, 0.5, 0)
	} else {
		l.Judge(x, 0.5, 1)
	}
}

// Numbers worked out independently of this code.
func TestSixAnswersByHand(t *testing.T) {
	l := localized(t, LocalizedConfig{Alpha: 0.2, Decay: 0.5, Kappa: 2, Length: 0.25, Rate: 0.1, Power: 0.5})
	for i, x := range []float64{0.10, 0.55, 0.30, 0.80, 0.45, 0.60} {
		force(l, []float64{x}, i == 0 || i == 3 || i == 5)
	}
	agree(t, "c", l.offset, 0.0819735496804, 1e-12)
	for i, want := range []float64{-.0699781381, .0128238972, .0107819153, -.0383073336, .0087616977, -.0326598632} {
		agree(t, "w", l.weights[i]*l.scale, want, 1e-10)
	}
	agree(t, "at 0.5", l.At([]float64{0.5}), 0.0501891933, 1e-10)
	agree(t, "at 0.1", l.At([]float64{0.1}), -0.0443660300, 1e-10)
	agree(t, "at 0.9", l.At([]float64{0.9}), 0.0055727245, 1e-10)
	if l.count != 6 || l.misses != 3 {
		t.Errorf("%d judged, %d missed, want 6 and 3", l.count, l.misses)
	}
}

func TestMissesAreDecidedByTheIssuedThreshold(t *testing.T) {
	l := localized(t, LocalizedConfig{Alpha: 0.2, Length: 1, Rate: 0.1})
	for _, c := range []struct {
		threshold, score float64
		missed           bool
	}{
		{0.3, 0.3, false}, {0.3, 0.2999, true}, {0, 0, false}, {-2, 0, false}, {1, 1, false}, {1.0001, 1, true},
		{math.Inf(1), 1, true}, {math.Inf(-1), 0, false},
	} {
		if missed := l.Judge(nil, c.threshold, c.score); missed != c.missed {
			t.Errorf("threshold %g, score %g: missed %v", c.threshold, c.score, missed)
		}
	}
}

// dumb keeps every weight and decays them one by one.
type dumb struct {
	c  LocalizedConfig
	at float64
	w  []float64
	x  []space.Unit
}

func (d *dumb) judge(x space.Unit, missed bool) {
	eta := d.c.Rate * math.Pow(float64(len(d.w)+1), -d.c.Power)
	step := eta * d.c.Alpha
	if missed {
		step = eta * (d.c.Alpha - 1)
	}
	for i := range d.w {
		d.w[i] *= 1 - d.c.Decay*eta
	}
	d.at, d.w, d.x = d.at+step, append(d.w, step), append(d.x, x)
}

func (d *dumb) lambda(x space.Unit) float64 {
	g := 0.0
	for i, w := range d.w {
		r2 := 0.0
		for j := range x {
			r2 += (x[j] - d.x[i][j]) * (x[j] - d.x[i][j])
		}
		g += w * d.c.Kappa * math.Exp(-r2/(d.c.Length*d.c.Length))
	}
	return d.at + g
}

func TestSharedScaleEqualsDecayingEveryWeight(t *testing.T) {
	for _, c := range []struct {
		LocalizedConfig
		folds bool // the scale falls below its least value, so it must have been folded
	}{
		{LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.3, Decay: 0.9, Rate: 1}, true},
		{LocalizedConfig{Alpha: 0.1, Kappa: 3, Length: 0.3, Decay: 0.5, Rate: 1, Power: 0.05}, true},
		{LocalizedConfig{Alpha: 0.25, Kappa: 5, Length: 5, Decay: 4e-3, Rate: 5e-3, Power: 0.05}, false},
		{LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.1, Decay: 0, Rate: 0.05}, false},
		{LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.1, Decay: 1, Rate: 0.9, Power: 1}, false},
	} {
		r, l, d := rng.New(3, rng.Test, 0), localized(t, c.LocalizedConfig), dumb{c: c.LocalizedConfig, at: c.Alpha}
		product, most := 1.0, 0
		for i := range 1500 {
			x, missed := []float64{r.Float64(), r.Float64()}, r.Float64() < 0.3
			force(l, x, missed)
			d.judge(x, missed)
			product *= 1 - c.Decay*c.step(i+1)
			most = max(most, len(l.weights))
			if i%50 == 0 {
				agree(t, fmt.Sprint(c), l.At(x), d.lambda(x), 1e-12)
				probe := []float64{r.Float64(), r.Float64()}
				agree(t, fmt.Sprint(c), l.At(probe), d.lambda(probe), 1e-12)
			}
		}
		if c.folds != (product < minScale) || l.scale < minScale || (c.folds && l.scale < product*1e50) {
			t.Errorf("%v: scale %g after decaying by %g", c, l.scale, product)
		}
		if c.Power == 0 && c.Decay > 0 && float64(most) > 35/(c.Decay*c.Rate)+1 {
			t.Errorf("%v: %d centers held", c, most)
		}
		if c.Decay == 0 && most != 1500 {
			t.Errorf("%d centers held without decay, want all", most)
		}
	}
}

func TestWithoutKernelOrWithInfiniteLengthNothingIsLocal(t *testing.T) {
	r := rng.New(4, rng.Test, 0)
	flat := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 0, Length: 0.1, Decay: 0.5, Rate: 0.05})
	wide := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: math.Inf(1), Decay: 0.5, Rate: 0.05})
	for range 100 {
		missed, x := r.Float64() < 0.5, []float64{r.Float64()}
		force(flat, x, missed)
		force(wide, x, missed)
		if flat.At(x) != flat.offset || wide.At(x) != flat.offset {
			t.Fatalf("%g and %g, offset %g", flat.At(x), wide.At(x), flat.offset)
		}
	}
	if n := len(flat.weights) + len(wide.weights); n > 0 {
		t.Errorf("%d centers held", n)
	}
	if below, above := wide.config.Reach(); below != 0 || above != 0 {
		t.Errorf("reach %g, %g", below, above)
	}
}

func TestAStepOfZeroFreezesTheThreshold(t *testing.T) {
	l := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 4, Length: 0.25, Decay: 0.004})
	for i := range 40 {
		force(l, space.Unit{float64(i) / 40}, i%3 == 0)
	}
	for _, x := range []float64{0, 0.31, 1} {
		agree(t, "threshold", l.At(space.Unit{x}), 0.2, 0)
	}
}

func TestGradientIsTheSlope(t *testing.T) {
	r := rng.New(5, rng.Test, 0)
	l := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.3, Decay: 0.2, Rate: 0.3})
	point := func() []float64 { return []float64{r.Float64(), r.Float64(), r.Float64()} }
	grad := make([]float64, 3)
	if v := l.Gradient(point(), grad); v != 0.2 || grad[0] != 0 {
		t.Errorf("value %g, slope %v before any answer", v, grad)
	}
	for range 40 {
		force(l, point(), r.Float64() < 0.4)
	}
	const h = 1e-6
	for range 20 {
		x := point()
		agree(t, "value", l.Gradient(x, grad), l.At(x), 1e-15)
		for j := range x {
			at := x[j]
			x[j] = at + h
			up := l.At(x)
			x[j] = at - h
			down := l.At(x)
			x[j] = at
			agree(t, "slope", grad[j], (up-down)/(2*h), 1e-8)
		}
	}
}

func TestLookingUpAllocatesNothing(t *testing.T) {
	r := rng.New(6, rng.Test, 0)
	l := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.3, Decay: 0.2, Rate: 0.3})
	x, grad := []float64{0.3, 0.7}, make([]float64, 2)
	for range 50 {
		force(l, []float64{r.Float64(), r.Float64()}, r.Float64() < 0.4)
	}
	if n := testing.AllocsPerRun(100, func() { l.At(x); l.Gradient(x, grad) }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func TestConfigurationsOutOfRangeAreNamed(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, f := range map[string]struct {
		field func(*LocalizedConfig) *float64
		bad   []float64
	}{
		"Alpha":  {func(c *LocalizedConfig) *float64 { return &c.Alpha }, []float64{0, 1, -1, nan}},
		"Kappa":  {func(c *LocalizedConfig) *float64 { return &c.Kappa }, []float64{-1, inf, nan}},
		"Length": {func(c *LocalizedConfig) *float64 { return &c.Length }, []float64{0, -1, nan}},
		"Decay":  {func(c *LocalizedConfig) *float64 { return &c.Decay }, []float64{-1, 20, 25, inf, nan}}, // 20·Rate = 1
		"Rate":   {func(c *LocalizedConfig) *float64 { return &c.Rate }, []float64{-1, inf, nan}},
		"Power":  {func(c *LocalizedConfig) *float64 { return &c.Power }, []float64{-0.1, 1.1, nan}},
	} {
		for _, v := range f.bad {
			c := LocalizedConfig{Alpha: 0.2, Kappa: 1, Length: 1, Decay: 0.1, Rate: 0.05, Power: 0.5}
			localized(t, c)
			*f.field(&c) = v
			if _, err := NewLocalized(c); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), name) {
				t.Errorf("%+v: error %v", c, err)
			}
		}
	}
	if err := (LocalizedConfig{Alpha: 2, Length: 0, Rate: -1}).Validate(); len(err.(interface{ Unwrap() []error }).Unwrap()) != 3 {
		t.Errorf("not every violation is named: %v", err)
	}
}

func TestJudgingWhatIsNoNumberPanics(t *testing.T) {
	nan := math.NaN()
	l := localized(t, LocalizedConfig{Alpha: 0.2, Kappa: 2, Length: 0.3, Decay: 0.5, Rate: 0.5})
	force(l, []float64{0.1, 0.2}, true)
	x, before := []float64{0.5, 0.5}, fmt.Sprint(l)
	mustPanic(t, "NaN score", func() { l.Judge(x, 0.5, nan) })
	mustPanic(t, "NaN threshold", func() { l.Judge(x, nan, 0.5) })
	mustPanic(t, "score above 1", func() { l.Judge(x, 0.5, 1.5) })
	mustPanic(t, "score below 0", func() { l.Judge(x, 0.5, -0.5) })
	mustPanic(t, "NaN point", func() { l.Judge([]float64{nan, 0}, 0.5, 0.5) })
	mustPanic(t, "infinite point", func() { l.Judge([]float64{math.Inf(1), 0}, 0.5, 0.5) })
	mustPanic(t, "short point", func() { l.Judge([]float64{0.5}, 0.5, 0.5) })
	mustPanic(t, "empty point", func() { localized(t, l.config).Judge(nil, 0.5, 0.5) })
	mustPanic(t, "looking up a short point", func() { l.At([]float64{0.5}) })
	mustPanic(t, "short gradient", func() { l.Gradient(x, make([]float64, 1)) })
	if before != fmt.Sprint(l) {
		t.Error("a refused answer changed the state")
	}
}
