package space

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/internal/must"
)

// byEveryPath returns the conditions of a parameter and, for each of them, those of its parent: some more than once.
func byEveryPath(w *conditions, i int) []need {
	var out []need
	for _, n := range w.needs[i] {
		out = append(append(out, n), byEveryPath(w, n.at)...)
	}
	return out
}

// drawAny draws a space some of whose parents are contexts, whether its conditions can hold together or not.
func drawAny(t *rapid.T) (Space, error) {
	parameters := drawDependent(t, true)
	for i, p := range parameters {
		if i > 0 && len(p.Conditions) == 0 && rapid.IntRange(0, 3).Draw(t, "context") == 0 {
			parameters[i] = p.AsContext()
		}
	}
	return New(parameters...)
}

// What is active, from one look at each condition, is what it is where all conditions by every path are looked at, also where values
// are open.
func TestOnePassFindsWhatEveryPathDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := drawAny(t)
		if err != nil && !strings.Contains(err.Error(), "hold together") {
			t.Fatal(err)
		}
		if s.when == nil {
			return
		}
		u := make(Unit, s.Dim())
		for i := range u {
			u[i] = rapid.Float64Range(0, 1).Draw(t, "u")
		}
		x := s.everywhere(u)
		for i := range x {
			if rapid.IntRange(0, 2).Draw(t, "open") == 0 {
				x[i] = math.NaN()
			}
		}
		active, at, surely, byActions := s.Active(u), s.ActiveAt(x), s.SurelyActive(x), s.activeByActions(x)
		for i := range s.Dim() {
			want := [4]bool{true, true, true, true}
			above := map[int]bool{}
			for _, n := range byEveryPath(s.when, i) {
				p, open := s.Parameter(n.at), math.IsNaN(x[n.at])
				holds := !open && n.holds(p.Rank(p.Unit(x[n.at])))
				want[0] = want[0] && n.holds(p.Rank(u[n.at]))
				want[1] = want[1] && (open || holds)
				want[2] = want[2] && holds
				if p.Role.Chosen() {
					want[3], above[n.at] = want[3] && holds, true
				}
			}
			if got := [4]bool{active.Has(i), at.Has(i), surely.Has(i), byActions.Has(i)}; got != want {
				t.Fatalf("%s of %v at %v, %v: active is %v, want %v", s.Parameter(i).Name, s.Parameters(), u, x, got, want)
			}
			if got := s.above()[i]; got != len(above) {
				t.Fatalf("%s of %v depends on %d actions, want %d", s.Parameter(i).Name, s.Parameters(), got, len(above))
			}
		}
	})
}

func TestConditionsThatContradictEachOtherAreFoundByEveryPath(t *testing.T) {
	refused := 0
	for tries := 0; refused == 0 && tries < 20; tries++ { // in one of a hundred all hundred spaces are without a contradiction
		rapid.Check(t, contradicts(&refused))
	}
	if refused == 0 {
		t.Error("no space had a contradiction")
	}
}

// contradicts counts the spaces with contradictions.
func contradicts(refused *int) func(t *rapid.T) {
	return func(t *rapid.T) {
		s, err := drawAny(t)
		if s.when == nil {
			return
		}
		text, count := fmt.Sprint(err), 0
		for i, p := range s.Parameters() {
			left := map[int]need{}
			for _, n := range byEveryPath(s.when, i) {
				if m, other := left[n.at]; other {
					n = n.and(m)
				}
				left[n.at] = n
			}
			for at, n := range left {
				if n.count() > 0 {
					continue
				}
				count++
				want := fmt.Sprintf("Space.Parameters[%d].Conditions = %s: want conditions that can hold together: no value of %s allows all of them", i, p.Name, s.Parameter(at).Name)
				if !strings.Contains(text, want) {
					t.Fatalf("%v: %v, want %s", s.Parameters(), err, want)
				}
			}
		}
		if got := strings.Count(text, "hold together"); got != count {
			t.Fatalf("%v: %d contradictions, want %d: %v", s.Parameters(), got, count, err)
		}
		if count > 0 {
			*refused++
		}
	}
}

// What the values of a point ask of parents that it leaves open is what the conditions by every path ask of them.
func TestWhatIsAskedOfOpenParentsIsWhatEveryPathAsks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := drawAny(t)
		if err != nil || s.when == nil {
			t.Skip("no space with conditions")
		}
		x := make(Point, s.Dim())
		for i, p := range s.Parameters() {
			if x[i] = p.Value(rapid.Float64Range(0, 1).Draw(t, "u")); rapid.Bool().Draw(t, "open") {
				x[i] = math.NaN()
			}
		}
		x = s.silence(x)
		want := map[int]need{}
		possible := true
		for _, i := range s.when.given {
			for _, n := range byEveryPath(s.when, i) {
				if math.IsNaN(x[i]) || !math.IsNaN(x[n.at]) {
					continue
				}
				if m, other := want[n.at]; other {
					n = n.and(m)
				}
				want[n.at] = n
				possible = possible && n.count() > 0
			}
		}
		asked, err := s.open(x)
		if (err == nil) != possible {
			t.Fatalf("%v at %v: %v, possible: %v", s.Parameters(), x, err, possible)
		}
		if err != nil {
			return
		}
		if len(asked) != len(want) {
			t.Fatalf("%v at %v: %v, want %v", s.Parameters(), x, asked, want)
		}
		for _, n := range asked {
			if m := want[n.at]; n.count() != m.count() || n.level(0) != m.level(0) || n.level(n.count()-1) != m.level(m.count()-1) {
				t.Fatalf("%v at %v: %v, want %v", s.Parameters(), x, n, m)
			}
		}
	})
}

