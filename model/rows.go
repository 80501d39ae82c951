package model

import "slices"

// rows says which queries the posterior is made of, and by which steps it came to them: the rows of the last rebuild,
// then one edit after another. The bits of a factor depend on nothing else, those of a pool also on when it was filled.
type rows struct {
	generation int    // counts rebuilds
	base       []int  // numbers of the queries at the last rebuild
	edits      []Edit // since then
	filled     int    // edits after which the pool was filled; notFilled where there is none. See pool.go
	now        []int  // numbers, by row; entries that a view shares never change
	in         []bool // by number: whether the query has a row
}

// Edit is a query that got a row, or a row that was removed when Number is 0.
type Edit struct{ Number, Row int }

func (r *rows) append(number int) {
	r.edits = append(r.edits, Edit{Number: number})
	r.now = append(r.now, number)
	r.mark(number, true)
}

func (r *rows) remove(number int) {
	row := slices.Index(r.now, number)
	r.edits = append(r.edits, Edit{Row: row})
	r.now = slices.Delete(slices.Clone(r.now), row, row+1)
	r.mark(number, false)
}

func (r *rows) mark(number int, in bool) {
	for len(r.in) <= number {
		r.in = append(r.in, false)
	}
	r.in[number] = in
}

func (r *rows) has(number int) bool { return number < len(r.in) && r.in[number] }

// rebuild starts anew from the given queries.
func (r *rows) rebuild(numbers []int) {
	for _, number := range r.now {
		r.in[number] = false
	}
	r.base, r.now, r.edits, r.filled = numbers, slices.Clip(numbers), nil, 0
	for _, number := range numbers {
		r.mark(number, true)
	}
	r.generation++
}

// follow gives rows to the queries that now belong to the model and takes them from those that do not any more, in the
// order of their numbers, so that the order of events between two asks leaves no trace.
func (m sight) follow() {
	how := m.want.Pending
	slices.Sort(m.changed)
	m.changed = slices.Compact(m.changed)
	for _, number := range m.changed {
		if m.rows.has(number) && !m.buffer.Member(number, how) {
			m.rows.remove(number)
		}
	}
	for _, number := range m.changed {
		if !m.rows.has(number) && m.buffer.Member(number, how) {
			m.rows.append(number)
		}
	}
	m.changed = m.changed[:0]
}
