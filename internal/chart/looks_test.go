package chart

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/stat"
)

// policies are all that have a look, in the order of their names.
func policies() []string {
	var out []string
	for name := range policyLooks {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// named are curves of policies under their own names.
func named(names ...string) []Curve {
	var out []Curve
	for _, name := range names {
		out = append(out, Curve{Name: name, Policy: name, Y: []stat.Estimate{{N: 2, Mean: 1, SE: 0.1}, {N: 2, Mean: 0.5, SE: 0.1}}})
	}
	return out
}

func TestAPolicyLooksTheSameWhateverIsDrawnBesideIt(t *testing.T) {
	all := policies()
	reversed := slices.Clone(all)
	slices.Reverse(reversed)
	for _, set := range [][]string{all, reversed, all[3:9], {"ucb-sdf:nu=1", "ts-sdf", "ucb-sdf"}} {
		looks := looksOf(named(set...))
		for _, name := range set {
			own := LookOf(name)
			if looks[name].Color != own.Color {
				t.Errorf("%s among %v: %v, alone %v", name, set, looks[name].Color, own.Color)
			}
			if name == policyOf(name) && !reflect.DeepEqual(looks[name], own) {
				t.Errorf("%s among %v: %+v, alone %+v", name, set, looks[name], own)
			}
		}
	}
}

func TestCurvesOfOnePolicyHaveItsColorAndAreToldApart(t *testing.T) {
	set := []string{"ucb-sdf:nu=1", "ucb-sdf", "ucb-sdf:nu=2", "batch:q=4:of=ucb-sdf/nu~1", "ucb-sdf:beta=theory", "random", "batch:of=random"}
	looks := looksOf(named(set...))
	for i, name := range set {
		if want := LookOf(name).Color; looks[name].Color != want {
			t.Errorf("%s: %v, want %v", name, looks[name].Color, want)
		}
		for _, other := range set[:i] {
			if reflect.DeepEqual(looks[name], looks[other]) {
				t.Errorf("%s and %s look the same", name, other)
			}
		}
	}
	if alone := looksOf(named("ucb-sdf:nu=1"))["ucb-sdf:nu=1"]; reflect.DeepEqual(alone, LookOf("ucb-sdf")) {
		t.Error("a policy with options looks like the one without")
	}
}

func TestSettingsOfOnePolicyAreShadesOfItsColor(t *testing.T) {
	var curves []Curve
	for i := range 6 {
		curves = append(curves, Curve{Name: fmt.Sprintf("m = %d", i), Policy: "ucb-sdf"})
	}
	looks := looksOf(curves)
	for i := range 5 {
		one, next := looks[curves[i].Name].Color, looks[curves[i+1].Name].Color
		if luminance(one) >= luminance(next) || max(one.R, one.G, one.B) != one.B {
			t.Errorf("%v is followed by %v", one, next)
		}
	}
	beside := looksOf(append(named("pi"), curves...))
	if !reflect.DeepEqual(beside["m = 2"], looks["m = 2"]) || !reflect.DeepEqual(beside["pi"], LookOf("pi")) {
		t.Errorf("beside another policy: %v", beside)
	}
	two := looksOf(curves[:2])
	if two["m = 0"].Color != LookOf("ucb-sdf").Color || two["m = 1"].Color != two["m = 0"].Color {
		t.Errorf("two of them are no scale: %v", two)
	}
}

func TestWhatIsNoPolicyHasNoColorOfOne(t *testing.T) {
	var curves []Curve
	for i := range 8 {
		curves = append(curves, Curve{Name: fmt.Sprintf("arm %d", i)})
	}
	looks := looksOf(append(curves, Curve{Name: "unknown", Policy: "not-registered:x=1"}, Curve{Name: "wanted", Baseline: true}))
	if len(looks) != 10 {
		t.Errorf("%d looks", len(looks))
	}
	for name, l := range looks {
		if l.Color.R != l.Color.G || l.Color.G != l.Color.B {
			t.Errorf("%s: %v is no gray", name, l.Color)
		}
		for other, o := range looks {
			if name != other && name != "unknown" && other != "unknown" && reflect.DeepEqual(l, o) {
				t.Errorf("%s and %s look the same", name, other)
			}
		}
	}
}

// The three kinds of color vision without one kind of cones, as maps of linear light (Machado et al. 2009, severity 1), and
// the usual one.
var visions = map[string][3][3]float64{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// seen is a color in OKLab (Ottosson 2020).
func seen(c color.NRGBA, vision [3][3]float64) [3]float64 {
	light := [3]float64{linear(c.R), linear(c.G), linear(c.B)}
	times := func(m [3][3]float64, v [3]float64) (out [3]float64) {
		for i := range m {
			for k := range v {
				out[i] += m[i][k] * v[k]
			}
		}
		return out
	}
	light = times(vision, light)
	for i := range light {
		light[i] = min(max(light[i], 0), 1)
	}
	cones := times([3][3]float64{
		{0.4122214708, 0.5363325363, 0.0514459929}, {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005},
	}, light)
	for i := range cones {
		cones[i] = math.Cbrt(cones[i])
	}
	return times([3][3]float64{
		{0.2104542553, 0.7936177850, -0.0040720468}, {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660},
	}, cones)
}

func TestPoliciesAreToldApartByEveryKindOfColorVisionAndInPrint(t *testing.T) {
	const least = 0.07
	all := policies()
	for i, name := range all {
		look := policyLooks[name]
		if l := luminance(look.Color); l > 0.45 {
			t.Errorf("%s is too light for a line on white: %v", name, l)
		}
		for _, other := range all[:i] {
			if look.Mark == policyLooks[other].Mark {
				t.Errorf("%s and %s have the same mark", name, other)
			}
			if look.Color == policyLooks[other].Color && (look.Dashes == nil) != (policyLooks[other].Dashes == nil) {
				continue // one has the color of the other, and dashes
			}
			for vision, m := range visions {
				a, b := seen(look.Color, m), seen(policyLooks[other].Color, m)
				if d := math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2]); d < least {
					t.Errorf("%s and %s with %s vision: %.3f apart", name, other, vision, d)
				}
			}
		}
	}
}

func TestALegendHasWhatIsDrawnAndNothingElse(t *testing.T) {
	entries := func(f Figure) (out [][]string) {
		panels, together := f.decided()
		groups := [][]panel{panels}
		if !together {
			groups = nil
			for i := range panels {
				groups = append(groups, panels[i:i+1])
			}
		}
		for _, g := range groups {
			var names []string
			for _, k := range keysOf(g) {
				names = append(names, k.Name)
			}
			out = append(out, names)
		}
		return out
	}
	nothing := Curve{Name: "nothing known", Y: []stat.Estimate{stat.Of(nil)}}
	shared := Figure{Panels: []Panel{
		{Curves: append(named("pi", "cbo", ""), nothing)}, {Curves: named("locbo", "cbo"), Points: []Point{{1, 1}}, Dots: "answers"},
	}}
	if got := entries(shared); !reflect.DeepEqual(got, [][]string{{"pi", "cbo", "locbo", "answers"}}) {
		t.Errorf("%q", got)
	}
	own := Figure{Panels: []Panel{{Curves: named("pi", "cbo")}, {Curves: named("locbo")}}}
	if got := entries(own); !reflect.DeepEqual(got, [][]string{{"pi", "cbo"}, {"locbo"}}) {
		t.Errorf("curves that are in one panel each: %q", got)
	}
	for _, f := range []Figure{shared, own} {
		words := wantsOrder(t, f.drawing()).words()
		for _, name := range []string{"pi", "cbo", "locbo"} {
			if n := len(slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w != name })); n != 1 {
				t.Errorf("%q is there %d times", name, n)
			}
		}
	}
}

