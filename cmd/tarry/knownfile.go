package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry"
)

// readKnown returns what was measured, by the column value, and how many lines were left out since they have no value that counts: that
// column is empty, or the column status, where there is one, says so. Where constraints are named their values are in the column constraints, as inspect --csv
// writes it, and a value counts also where one is violated.
func readKnown(path string, s tarry.Space, named []tarry.Constraint) (known []tarry.Observation, left int, err error) {
	err = readFile(path, s, (*pointFile).head, func(f *pointFile, row []string) {
		if o, counts := f.known(row, named); counts {
			known = append(known, o)
		} else {
			left++
		}
	})
	if err != nil {
		return nil, 0, err
	}
	return known, left, nil
}

// known reads what was measured in a line; false where it has no value that counts.
func (f *pointFile) known(row []string, named []tarry.Constraint) (o tarry.Observation, counts bool) {
	if there, counts := f.counts(row, named); !there {
		return o, counts
	}
	x := f.admitted(row, true)
	return tarry.Observation{X: x, Value: f.value(row), Constraints: f.constraints(row, named)}, true
}

// counts reports whether a line may have a value, and whether it counts; where there is no column of values that is said, and counts.
func (f *pointFile) counts(row []string, named []tarry.Constraint) (there, counts bool) {
	valued := []string{tarry.Observed.String(), tarry.Late.String()}
	if len(named) > 0 {
		valued = append(valued, tarry.Infeasible.String())
	}
	value, given := f.index["value"]
	if !given {
		if len(f.wrong) == 0 {
			f.say(0, "no column value: want one with what was measured")
		}
		return false, true
	}
	if strings.TrimSpace(row[value]) == "" {
		return false, false
	}
	if i, given := f.index["status"]; given && !slices.Contains(valued, row[i]) {
		return false, false
	}
	return true, true
}

// value reads the value of a line.
func (f *pointFile) value(row []string) float64 {
	value := f.index["value"]
	v, err := strconv.ParseFloat(strings.TrimSpace(row[value]), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		f.say(value, "value = %q: want a finite number", row[value])
	}
	return v
}

// constraints reads the values of the constraints that are named, separated by semicolons; nil where none are.
func (f *pointFile) constraints(row []string, named []tarry.Constraint) []float64 {
	if len(named) == 0 {
		return nil
	}
	at, given := f.index["constraints"]
	text := ""
	if given {
		text = row[at]
	}
	var out []float64
	for _, cell := range strings.Split(text, ";") {
		v, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			break
		}
		out = append(out, v)
	}
	if len(out) != len(named) {
		f.say(at, "constraints = %q: want %d finite numbers separated by ;, in the order of the space file", text, len(named))
		return make([]float64, len(named)) // it has been said
	}
	return out
}
