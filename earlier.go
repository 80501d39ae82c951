package tarry

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
)

// Past is what an earlier study measured: its space and sense, and its values with their points in its own units. Values of its greatest fidelity
// alone belong here, and none that is infeasible.
type Past struct {
	Name     string // that notes and errors have
	Space    Space
	Minimize bool
	Points   []Point
	Values   []float64 // one each
	Source   bool      // whether it is of another environment than the next one, and LearnPrior is to count it less (PriorOptions.Alpha)
}

// PastOf returns what a result over the space has measured, for LearnFrom; of no result, nothing. It shares no points with the result.
func PastOf(name string, s Space, r *Result) Past {
	if r == nil {
		return Past{Name: name, Space: s}
	}
	p := Past{Name: name, Space: s, Minimize: r.Minimize}
	for _, e := range r.Evaluations {
		if e.Counts() {
			p.Points, p.Values = append(p.Points, slices.Clone(e.X)), append(p.Values, e.Value)
		}
	}
	return p
}

// LearnFrom returns what earlier studies tell a study over a space, for Options.Earlier: their values, at points that are matched by the names of
// the parameters, each with a model of its own. The notes say, a line each, what does not match: parameters that only one of both has, values
// outside of the new range. A study may have another sense. An error names a study that has no parameter in common with the space, or not two
// different values there (ErrNothingEarlier), or is there twice, or whose points are none of its own space: the first that has too few or too many coordinates, or one that is
// no number. Cost that of a fit of each.
func LearnFrom(s Space, minimize bool, past ...Past) (*Earlier, []string, error) {
	e, notes, err := loop.LearnFrom(s, outcome.Sense(minimize), pastOf(past)...)
	if err != nil {
		return nil, notes, fmt.Errorf("tarry: %w", err)
	}
	return e, notes, nil
}

// pastOf is the past as the loop has it.
func pastOf(past []Past) []loop.Past {
	all := make([]loop.Past, len(past))
	for i, p := range past {
		all[i] = loop.Past{Name: p.Name, Space: p.Space, Sense: outcome.Sense(p.Minimize), Points: p.Points, Values: p.Values, Source: p.Source}
	}
	return all
}
