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

// targetsAt opens all queries before selection t and reveals those whose indicator d ≤ t − s has come true.
func targetsAt(y []float64, d []int, t int, w feedback.Window) []float64 {
	b := Buffer{Window: w}
	for s := 1; s < t; s++ {
		b.Open(s, s, 0)
	}
	for round := 1; round <= t; round++ {
		for s := 1; s < t; s++ {
			if s+d[s-1] == round {
				b.Reveal(s, y[s-1], round, 0)
			}
		}
	}
	return b.View(feedback.Censor, Identity(0)).Targets
}

// Verma et al. 2022, section 3.1: ỹ = y·1{d ≤ min(m, t − s)}.
func TestCensoredTargetsByRounds(t *testing.T) {
	y := []float64{.62, .15, .81, .40, .97, .33, .58}
	d := []int{0, 3, 5, 1, 2, 4, 1}
	cases := []struct {
		t, m int
		want []float64
	}{
		{5, 2, []float64{.62, 0, 0, .40}},
		{8, 2, []float64{.62, 0, 0, .40, .97, 0, .58}},
		{5, 4, []float64{.62, .15, 0, .40}},
		{8, 4, []float64{.62, .15, 0, .40, .97, 0, .58}},
		{8, 10, []float64{.62, .15, .81, .40, .97, 0, .58}},
	}
	for _, c := range cases {
		if got := targetsAt(y, d, c.t, feedback.Window{Rounds: c.m, Strict: true}); !slices.Equal(got, c.want) {
			t.Errorf("t=%d m=%d: %v, want %v", c.t, c.m, got, c.want)
		}
	}
}

// The same, appendix A.4: delays and window in time.
func TestCensoredTargetsByTime(t *testing.T) {
	second := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	tau, d, y := []float64{0, 1, 2.5, 3}, []float64{2, .4, 9, .7}, []float64{.6, .2, .8, .4}
	for _, c := range []struct {
		now  float64
		want []float64
	}{{3.5, []float64{.6, .2, 0, 0}}, {20, []float64{.6, .2, 0, .4}}} {
		b := Buffer{Window: feedback.Window{Duration: 4 * time.Second, Strict: true}}
		for s := range tau {
			b.Open(s+1, s+1, second(tau[s]))
		}
		for s := range tau {
			if tau[s]+d[s] <= c.now {
				b.Reveal(s+1, y[s], 9, second(tau[s]+d[s]))
			}
		}
		if got := b.View(feedback.Censor, Identity(0)).Targets; !slices.Equal(got, c.want) {
			t.Errorf("at %v: %v, want %v", c.now, got, c.want)
		}
	}
}

func TestLateAnswersEnterTheModelUnlessStrict(t *testing.T) {
	for _, strict := range []bool{false, true} {
		b := Buffer{Window: feedback.Window{Rounds: 2, Strict: strict}}
		b.Open(1, 1, 0)
		if late := b.Reveal(1, 0.8, 4, 0); !late {
			t.Fatal("a delay of 3 rounds is within a window of 2")
		}
		want := 0.8
		if strict {
			want = 0
		}
		set := b.View(feedback.Censor, Identity(0))
		if set.Targets[0] != want || (len(set.Unanswered) == 1) != strict {
			t.Errorf("strict=%v: %+v", strict, set)
		}
		if got := len(b.Values(feedback.Censor)); (got == 0) != strict {
			t.Errorf("strict=%v: %d values", strict, got)
		}
		// The window acts on censoring only.
		for _, how := range []feedback.Imputation{feedback.Ignore, feedback.Hallucinate} {
			if v := b.Values(how); len(v) != 1 || b.View(how, Identity(0)).Targets[0] != 0.8 {
				t.Errorf("%v sees %v", how, v)
			}
		}
	}
}

func TestRowsOfEachImputation(t *testing.T) {
	var b Buffer
	for s := 1; s <= 5; s++ {
		b.Open(s, s, 0)
	}
	b.Reveal(4, 4, 6, 0)
	b.Reveal(2, 2, 7, 0)
	b.Reveal(1, 1, 7, 0) // between the same two selections: order is by number, not by arrival
	b.Remove(3)
	b.Remove(3)
	if set := b.View(feedback.Ignore, Identity(0)); !slices.Equal(set.Numbers, []int{4, 1, 2}) || !slices.Equal(set.Targets, []float64{4, 1, 2}) {
		t.Errorf("ignore: %+v", set)
	}
	u := feedback.Units{Shift: 1, Scale: 2, Censored: -7}
	set := b.View(feedback.Censor, u)
	if !slices.Equal(set.Numbers, []int{1, 2, 4, 5}) || !slices.Equal(set.Targets, []float64{0, .5, 1.5, -7}) || !slices.Equal(set.Unanswered, []int{3}) {
		t.Errorf("censor: %+v", set)
	}
	if b.Len() != 5 {
		t.Errorf("%d queries", b.Len())
	}
	b.Reveal(3, 3, 9, 0) // a removed query whose answer comes after all is back
	if set := b.View(feedback.Hallucinate, Identity(0)); !slices.Equal(set.Numbers, []int{1, 2, 3, 4, 5}) {
		t.Errorf("after the answer: %+v", set)
	}
}

func TestOrderOfArrivalBetweenTwoSelectionsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		perm := rapid.Permutation(seq(n)).Draw(t, "order")
		var a, b Buffer
		for s := 1; s <= n; s++ {
			a.Open(s, s, 0)
			b.Open(s, s, 0)
		}
		for i := range n {
			a.Reveal(i+1, float64(i), n+1, 0)
			b.Reveal(perm[i], float64(perm[i]-1), n+1, 0)
		}
		for _, how := range []feedback.Imputation{feedback.Ignore, feedback.Censor, feedback.Hallucinate} {
			x, y := a.View(how, Identity(0)), b.View(how, Identity(0))
			if !slices.Equal(x.Numbers, y.Numbers) || !slices.Equal(x.Targets, y.Targets) {
				t.Fatalf("%v: %+v and %+v", how, x, y)
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

func TestMisuseIsABug(t *testing.T) {
	opened := func() *Buffer { b := &Buffer{}; b.Open(1, 1, 0); return b }
	for name, misuse := range map[string]func(){
		"gap":            func() { opened().Open(3, 2, 0) },
		"unknown":        func() { opened().Reveal(2, 1, 2, 0) },
		"not finite":     func() { opened().Reveal(1, math.NaN(), 2, 0) },
		"answered twice": func() { b := opened(); b.Reveal(1, 1, 2, 0); b.Reveal(1, 1, 2, 0) },
		"removed late":   func() { b := opened(); b.Reveal(1, 1, 2, 0); b.Remove(1) },
	} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "buffer: ") {
					t.Errorf("%s: no panic with the room's name", name)
				}
			}()
			misuse()
		}()
	}
}
