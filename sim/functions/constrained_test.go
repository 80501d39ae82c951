package functions

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

func everyConstrained(t *testing.T) (all []Constrained) {
	for _, name := range ConstrainedNames() {
		all = append(all, must.Get(GetConstrained(name))(t))
	}
	return all
}

func TestEveryConstrainedMinimizerIsFeasibleAndReachesTheMinimum(t *testing.T) {
	for _, c := range everyConstrained(t) {
		if len(c.Limits) == 0 || len(c.Minimizers) == 0 || c.Reference == "" {
			t.Errorf("%s is incomplete: %+v", c.Name, c)
		}
		for _, x := range c.Minimizers {
			if v := c.Loss(x); math.Abs(v-c.Minimum) > 1e-12*max(math.Abs(c.Minimum), 1) {
				t.Errorf("%s is %.17g at %v, its minimum is %.17g", c.Name, v, x, c.Minimum)
			}
			if !c.Feasible(x, 1e-11) {
				t.Errorf("%s: minimizer %v is not feasible", c.Name, x)
			}
		}
	}
}

// The limits that decide each minimum, by name. All others have room there.
func TestTheLimitsThatDecide(t *testing.T) {
	active := map[string][]string{
		"ackley10": {"sum"}, "gardner1": nil, "gardner2": {"c"}, "gramacy": {"wave"}, "pressurevessel": {"shell_too_thin", "volume"},
		"vesselcontinuous": {"shell_too_thin", "heads_too_thin", "volume"}, "reactor": {"selectivity_above_yield"}, "spring": {"deflection", "shear_stress"},
		"speedreducer": {"stress_in_shaft_1", "stress_in_shaft_2", "face_to_module", "length_of_shaft_2"},
		"weldedbeam":   {"shear_stress", "bending_stress", "weld_beyond_beam", "buckling_load"},
	}
	for _, c := range everyConstrained(t) {
		var names []string
		for _, l := range c.Limits {
			if math.Abs(l.Slack(l.Value(c.Minimizers[0]))) < 1e-9*l.Scale() {
				names = append(names, l.Name)
			}
		}
		if want, known := active[c.Name]; !known || !slices.Equal(names, want) {
			t.Errorf("%s is held by %q, want %q", c.Name, names, want)
		}
	}
}

// What the literature prints, with one unit in the last printed digit as tolerance.
func TestConstrainedMinimaAreThePublishedOnes(t *testing.T) {
	for _, p := range []struct {
		name       string
		value, off float64
	}{
		{"gramacy", .5998, 1e-4}, {"gardner2", .2532, 1e-4}, {"weldedbeam", 1.724852, 1e-6}, {"pressurevessel", 6059.714335, 1e-6},
		{"vesselcontinuous", 5885.3327736, 1e-7}, {"spring", .0126652328, 1e-10}, {"speedreducer", 2994.4710661, 1e-7}, {"ackley10", 0, 0},
	} {
		if c := must.Get(GetConstrained(p.name))(t); math.Abs(c.Minimum-p.value) > p.off {
			t.Errorf("%s has the minimum %.12g, published is %v", p.name, c.Minimum, p.value)
		}
	}
}

func TestALimitExcludesPartOfEveryBox(t *testing.T) {
	for _, c := range everyConstrained(t) {
		stream, feasible := rng.New(1, rng.Test, 8), 0
		for range 20_000 {
			if c.Feasible(anywhere(stream, c), 0) {
				feasible++
			}
		}
		t.Logf("%s: %.4f of the box is feasible", c.Name, float64(feasible)/20_000)
		if feasible == 20_000 {
			t.Errorf("%s has no infeasible point", c.Name)
		}
	}
}

// For plates of given thickness the cost is a function of the radius: the least length that holds the volume is the best.
func TestNoOtherPlatesMakeACheaperVessel(t *testing.T) {
	c := must.Get(GetConstrained("pressurevessel"))(t)
	step, least := 0.0625, math.Inf(1)
	narrowest := 40.3 // 200 long it does not hold the volume yet
	if volume := c.Limits[2].Value([]float64{0, 0, narrowest, 200}); volume >= 1_296_000 {
		t.Fatalf("the volume is %v", volume)
	}
	var best []float64
	for i := 1; i <= 99; i++ {
		for j := 1; j <= 99; j++ {
			shell, heads := step*float64(i), step*float64(j)
			widest := min(shell/0.0193, heads/0.00954, 200)
			if c.Loss([]float64{shell, heads, narrowest, 10}) > c.Minimum {
				break // thicker plates are dearer still
			}
			for k := range 2001 {
				r := narrowest + (widest-narrowest)*float64(k)/2000
				l := max((1_296_000-4./3*math.Pi*r*r*r)/(math.Pi*r*r), 10)
				if l > 200 || r < narrowest {
					continue
				}
				if v := c.Loss([]float64{shell, heads, r, l}); v < least {
					least, best = v, []float64{shell, heads, r, l}
				}
			}
		}
	}
	if math.Abs(least-c.Minimum) > 1e-9*c.Minimum {
		t.Errorf("%.12g at %v, the minimum is %.12g", least, best, c.Minimum)
	}
}

