package hindsight

import (
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// drawn names the parameters of an enqueued evaluation that whoever enqueued it had left open, and that were drawn; nil where none was, or where
// no request of the journal fits. Cost O(n) for n events.
func drawn(s journal.Source, where space.Space, all []loop.Evaluation, number int) ([]string, error) {
	var waiting []space.Point
	for r, err := range s.Records() {
		if err != nil {
			return nil, fmt.Errorf("%w: %w", journal.ErrCorruptJournal, err)
		}
		if x, is := loop.Enqueued(r.Event.Event); is && where.Admits(x) == nil {
			waiting = append(waiting, asked(where, x))
		}
	}
	var names []string
	for i, e := range all[:number] { // those that are enqueued first come first
		if names = nil; !e.Requested(where) || e.Foreign || e.AgainOf > 0 {
			continue
		}
		// What was drawn is hardly drawn once more: the same point was named in full again.
		repeats := slices.ContainsFunc(all[:i], func(o loop.Evaluation) bool { return slices.Equal(o.X, e.X) })
		at := slices.IndexFunc(waiting, func(x space.Point) bool {
			return fits(x, e.Given) && !(repeats && len(open(where, x, e.Given)) > 0)
		})
		if at >= 0 {
			names = open(where, waiting[at], e.Given)
			waiting = slices.Delete(waiting, at, at+1)
		}
	}
	return names, nil
}

// asked is what an enqueued point asks of each parameter, as a query has it; NaN for nothing, and for a context, which the world sets.
func asked(where space.Space, x space.Point) space.Point {
	out := make(space.Point, where.Dim())
	for i := range out {
		out[i] = math.NaN()
		if len(x) == len(out) && !slices.Contains(where.Contexts(), i) {
			out[i] = x[i]
		}
	}
	if len(x) < len(out) {
		for j, i := range where.Actions() {
			out[i] = x[j]
		}
	}
	for i, v := range out {
		if !math.IsNaN(v) {
			out[i] = where.Parameter(i).Exact(v)
		}
	}
	return out
}

// fits reports whether a query has all that was asked of it, but for what is inactive there.
func fits(asked, given space.Point) bool {
	for i, v := range asked {
		if !math.IsNaN(v) && !math.IsNaN(given[i]) && v != given[i] {
			return false
		}
	}
	return true
}

// open names the parameters of which nothing was asked and that the query has all the same, but for those of one value. A fidelity that is left open is the greatest, and not
// drawn; so it is none of them.
func open(where space.Space, asked, given space.Point) (names []string) {
	for _, i := range where.Actions() {
		if p := where.Parameter(i); math.IsNaN(asked[i]) && !math.IsNaN(given[i]) && !p.Fixed() {
			names = append(names, p.Name)
		}
	}
	return names
}
