package buffer

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/feedback"
)

// Asked for one query at a time, the buffer says what its lists say, whatever happened.
func TestSingleQueriesAgreeWithTheLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Buffer{Window: feedback.Window{Rounds: rapid.IntRange(0, 3).Draw(t, "rounds")}}
		b.Window.Strict = b.Window.Rounds > 0 && rapid.Bool().Draw(t, "strict")
		open := map[int]bool{} // by number, those without an answer
		for _, action := range rapid.SliceOfN(rapid.IntRange(0, 4), 1, 40).Draw(t, "actions") {
			n := b.Len()
			if action < 2 {
				b.Open(n+1, n+1, time.Duration(n))
				open[n+1] = true
				continue
			}
			number := rapid.IntRange(1, n+1).Draw(t, "number")
			switch {
			case !open[number]:
			case action == 2:
				b.Remove(number)
			default:
				b.Reveal(number, rapid.Float64Range(-5, 5).Draw(t, "value"), n+1, time.Duration(n))
				open[number] = false
			}
		}
		for _, how := range []feedback.Imputation{feedback.Ignore, feedback.Censor, feedback.Hallucinate} {
			agree(t, &b, how)
		}
	})
}

func agree(t *rapid.T, b *Buffer, how feedback.Imputation) {
	u := feedback.Units{Shift: 1, Scale: 2, Censored: -9}
	set, answered, values := b.View(how, u), b.Answered(how), b.Values(how)
	if len(answered) != len(values) || b.Count(how) != len(values) {
		t.Fatalf("%v: %d answered, %d values, counted %d", how, len(answered), len(values), b.Count(how))
	}
	for number := 1; number <= b.Len(); number++ {
		row, at := slices.Index(set.Numbers, number), slices.Index(answered, number)
		if b.Member(number, how) != (row >= 0) || b.Usable(number, how) != (at >= 0) {
			t.Fatalf("%v: query %d is a member: %v, its row is %d; it is usable: %v, its value is number %d",
				how, number, b.Member(number, how), row, b.Usable(number, how), at)
		}
		target, known := b.Target(number, how, u)
		want := -9.0
		if at >= 0 {
			want = (values[at] - 1) / 2
		}
		if target != want || known != (at >= 0) {
			t.Fatalf("%v: query %d has target %v (%v), want %v", how, number, target, known, want)
		}
		if row >= 0 && (set.Targets[row] != want || slices.Contains(set.Unanswered, row) == known) {
			t.Fatalf("%v: row %d has target %v, want %v", how, row, set.Targets[row], want)
		}
	}
}

// Under a strict window the value of a query that was given up is too late for a policy that censors, and its row does not
// come back; others use every value.
func TestAStrictWindowKeepsGivenUpQueriesOut(t *testing.T) {
	b := Buffer{Window: feedback.Window{Rounds: 5, Strict: true}}
	b.Open(1, 1, 0)
	b.Remove(1)
	b.Reveal(1, 100, 2, 0)
	for how, want := range map[feedback.Imputation]bool{feedback.Censor: false, feedback.Ignore: true, feedback.Hallucinate: true} {
		if b.Member(1, how) != want || (len(b.View(how, Identity(0)).Numbers) == 1) != want {
			t.Errorf("%v: member %v, want %v", how, b.Member(1, how), want)
		}
	}
}
