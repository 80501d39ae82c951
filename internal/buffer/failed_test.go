package buffer

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/feedback"
)

var imputations = []feedback.Imputation{feedback.Ignore, feedback.Censor, feedback.Hallucinate}

// The bad value, worked by hand: values 1 and 3 have mean 2 and standard deviation √2, so that the worst is 1/√2 below the
// mean; with an outlier the worst is farther away than three standard deviations only among many values.
func TestTheBadValueIsTheWorstWithinBounds(t *testing.T) {
	many := append(slices.Repeat([]float64{0}, 24), -5)
	for name, c := range map[string]struct {
		values []float64
		units  feedback.Units
		known  bool
		want   float64
	}{
		"no value":                   {nil, Standardize(nil), false, -1},
		"no value, known":            {nil, Identity(0), true, -1},
		"one":                        {[]float64{7}, Standardize([]float64{7}), false, -1},
		"all alike":                  {[]float64{2, 2, 2}, Standardize([]float64{2, 2, 2}), false, -1},
		"the worst is near":          {[]float64{1, 3}, Standardize([]float64{1, 3}), false, -1},
		"the worst":                  {[]float64{0, 0, 0, 4, 4, 4, 4, 4, 4}, feedback.Units{Shift: 3, Scale: 2}, false, -1.5},
		"an outlier":                 {many, Standardize(many), false, -3},
		"known, far":                 {[]float64{-40, 3}, Identity(0), true, -40},
		"known, near":                {[]float64{-0.25, 3}, Identity(0), true, -0.25},
		"known, all above the prior": {[]float64{5, 6}, Identity(0), true, 5},
		"known, huge":                {[]float64{-math.MaxFloat64, 3}, Identity(0), true, -1e100},
	} {
		u := Fails(c.units, c.values, c.known)
		if math.Abs(u.Failed-c.want) > 1e-12*math.Abs(c.want) {
			t.Errorf("%s: %v, want %v", name, u.Failed, c.want)
		}
		if u.Failed = 0; u != c.units {
			t.Errorf("%s: the units changed from %+v to %+v", name, c.units, u)
		}
	}
	if worst := Standardize(many).To(-5); math.Abs(worst+4.8) > 1e-12 { // 24/25 of 5 below the mean, which is 4.8 standard deviations
		t.Errorf("the outlier is at %v", worst)
	}
}

// A query that failed has a row with the bad value for every imputation, is settled, and is nobody's answer.
func TestAFailedQueryHasABadRow(t *testing.T) {
	u := feedback.Units{Shift: 1, Scale: 2, Censored: -7, Failed: -2}
	var b Buffer
	for s := 1; s <= 4; s++ {
		b.Open(s, s, 0)
	}
	b.Reveal(3, 5, 5, 0)
	b.Fail(1)
	b.Fail(1)
	b.Remove(4)
	for how, want := range map[feedback.Imputation]Set{
		feedback.Ignore:      {Numbers: []int{3, 1}, Targets: []float64{2, -2}},
		feedback.Censor:      {Numbers: []int{1, 2, 3}, Targets: []float64{-2, -7, 2}, Unanswered: []int{1}},
		feedback.Hallucinate: {Numbers: []int{1, 2, 3}, Targets: []float64{-2, -7, 2}, Unanswered: []int{1}},
	} {
		got := b.View(how, u)
		if !slices.Equal(got.Numbers, want.Numbers) || !slices.Equal(got.Targets, want.Targets) || !slices.Equal(got.Unanswered, want.Unanswered) {
			t.Errorf("%v: %+v, want %+v", how, got, want)
		}
		target, settled := b.Target(1, how, u)
		if !b.Member(1, how) || b.Usable(1, how) || target != -2 || !settled {
			t.Errorf("%v: member %v, usable %v, target %v, settled %v", how, b.Member(1, how), b.Usable(1, how), target, settled)
		}
		if b.Count(how) != 1 || !slices.Equal(b.Answered(how), []int{3}) || !slices.Equal(b.Values(how), []float64{5}) {
			t.Errorf("%v: the failure counts as an answer: %v", how, b.Answered(how))
		}
	}
}

// What was said last counts: failed, removed, or answered after all.
func TestFailuresAndRemovalsReplaceEachOther(t *testing.T) {
	for _, how := range imputations {
		var b Buffer
		b.Open(1, 1, 0)
		row := func() (target float64) {
			set := b.View(how, feedback.Units{Scale: 1, Failed: -2})
			if b.Member(1, how) != (len(set.Targets) == 1) {
				t.Fatalf("%v: member %v, %+v", how, b.Member(1, how), set)
			}
			if len(set.Targets) == 0 {
				return 0
			}
			return set.Targets[0]
		}
		b.Fail(1)
		failed := row()
		b.Remove(1)
		removed := row()
		b.Fail(1)
		again := row()
		late := b.Reveal(1, 9, 2, 0)
		if failed != -2 || removed != 0 || again != -2 || !late || row() != 9 || b.Count(how) != 1 {
			t.Errorf("%v: %v, %v, %v; late %v, %v", how, failed, removed, again, late, row())
		}
	}
}