// chain returns bools in any order, each active where the one before is true.
func chain(n int) []Parameter {
	out := make([]Parameter, n)
	for i := range out {
		p := Bool(fmt.Sprintf("b%d", i))
		if i > 0 {
			p = p.When(fmt.Sprintf("b%d", i-1), true)
		}
		out[(i*37+5)%n] = p
	}
	return out
}

func TestAChainOfAThousandConditionsIsASpace(t *testing.T) {
	s := must.Get(New(chain(MaxDim)...))(t)
	if got := s.Combinations(); got != MaxDim+1 {
		t.Errorf("%d combinations, want %d", got, MaxDim+1)
	}
	u := make(Unit, MaxDim)
	for i := range u {
		u[i] = 0.75
	}
	u[(600*37+5)%MaxDim] = 0.25
	active, x := s.Active(u), s.Value(u)
	for i := range MaxDim {
		if at := (i*37 + 5) % MaxDim; active.Has(at) != (i <= 600) || math.IsNaN(x[at]) != (i > 600) {
			t.Fatalf("b%d: active is %v, the value %v", i, active.Has(at), x[at])
		}
	}
	if n := testing.AllocsPerRun(10, func() { s.Canonical(u) }); n > 0 {
		t.Errorf("%v allocations to find out what is active", n)
	}
	// Whoever wishes for the last one has all before it.
	wish := make(Point, MaxDim)
	for i := range wish {
		wish[i] = math.NaN()
	}
	last := (999*37 + 5) % MaxDim
	wish[last] = 0
	asked, err := s.open(wish)
	if err != nil || len(asked) != MaxDim-1 {
		t.Errorf("%v: the last one asks for %d others", err, len(asked))
	}
}

func TestACircleOfAThousandConditionsIsRefused(t *testing.T) {
	parameters := chain(MaxDim)
	first := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == "b0" })
	parameters[first] = parameters[first].When("b999", true)
	_, err := New(parameters...)
	if err == nil || strings.Count(err.Error(), "without a circle") != 1 || !strings.Contains(err.Error(), "b1 on b0 on b999 on b998") {
		t.Errorf("%.300v", err)
	}
}

// Diamond upon diamond has more paths than can be gone: each layer depends on both of the one before.
func TestDiamondsOfConditionsAreOneLookEach(t *testing.T) {
	const layers = MaxDim / 2
	var all []Parameter
	for i := range layers {
		for _, side := range []string{"l", "r"} {
			p := Int(fmt.Sprintf("%s%d", side, i), 0, 3)
			if i > 0 {
				p = p.When(fmt.Sprintf("l%d", i-1), 0, 1).WhenAtLeast(fmt.Sprintf("r%d", i-1), 2)
			}
			all = append(all, p)
		}
	}
	s := must.Get(New(all...))(t)
	u := make(Unit, MaxDim)
	for i := range u {
		u[i] = []float64{0.1, 0.9}[i%2]
	}
	if x := s.Value(u); slices.ContainsFunc(x, math.IsNaN) {
		t.Errorf("%v has what is inactive", x)
	}
	u[2*300+1] = 0.1 // r300
	active := s.Active(u)
	for i := range MaxDim {
		if active.Has(i) != (i < 2*301) {
			t.Fatalf("parameter %d: active is %v", i, active.Has(i))
		}
	}
	// One more, which asks for what its grandparents exclude.
	all[MaxDim-1] = all[MaxDim-1].When("l7", 2, 3)
	_, err := New(all...)
	if want := "Space.Parameters[999].Conditions = r499: want conditions that can hold together: no value of l7 allows all of them"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Many conditions of many values, each parameter on the sixteen before it.
func TestDenseConditionsAreASpace(t *testing.T) {
	values := make([]any, 60)
	for i := range values {
		values[i] = i
	}
	var all []Parameter
	for i := range 300 {
		p := Int(fmt.Sprintf("n%d", i), 0, 99)
		for k := max(i-MaxConditions, 0); k < i; k++ {
			p = p.When(fmt.Sprintf("n%d", k), values...)
		}
		all = append(all, p)
	}
	s := must.Get(New(all...))(t)
	u := make(Unit, len(all))
	u[150] = 0.605
	if got, last := s.Active(u), len(all)-1; !got.Has(150) || got.Has(151) || got.Has(last) {
		t.Errorf("what depends on n150 = 60: active is %v, %v, %v", got.Has(150), got.Has(151), got.Has(last))
	}
}
