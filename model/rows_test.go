package model

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/feedback"
)

// shown is a list of rows as a view got it, with what it said then.
type shown struct{ rows, then []int }

// The rows of the model, kept up to date step by step, are at every ask those that the buffer lists from the beginning.
func TestRowsFollowTheBuffer(t *testing.T) {
	for _, how := range imputations {
		t.Run(how.String(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { followRandomly(t, how) })
		})
	}
}

func followRandomly(t *rapid.T, how feedback.Imputation) {
	c := Config{Active: MinActive}
	if rapid.Bool().Draw(t, "strict") {
		c.Window = feedback.Window{Rounds: 2, Strict: true}
	}
	m := empty(how, c)
	var pending, failed []int
	var views []shown
	pick := func(from *[]int) int {
		i := rapid.IntRange(0, len(*from)-1).Draw(t, "which")
		number := (*from)[i]
		*from = slices.Delete(*from, i, i+1)
		return number
	}
	reveal := func(number int) {
		value := rapid.Float64Range(-10, 10).Draw(t, "value")
		m.Reveal(Objective, number, Measurement{Value: value}, len(m.points)+1, time.Duration(len(m.points)))
	}
	actions := rapid.SliceOfN(rapid.SampledFrom([]string{"open", "open", "open", "reveal", "reveal", "fail", "return", "fit", "ask"}), 1, 60).Draw(t, "actions")
	for _, action := range append(actions, "ask") {
		switch n := len(m.points); {
		case action == "open" && n < MinActive:
			m.Open(n+1, n+1, time.Duration(n), []float64{0})
			pending = append(pending, n+1)
		case action == "reveal" && len(pending) > 0:
			reveal(pick(&pending))
		case action == "fail" && len(pending) > 0:
			number := pick(&pending)
			m.Remove(number)
			failed = append(failed, number)
		case action == "return" && len(failed) > 0:
			reveal(pick(&failed))
		case action == "fit":
			m.next = &m.learned // new hyperparameters: everything is built anew
		case action == "ask":
			m.Sync()
			checkRows(t, m)
			views = append(views, shown{m.rows.now, slices.Clone(m.rows.now)})
		}
	}
	for i, v := range views {
		if !slices.Equal(v.rows, v.then) {
			t.Fatalf("view %d had rows %v, now it has %v", i, v.then, v.rows)
		}
	}
}

var imputations = []feedback.Imputation{feedback.Ignore, feedback.Censor, feedback.Hallucinate}

// empty is the one belief of a study in which nothing has happened; nothing is to be learned.
func empty(how feedback.Imputation, c Config) sight {
	c.Outputs, c.Beliefs = []Spec{{}}, []Want{{Pending: how}}
	m := New(c).of(0)
	m.next = nil
	return m
}

// checkRows compares rows, targets and edits with the buffer's own list.
func checkRows(t *rapid.T, m sight) {
	t.Helper()
	set := m.buffer.View(m.want.Pending, m.units)
	rows, numbers := slices.Clone(m.rows.now), slices.Clone(set.Numbers)
	slices.Sort(rows)
	slices.Sort(numbers)
	if !slices.Equal(rows, numbers) {
		t.Fatalf("rows %v, the buffer has %v", rows, numbers)
	}
	for i, number := range m.rows.now {
		k := slices.Index(set.Numbers, number)
		if m.targets[i] != set.Targets[k] {
			t.Fatalf("query %d has target %v, in the buffer %v", number, m.targets[i], set.Targets[k])
		}
		if got, want := slices.Contains(m.unanswered, i), slices.Contains(set.Unanswered, k); got != want {
			t.Fatalf("query %d unanswered: %v, in the buffer %v", number, got, want)
		}
	}
	if !slices.IsSorted(m.unanswered) || len(m.unanswered) != len(set.Unanswered) {
		t.Fatalf("unanswered rows %v", m.unanswered)
	}
	for number := range len(m.points) + 5 {
		if m.rows.has(number) != slices.Contains(rows, number) {
			t.Fatalf("query %d counts as a row: %v", number, m.rows.has(number))
		}
	}
	replayed := slices.Clone(m.rows.base)
	for _, e := range m.rows.edits {
		if e.Number > 0 {
			replayed = append(replayed, e.Number)
		} else {
			replayed = slices.Delete(replayed, e.Row, e.Row+1)
		}
	}
	if !slices.Equal(replayed, m.rows.now) {
		t.Fatalf("base and edits give %v, the rows are %v", replayed, m.rows.now)
	}
}

// Which event came first between two asks does not show in the rows: removals first, then new rows by number.
func TestNewRowsComeInTheOrderOfTheirNumbers(t *testing.T) {
	m := empty(feedback.Ignore, Config{Active: MinActive})
	for number := 1; number <= 6; number++ {
		m.Open(number, number, 0, nil)
	}
	m.Reveal(Objective, 4, Measurement{Value: 1}, 7, 0)
	m.Sync()
	for _, number := range []int{6, 1, 3} {
		m.Reveal(Objective, number, Measurement{Value: 1}, 8, 0)
	}
	m.Sync()
	if want := []int{4, 1, 3, 6}; !slices.Equal(m.rows.now, want) {
		t.Errorf("rows %v, want %v", m.rows.now, want)
	}
	m.want.Pending = feedback.Censor
	m.changed = []int{1, 2, 3, 4, 5, 6}
	m.Remove(2)
	m.Sync()
	if want := []int{4, 1, 3, 6, 5}; !slices.Equal(m.rows.now, want) {
		t.Errorf("rows %v, want %v", m.rows.now, want)
	}
	m.Remove(5)
	m.Reveal(Objective, 2, Measurement{Value: 9}, 9, 0) // after its failure
	m.Sync()
	if want := []int{4, 1, 3, 6, 2}; !slices.Equal(m.rows.now, want) || m.unanswered != nil {
		t.Errorf("rows %v, want %v; unanswered %v", m.rows.now, want, m.unanswered)
	}
	if last := m.rows.edits[len(m.rows.edits)-2:]; last[0] != (Edit{Row: 4}) || last[1] != (Edit{Number: 2}) {
		t.Errorf("last edits %+v", last)
	}
}

// A policy that looks at no model makes the loop keep none.
func TestWithoutAModelThereAreNoRows(t *testing.T) {
	m := empty(feedback.Ignore, Config{Active: MinActive, Blind: true})
	m.Open(1, 1, 0, nil)
	m.Reveal(Objective, 1, Measurement{Value: 3}, 2, 0)
	m.Sync()
	if m.changed != nil || m.rows.now != nil || m.best.Value != 3 {
		t.Errorf("changed %v, rows %v, best %+v", m.changed, m.rows.now, m.best)
	}
}
