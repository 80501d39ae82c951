package model

import "slices"

// rows says which queries the posterior is made of, and by which steps it came to them: the rows of the last rebuild,
// then one edit after another. The bits of a factor depend on nothing else, those of a pool also on when it was filled.
type rows struct {
	generation int       // counts rebuilds
	base       []int     // numbers of the queries at the last rebuild
	baseKnown  []float64 // known noise of these rows; nil where none is known of any
	noiseScale float64   // units of values for each unit of the belief, in which known noise is counted: those of the last rebuild
	edits      []Edit    // since then
	filled     int       // edits after which the pool was filled; NotFilled where there is none. See pool.go
	now        []int     // numbers, by row, and −k for a report of query k; entries that a view shares never change
	known      []float64 // known noise by row; nil where none is known of any
	in         []bool    // by number: whether the query has a row
	reports    []bool    // by number: whether a report of the query has one
}

// Edit is a query that got a row, or a row that was removed when Number is 0.
type Edit struct {
	Number, Row int
	Known       float64 // variance of the noise of its value besides that of the prior, in the belief's units
}

func (r *rows) append(number int, known float64) {
	r.edits = append(r.edits, Edit{Number: number, Known: known})
	r.enter(number, known)
}

func (r *rows) enter(number int, known float64) {
	if r.known != nil || known > 0 {
		if r.known == nil {
			r.known = make([]float64, len(r.now))
		}
		r.known = append(r.known, known)
	}
	r.now = append(r.now, number)
	r.mark(number, true)
}

func (r *rows) remove(number int) {
	row := slices.Index(r.now, number)
	r.edits = append(r.edits, Edit{Row: row})
	r.leave(row)
}

func (r *rows) leave(row int) {
	r.mark(r.now[row], false)
	r.now = slices.Delete(slices.Clone(r.now), row, row+1)
	if r.known != nil {
		r.known = slices.Delete(slices.Clone(r.known), row, row+1)
	}
}

// knownOf returns the known noise of the row of a query. Cost O(n) where noise is known of any row.
func (r *rows) knownOf(number int) float64 {
	if r.known == nil {
		return 0
	}
	return r.known[slices.Index(r.now, number)]
}

func (r *rows) mark(number int, in bool) {
	list := &r.in
	if number < 0 {
		list, number = &r.reports, -number
	}
	for len(*list) <= number {
		*list = append(*list, false)
	}
	(*list)[number] = in
}

func (r *rows) has(number int) bool {
	if number < 0 {
		return -number < len(r.reports) && r.reports[-number]
	}
	return number < len(r.in) && r.in[number]
}

// rebuild starts anew from the given queries, with the known noise of each; nil where there is none.
func (r *rows) rebuild(numbers []int, known []float64) {
	for _, number := range r.now {
		r.mark(number, false)
	}
	r.base, r.now, r.edits, r.filled = numbers, slices.Clip(numbers), nil, 0
	r.baseKnown, r.known = known, slices.Clip(known)
	for _, number := range numbers {
		r.mark(number, true)
	}
	r.generation++
}

// known returns what is known of the noise of a query's value, in the units of the last rebuild: factors are not made anew because
// the spread of the values has become another, as the learned noise is not either.
func (m sight) known(number int) float64 {
	if number < 0 {
		in, _ := m.interim(-number)
		doubt := m.doubt(in)
		return doubt * doubt
	}
	if !m.valued(number) {
		return m.weighed(number) + m.tolerated(number)
	}
	known := 0.
	if contains(m.outliers, number) {
		known = outlierNoise
	}
	if m.variances != nil {
		known += m.variances[number-1] / m.rows.noiseScale / m.rows.noiseScale
	}
	return known
}

// knownOfAll returns the known noise of queries; nil where none is known of any query.
func (m sight) knownOfAll(numbers []int) []float64 {
	own := func(number int) bool { return number < 0 || m.tolerated(number) > 0 }
	if m.variances == nil && len(m.outliers) == 0 && len(m.weights) == 0 && !slices.ContainsFunc(numbers, own) {
		return nil
	}
	known := make([]float64, len(numbers))
	for i, number := range numbers {
		known[i] = m.known(number)
	}
	return known
}

// follow gives rows to the queries that now belong to the model and takes them from those that do not any more, in the
// order of their numbers, so that the order of events between two asks leaves no trace. A row whose noise has become known is another row.
func (m sight) follow() {
	m.refresh()
	m.weigh()
	m.tolerate()
	slices.Sort(m.changed)
	m.changed = slices.Compact(m.changed)
	for _, number := range m.changed {
		if m.rows.has(number) && (!m.belongs(number) || m.known(number) != m.rows.knownOf(number)) {
			m.rows.remove(number)
		}
	}
	for _, number := range m.changed {
		if !m.rows.has(number) && m.belongs(number) {
			m.rows.append(number, m.known(number))
		}
	}
	m.changed = m.changed[:0]
}