func TestFewErrorsAreBandsAndManyAreBars(t *testing.T) {
	for n, bars := range map[int]bool{1: false, 3: false, 4: true} {
		curves := named(policies()[:n]...)
		f := Figure{Panels: []Panel{{Curves: curves}}}
		i := wantsOrder(t, f.drawing())
		for _, c := range curves {
			bands := i.filled(LookOf(c.Name).light())
			if want := map[bool]int{false: 2, true: 0}[bars]; bands != want { // on the axes and in the legend
				t.Errorf("%d curves: %s has %d bands, want %d", n, c.Name, bands, want)
			}
		}
	}
	exact := named("pi")
	exact[0].Y = []stat.Estimate{{N: 1, Mean: 1, SE: math.NaN()}, {N: 1, Mean: 2, SE: math.NaN()}}
	if n := wantsOrder(t, Figure{Panels: []Panel{{Curves: exact}}}.drawing()).filled(LookOf("pi").light()); n != 0 {
		t.Errorf("%d bands without an error", n)
	}
	interval := named("pi")
	interval[0].Interval = true
	if n := wantsOrder(t, Figure{Panels: []Panel{{Curves: append(interval, named(policies()[:4]...)...)}}}.drawing()).filled(LookOf("pi").light()); n != 2 {
		t.Errorf("%d areas of an interval", n)
	}
}

func TestMarksOfCurvesAreAtPlacesOfTheirOwn(t *testing.T) {
	long := make([]stat.Estimate, 100)
	s := stops{panel{Panel: Panel{Steps: true}}}
	first, second := s.stops(Curve{Y: long}, 5, 20, 100), s.stops(Curve{Y: long}, 15.5, 20, 100)
	if want := []stop{{5, 4}, {25, 24}, {45, 44}, {65, 64}, {85, 84}}; !slices.Equal(first, want) {
		t.Errorf("%v, want %v", first, want)
	}
	if second[0] != (stop{15.5, 14}) || len(second) != 5 {
		t.Errorf("%v", second)
	}
	s.Steps = false
	if got := s.stops(Curve{Y: long}, 15.5, 20, 100)[0]; got != (stop{15, 14}) {
		t.Errorf("between two places of a line: %v", got)
	}
	if got := s.stops(Curve{Y: long[:3]}, 50, 20, 100); !slices.Equal(got, []stop{{3, 2}}) {
		t.Errorf("a short curve: %v", got)
	}
	if got := s.stops(Curve{X: []float64{1, 7}, Y: long[:2]}, 50, 20, 100); !slices.Equal(got, []stop{{1, 0}, {7, 1}}) {
		t.Errorf("a few given places: %v", got)
	}
}