// Under a strict window the value of a query that failed is too late for a policy that censors. Its bad row goes with the
// failure: there is a value now, and no other row takes its place.
func TestAStrictWindowKeepsFailedQueriesOut(t *testing.T) {
	b := Buffer{Window: feedback.Window{Rounds: 5, Strict: true}}
	b.Open(1, 1, 0)
	b.Fail(1)
	b.Reveal(1, 100, 2, 0)
	for how, want := range map[feedback.Imputation]bool{feedback.Censor: false, feedback.Ignore: true, feedback.Hallucinate: true} {
		if b.Member(1, how) != want || (len(b.View(how, Identity(0)).Numbers) == 1) != want || (b.Count(how) == 1) != want {
			t.Errorf("%v: member %v, want %v", how, b.Member(1, how), want)
		}
	}
}

func TestAnAnswerDoesNotFail(t *testing.T) {
	defer func() {
		if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "buffer: Fail") {
			t.Errorf("%v: no panic with the room's name", text)
		}
	}()
	var b Buffer
	b.Open(1, 1, 0)
	b.Reveal(1, 1, 2, 0)
	b.Fail(1)
}

// fate is what was last said of a query.
type fate struct {
	failed, removed, answered bool
	hopeless                  bool // it failed for good
	late                      bool // the answer
	barred                    bool // the answer came after it was given up, under a strict window
	value                     float64
}

// row is what the model sees of it, if it sees it.
func (f fate) row(how feedback.Imputation, strict bool, u feedback.Units) (target float64, settled, member bool) {
	usable := f.answered && !(how == feedback.Censor && f.late && strict)
	switch {
	case usable:
		return u.To(f.value), true, true
	case f.failed:
		return u.Failed, true, true
	}
	return u.Censored, false, how != feedback.Ignore && !f.removed && !(how == feedback.Censor && f.barred)
}

// The buffer, asked for single queries and for lists, says what a plain list of fates says.
func TestTheBufferIsAListOfFates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Buffer{Window: feedback.Window{Rounds: 2, Strict: rapid.Bool().Draw(t, "strict")}}
		var fates []fate
		for _, action := range rapid.SliceOfN(rapid.IntRange(0, 6), 1, 40).Draw(t, "actions") {
			n := len(fates)
			if action < 2 || n == 0 {
				b.Open(n+1, n+1, time.Duration(n))
				fates = append(fates, fate{})
				continue
			}
			number := rapid.IntRange(1, n).Draw(t, "number")
			f := &fates[number-1]
			switch {
			case f.answered:
			case action == 2:
				b.Remove(number)
				*f = fate{removed: true}
			case action == 3:
				b.Fail(number)
				*f = fate{failed: true, hopeless: f.hopeless}
			case action == 4:
				b.Forbid(number)
				*f = fate{failed: true, hopeless: true}
			default:
				value := rapid.Float64Range(-5, 5).Draw(t, "value")
				late := b.Reveal(number, value, n+1, time.Duration(n))
				given := f.failed || f.removed
				if want := given || n+1-number > 2; late != want {
					t.Fatalf("query %d is late: %v, want %v", number, late, want)
				}
				*f = fate{answered: true, value: value, late: late, barred: given && b.Window.Strict}
			}
		}
		for _, how := range imputations {
			compareWithFates(t, &b, fates, how)
		}
	})
}

func compareWithFates(t *rapid.T, b *Buffer, fates []fate, how feedback.Imputation) {
	u := feedback.Units{Shift: 1, Scale: 2, Censored: -9, Failed: -4}
	set := b.View(how, u)
	rows := 0
	for i, f := range fates {
		want, wantSettled, wantMember := f.row(how, b.Window.Strict, u)
		target, settled := b.Target(i+1, how, u)
		if target != want || settled != wantSettled || b.Member(i+1, how) != wantMember {
			t.Fatalf("%v: query %d, %+v: target %v, settled %v, member %v", how, i+1, f, target, settled, b.Member(i+1, how))
		}
		if failed, hopeless := b.Failed(i + 1); failed != f.failed || hopeless != f.hopeless {
			t.Fatalf("%v: query %d, %+v: failed %v, hopeless %v", how, i+1, f, failed, hopeless)
		}
		row := slices.Index(set.Numbers, i+1)
		if (row >= 0) != wantMember || row >= 0 && (set.Targets[row] != want || slices.Contains(set.Unanswered, row) == wantSettled) {
			t.Fatalf("%v: query %d, %+v: row %d of %+v", how, i+1, f, row, set)
		}
		rows += map[bool]int{true: 1}[wantMember]
	}
	if len(set.Numbers) != rows || len(set.Targets) != rows || b.Count(how) != len(b.Values(how)) {
		t.Fatalf("%v: %+v, want %d rows", how, set, rows)
	}
}
