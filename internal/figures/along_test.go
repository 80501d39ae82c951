package figures

import (
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// tenfold is a study whose target costs 10 and whose lower fidelity costs 1.
func tenfold(t *testing.T) Study {
	s := Study{Policy: "auto", Space: must.Get(space.New(space.Float("x", 0, 1), space.Ordered("epochs", 1, 9).AsFidelity(1, 10)))(t)}
	target, below := s.Space.Target(), s.Space.Fidelities(2)[0]
	add := func(status loop.Status, value, fidelity float64, ended int) *loop.Evaluation {
		e := evaluation(len(s.Evaluations)+1, status, value, 0, ended)
		e.X, e.Below = space.Unit{0.5, fidelity}, fidelity != target
		s.Evaluations = append(s.Evaluations, e)
		return &s.Evaluations[len(s.Evaluations)-1]
	}
	add(loop.Observed, 2, target, 1)
	add(loop.Observed, 9, below, 2)
	add(loop.Observed, 3, target, 3).Cost = 4
	add(loop.Late, 8, below, 4)
	add(loop.Lost, 0, target, 5)
	add(loop.Observed, 5, target, 6).Foreign = true
	s.Best, s.Recommended = 6, 6
	return s
}

// Along what was spent: lost evaluations and those from elsewhere are free, and values at lower fidelities are no best so far, however good.
func TestWhatWasSpentIsTheAxisWhereItIsKnown(t *testing.T) {
	s := tenfold(t)
	along := s.along()
	if !slices.Equal(along.at, []float64{10, 11, 15, 16, 16, 16}) || along.end != 16 || along.name != "cost so far (16 for 6 evaluations)" {
		t.Errorf("%+v", along)
	}
	marks, steps := s.course(s.valueAxis(), along.at)
	if want := (plotter.XYs{{X: 10, Y: 2}, {X: 15, Y: 3}, {X: 16, Y: 5}, {X: 16, Y: 5}}); !slices.Equal(steps, want) {
		t.Errorf("steps %v, want %v", steps, want)
	}
	if at := marks.spots[lower]; !slices.Equal(at, []spot{{x: 11, y: 9}, {x: 16, y: 8}}) || len(marks.spots[observed]) != 3 || len(marks.spots[late]) != 0 {
		t.Errorf("at lower fidelities: %v", at)
	}
	picture := string(written(t, "tenfold.svg", must.Get(Incumbent(s))(t).WriteSVG))
	for _, want := range []string{"cost so far", fateNames[lower]} {
		if !strings.Contains(picture, want) {
			t.Errorf("no %q", want)
		}
	}
	s.BudgetCost = 1e9
	for i := range s.Evaluations {
		s.Evaluations[i].Cost = 1e7
	}
	if along = s.along(); along.end != 4 || along.name != "cost so far, in 1e7 (4e+07 of 1e+09 for 6 evaluations)" {
		t.Errorf("%+v", along)
	}
	for i := range s.Evaluations {
		s.Evaluations[i].Cost = 1e308
	}
	if along = s.along(); along.end != 6 || !strings.HasPrefix(along.name, "evaluations in the order") {
		t.Errorf("costs beyond all numbers: %+v", along)
	}
}

// Without anything that says what evaluations cost they are counted, and none is at a lower fidelity.
func TestEvaluationsAreCountedWhereCostsAreUnknown(t *testing.T) {
	s := tenfold(t)
	s.Space = must.Get(space.New(space.Float("x", 0, 1), space.Ordered("epochs", 1, 9)))(t)
	for i := range s.Evaluations {
		s.Evaluations[i].Below = false
	}
	if along := s.along(); !slices.Equal(along.at, []float64{1, 2, 3, 4, 5, 6}) || strings.Contains(along.name, "cost") {
		t.Errorf("%+v", along)
	}
	if picture := string(written(t, "counted.svg", must.Get(Incumbent(s))(t).WriteSVG)); strings.Contains(picture, "cost") || strings.Contains(picture, "fidelity") {
		t.Error("it says cost")
	}
	if at := (Study{Space: tenfold(t).Space}).along(); at.end != 1 || len(at.at) != 0 {
		t.Errorf("nothing came: %+v", at)
	}
}