// The closed form is the solution of the equations of the reactor, integrated in small steps.
func TestTheReactorFollowsItsEquations(t *testing.T) {
	for _, at := range []struct{ celsius, pH, minutes float64 }{{160, .5, 1}, {200, .25, .02}, {140, 1, 3}, {198.8, .51, .02}} {
		// The rates follow from the closed form near 0, where nothing is spent, and from its decay.
		const dt = 1e-7
		y0, s0 := fructose(at.celsius, at.pH, dt)
		made, gone := y0/100/dt, y0/s0/dt
		fall := func(f, h, spent float64) (df, dh float64) { return -gone * f, made*f - spent*h }
		kelvin, acid := at.celsius+273, math.Pow(10, -at.pH)
		spent := acid * (math.Exp(-3.25-97e3/8.314*(1/kelvin-1./381)) + math.Exp(-5.14-64e3/8.314*(1/kelvin-1./381)))
		f, h, steps := 1.0, 0.0, 4000
		step := at.minutes / float64(steps)
		for range steps { // the midpoint rule
			df, dh := fall(f, h, spent)
			df, dh = fall(f+step/2*df, h+step/2*dh, spent)
			f, h = f+step*df, h+step*dh
		}
		yield, selectivity := fructose(at.celsius, at.pH, at.minutes)
		if math.Abs(yield-100*h) > 1e-3 || math.Abs(selectivity-100*h/(1-f)) > 1e-3 {
			t.Errorf("%+v: yield %v and selectivity %v, integrated %v and %v", at, yield, selectivity, 100*h, 100*h/(1-f))
		}
	}
	if y, s := fructose(160, .5, 1); math.Abs(y-42.8137834979) > 1e-9 || math.Abs(s-45.3237000162) > 1e-9 {
		t.Errorf("yield %.12g, selectivity %.12g", y, s)
	}
}

// Without its margin the constraint of the reactor holds everywhere.
func TestSelectivityIsNeverBelowYield(t *testing.T) {
	c, stream := must.Get(GetConstrained("reactor"))(t), rng.New(1, rng.Test, 9)
	for range 10_000 {
		if x := anywhere(stream, c); c.Limits[0].Value(x) < 0 {
			t.Fatalf("selectivity is %v above yield at %v", c.Limits[0].Value(x), x)
		}
	}
}

func TestStepsAndTheBoxArePartOfWhatIsFeasible(t *testing.T) {
	c := must.Get(GetConstrained("pressurevessel"))(t)
	x := slices.Clone(c.Minimizers[0])
	if x[0] += 0.01; c.Feasible(x, 1e-6) {
		t.Error("a plate of any thickness is feasible")
	}
	if x[0] = 0.875; !c.Feasible(x, 1e-6) {
		t.Error("a thicker plate is not feasible")
	}
	if x[3] = 201; c.Feasible(x, 1e-6) {
		t.Error("a point outside of the box is feasible")
	}
}

func TestSlackIsWhatIsLeftToTheBound(t *testing.T) {
	most, least := atMost("most", -7, nil), atLeast("least", .5, nil)
	if most.Slack(-9) != 2 || most.Slack(-6) != -1 || least.Slack(.25) != -.25 || least.Slack(2) != 1.5 || most.Scale() != 7 || least.Scale() != 1 {
		t.Error("slack or scale are others")
	}
}

// As constraints and parameters of a study are called.
func TestNamesOfLimitsAndParametersAreNames(t *testing.T) {
	name := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	for _, c := range everyConstrained(t) {
		names := map[string]bool{}
		for _, l := range c.Limits {
			if !name.MatchString(l.Name) || names[l.Name] {
				t.Errorf("%s has a limit %q", c.Name, l.Name)
			}
			names[l.Name] = true
		}
		clear(names)
		for _, p := range c.Parameters {
			if !name.MatchString(p.Name) || names[p.Name] || !(p.Low < p.High) {
				t.Errorf("%s has a parameter %+v", c.Name, p)
			}
			names[p.Name] = true
		}
	}
}

func TestConstrainedNamesAreSortedAndAnUnknownOneListsThem(t *testing.T) {
	if names := ConstrainedNames(); !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) {
		t.Errorf("names are %v", names)
	}
	_, err := GetConstrained("branin")
	const want = `constrained function = "branin": want one of ackley10, gardner1, gardner2, gramacy, pressurevessel, reactor, speedreducer, spring, vesselcontinuous, weldedbeam`
	if err == nil || err.Error() != want || !errors.Is(err, check.ErrInvalidOption) {
		t.Errorf("error is %v", err)
	}
}
