package portrait_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

func text(t testing.TB, v any) string { return string(must.Get(json.Marshal(v))(t)) }

func sine(q tarry.Query) tarry.Outcome {
	return tarry.Outcome{Value: math.Sin(5*q.X[0]) - float64(len(q.X)), Cost: 2}
}

// What was followed event by event is what is read from the beginning, to the letter, whatever happened; and what a page puts together of
// what changed is the whole.
func TestASketchThatFollowsIsOneThatReadsFromTheBeginning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Int("n", 1, 9)))(t)
		k := portrait.NewSketch()
		o := tarry.Options{Budget: 300, Policy: must.Get(tarry.ParsePolicy("random"))(t), Lease: 20 * time.Second, Timeout: 9 * time.Second, Retries: 1, Pending: 8}
		o.OnEvent = func(e tarry.Event) { k.Touch(e.Reaction.Evaluation) }
		study := must.Get(tarry.NewStudy(s, o))(t)
		defer study.Close()
		r := portrait.Range{Most: 40}
		page, before := map[int]portrait.Evaluation{}, portrait.Portrait{}
		round := 0
		rough(t, study, nil, 900, sine, func() {
			if round++; round%3 > 0 {
				return
			}
			study.Look(func(l *loop.Loop, elapsed time.Duration) {
				k.Follow(l)
				scratch := portrait.NewSketch()
				scratch.Follow(l)
				got, want := k.Portrait(of("s", l, elapsed), r), scratch.Portrait(of("s", l, elapsed), r)
				if a, b := text(t, got), text(t, want); a != b {
					t.Fatalf("after %d events they differ: %s", got.Standing.Events, differ(a, b))
				}
				since := r
				since.After, since.Stride = before.Standing.Events, before.Drawn.Stride
				step := k.Portrait(of("s", l, elapsed), since)
				if step.Drawn.After == 0 {
					clear(page)
				}
				for _, e := range step.Evaluations {
					page[e.Number] = e
				}
				if step.Values != want.Values || step.Drawn.Words != want.Drawn.Words {
					t.Fatalf("%+v, want %+v", step.Values, want.Values)
				}
				for _, e := range want.Evaluations {
					had, there := page[e.Number]
					if e.Age, had.Age = nil, nil; !there || text(t, had) != text(t, e) {
						t.Fatalf("after %d events the page has %v %s, want %s", got.Standing.Events, there, text(t, had), text(t, e))
					}
				}
				before = step
			})
		})
		if before.Drawn.Stride < 2 || before.Standing.Evaluations < 100 {
			t.Errorf("%+v: want a study that is thinned", before.Drawn)
		}
	})
}

// A value may come for a point that was infeasible without one, and stays it: what it cost counts, once, whenever somebody looked.
func TestWhatAnInfeasiblePointCostCounts(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	k := portrait.NewSketch()
	o := tarry.Options{Budget: 20, Policy: must.Get(tarry.ParsePolicy("random"))(t), Constraints: []tarry.Constraint{tarry.AtMost("c", 0)}}
	o.OnEvent = func(e tarry.Event) { k.Touch(e.Reaction.Evaluation) }
	study := must.Get(tarry.NewStudy(s, o))(t)
	defer study.Close()
	looked := func(want float64) {
		t.Helper()
		study.Look(func(l *loop.Loop, elapsed time.Duration) {
			k.Follow(l)
			got := k.Portrait(of("s", l, elapsed), portrait.Range{Most: 40})
			if cost := float64(got.Standing.Cost); cost != want || cost != l.Cost() {
				t.Errorf("cost %g, want %g; that of the study is %g", cost, want, l.Cost())
			}
		})
	}
	q := must.Get(study.Ask())(t)
	if err := study.Fail(q.ID, tarry.ErrInfeasible); err != nil {
		t.Fatal(err)
	}
	looked(0)
	for range 2 { // the second one repeats the first
		if err := study.TellOutcome(q.ID, tarry.Outcome{Value: 1, Constraints: []float64{0.5}, Cost: 7}); err != nil {
			t.Fatal(err)
		}
		looked(7)
	}
}

