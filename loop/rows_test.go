package loop

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/policies"
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
	c := Config{Traits: policies.Traits{Model: true, Pending: how}, Model: Model{Active: minActive}}
	if rapid.Bool().Draw(t, "strict") {
		c.Window = feedback.Window{Rounds: 2, Strict: true}
	}
	m := emptyModel(c)
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
		m.reveal(number, value, len(m.queries)+1, time.Duration(len(m.queries)))
	}
	actions := rapid.SliceOfN(rapid.SampledFrom([]string{"open", "open", "open", "reveal", "reveal", "fail", "return", "fit", "ask"}), 1, 60).Draw(t, "actions")
	for _, action := range append(actions, "ask") {
		switch n := len(m.queries); {
		case action == "open" && n < minActive:
			m.open(policies.Query{Number: n + 1, Round: n + 1, At: time.Duration(n), X: []float64{0}})
			pending = append(pending, n+1)
		case action == "reveal" && len(pending) > 0:
			reveal(pick(&pending))
		case action == "fail" && len(pending) > 0:
			number := pick(&pending)
			m.remove(number)
			failed = append(failed, number)
		case action == "return" && len(failed) > 0:
			reveal(pick(&failed))
		case action == "fit":
			m.next = &m.learned // new hyperparameters: everything is built anew
		case action == "ask":
			m.sync()
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

// emptyModel is the model of a study in which nothing has happened.
func emptyModel(c Config) *model {
	m := &model{config: c, units: feedback.Units{Scale: 1}, algebra: &algebra{}}
	m.buffer.Window = c.Window
	return m
}

// checkRows compares rows, targets and edits with the buffer's own list.
func checkRows(t *rapid.T, m *model) {
	t.Helper()
	set := m.buffer.View(m.config.Traits.Pending, m.units)
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
	for number := range len(m.queries) + 5 {
		if m.rows.has(number) != slices.Contains(rows, number) {
			t.Fatalf("query %d counts as a row: %v", number, m.rows.has(number))
		}
	}
	replayed := slices.Clone(m.rows.base)
	for _, e := range m.rows.edits {
		if e.number > 0 {
			replayed = append(replayed, e.number)
		} else {
			replayed = slices.Delete(replayed, e.row, e.row+1)
		}
	}
	if !slices.Equal(replayed, m.rows.now) {
		t.Fatalf("base and edits give %v, the rows are %v", replayed, m.rows.now)
	}
}

// Which event came first between two asks does not show in the rows: removals first, then new rows by number.
func TestNewRowsComeInTheOrderOfTheirNumbers(t *testing.T) {
	m := emptyModel(Config{Traits: policies.Traits{Model: true, Pending: feedback.Ignore}, Model: Model{Active: minActive}})
	for number := 1; number <= 6; number++ {
		m.open(policies.Query{Number: number, Round: number})
	}
	m.reveal(4, 1, 7, 0)
	m.sync()
	for _, number := range []int{6, 1, 3} {
		m.reveal(number, 1, 8, 0)
	}
	m.sync()
	if want := []int{4, 1, 3, 6}; !slices.Equal(m.rows.now, want) {
		t.Errorf("rows %v, want %v", m.rows.now, want)
	}
	m.config.Traits.Pending = feedback.Censor
	m.changed = []int{1, 2, 3, 4, 5, 6}
	m.remove(2)
	m.sync()
	if want := []int{4, 1, 3, 6, 5}; !slices.Equal(m.rows.now, want) {
		t.Errorf("rows %v, want %v", m.rows.now, want)
	}
	m.remove(5)
	m.reveal(2, 9, 9, 0) // after its failure
	m.sync()
	if want := []int{4, 1, 3, 6, 2}; !slices.Equal(m.rows.now, want) || m.unanswered != nil {
		t.Errorf("rows %v, want %v; unanswered %v", m.rows.now, want, m.unanswered)
	}
	if last := m.rows.edits[len(m.rows.edits)-2:]; last[0] != (edit{row: 4}) || last[1] != (edit{number: 2}) {
		t.Errorf("last edits %+v", last)
	}
}

// A policy that looks at no model makes the loop keep none.
func TestWithoutAModelThereAreNoRows(t *testing.T) {
	m := emptyModel(Config{Model: Model{Active: minActive}})
	m.open(policies.Query{Number: 1, Round: 1})
	m.reveal(1, 3, 2, 0)
	m.sync()
	if m.changed != nil || m.rows.now != nil || m.best.value != 3 {
		t.Errorf("changed %v, rows %v, best %+v", m.changed, m.rows.now, m.best)
	}
}