// Of many evaluations some are drawn, and it is said which: the numbers are those of the words.
func TestWhatIsLeftOutIsSaid(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t)
	store := played(t, s, tarry.Options{Budget: 2000, Pending: 6, Lease: 20 * time.Second}, "random", 3000, sine)
	p := whole(t, "s", store, portrait.Range{Most: 100})
	n := p.Standing.Evaluations
	best := map[int]bool{}
	for _, step := range p.Incumbents {
		best[step.Evaluation] = true
	}
	l, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	var want []int
	for _, e := range l.Evaluations() {
		if portrait.Spread(e.Number, p.Drawn.Stride) || e.Number > n-p.Drawn.Latest || best[e.Number] || e.Status == loop.Pending {
			want = append(want, e.Number)
		}
	}
	var got []int
	for _, e := range p.Evaluations {
		got = append(got, e.Number)
	}
	if !slices.Equal(got, want) || p.Drawn.Stride < 8 || !strings.HasPrefix(p.Drawn.Words, "2") {
		t.Errorf("%v\n%v\n%+v", got, want, p.Drawn)
	}
	if all := whole(t, "s", store, portrait.Range{Most: 5000}); len(all.Evaluations) != n || !strings.HasPrefix(all.Drawn.Words, "all ") {
		t.Errorf("%d of %d: %+v", len(all.Evaluations), n, all.Drawn)
	}
}

// Of any numbers in a row about one of so many is drawn, also of those with a period, and a greater stride takes some of a smaller one's.
func TestWhatIsDrawnHasNoPeriod(t *testing.T) {
	for _, stride := range []int{1, 2, 8, 64} {
		for _, period := range []int{1, 2, 50, 64, 100} {
			drawn, n := 0, 200*stride
			for i := range n {
				if portrait.Spread(3+i*period, stride) {
					drawn++
				}
			}
			if drawn < 100 || drawn > 300 {
				t.Errorf("%d of %d numbers with period %d, want about one of %d", drawn, n, period, stride)
			}
		}
		for number := 1; number < 5000; number++ {
			if portrait.Spread(number, 2*stride) && !portrait.Spread(number, stride) {
				t.Fatalf("%d is one of %d and not of %d", number, 2*stride, stride)
			}
		}
	}
}

// A slice is what Predict says at each of its places, goes through the best point and names all others as they are there.
func TestSlicesAreWhatTheModelPredicts(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.LogFloat("x", 1e-3, 1), tarry.Categorical("kind", "a", "b", "c"), tarry.Float("m", 0, 1).When("kind", "b")))(t)
	store := played(t, s, tarry.Options{Budget: 60}, "gp-bucb", 120, sine)
	l, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	p := whole(t, "s", store, portrait.Range{})
	best := l.Evaluations()[p.Best.Number-1]
	if p.Slices.Why != "" || p.Slices.Evaluation != best.Number || len(p.Slices.Parameters) < 2 {
		t.Fatalf("%+v", p.Slices)
	}
	for _, one := range p.Slices.Parameters {
		if !slices.Contains(one.Places, best.X[one.Parameter]) {
			t.Errorf("parameter %d leads past the best point: %v", one.Parameter, one.Places)
		}
		for i, u := range one.Places {
			at := slices.Clone(best.X)
			at[one.Parameter] = u
			want := must.Get(l.Predict(s.Value(s.Canonical(at))))(t)
			if one.Means[i] != want.Mean || one.Stddevs[i] != want.Stddev {
				t.Errorf("%v: %v ± %v, want %+v", at, one.Means[i], one.Stddevs[i], want)
			}
		}
	}
	if none := whole(t, "s", played(t, s, tarry.Options{Budget: 9}, "random", 60, sine), portrait.Range{}); !strings.Contains(none.Slices.Why, "random") {
		t.Errorf("%+v", none.Slices)
	}
	if none := whole(t, "s", played(t, s, tarry.Options{Budget: 9}, "random", 1, sine), portrait.Range{}); none.Slices.Why != "no value yet" || none.Best != nil {
		t.Errorf("%+v", none.Slices)
	}
}

// differ is where two texts part.
func differ(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return a[max(i-80, 0):min(i+80, len(a))] + "\n" + b[max(i-80, 0):min(i+80, len(b))]
}

// By how many deviations a value came from its forecast, by hand, also where their difference is beyond all numbers.
func TestHowFarAValueCameFromItsForecast(t *testing.T) {
	inf := hindsight.Number(math.Inf(1))
	for _, c := range []struct {
		mean, stddev hindsight.Number
		value, want  float64
		told         bool
	}{
		{3, 2, 4, 0.5, true}, {-1e308, 1e308, 1e308, 2, true}, {1.5e308, 1e308, -1e308, -2.5, true}, {5e-324, 5e-324, 1e-323, 1, true},
		{3, 0, 4, 0, false}, {inf, 1, 4, 0, false}, {3, inf, 4, 0, false},
	} {
		if got, told := (portrait.Forecast{Mean: c.mean, Stddev: c.stddev}).Off(c.value); got != c.want || told != c.told {
			t.Errorf("%+v: %v %v", c, got, told)
		}
	}
}
