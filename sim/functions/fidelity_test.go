package functions

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/optimize"
)

func TestFidelitiesOfHartmann6(t *testing.T) {
	exact, err := Get("hartmann6", 0)
	if err != nil {
		t.Fatal(err)
	}
	for m, minimum := range []float64{-3.04514238, -3.13730803, -3.22972029, -3.32236801} {
		f, err := Hartmann6Fidelity(m+1, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The best well is the same at every fidelity, and the minimum moves little: one search from there finds it.
		found, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return -f.Value(x) }}, exact.Maximizers[0],
			&optimize.Settings{FuncEvaluations: 20_000}, &optimize.NelderMead{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(found.F-minimum) > 1e-8 || math.Abs(f.Maximum+minimum) > 1e-8 || math.Abs(found.F+f.Maximum) > 1e-9 {
			t.Errorf("fidelity %d: minimum %.10f, maximum stated %.10f, want %.8f", m+1, found.F, f.Maximum, minimum)
		}
	}
	f, err := Hartmann6Fidelity(Fidelities, nil)
	if err != nil || f.Value(exact.Maximizers[0]) != exact.Value(exact.Maximizers[0]) || len(f.Maximizers) != 1 {
		t.Errorf("the highest fidelity is not hartmann6 itself (%v)", err)
	}
}

func TestTasksOfHartmann6(t *testing.T) {
	var task [4][6]float64
	for i := range task {
		for j := range task[i] {
			task[i][j] = .8 + .4*float64((6*i+j)%5)/4
		}
	}
	f, err := Hartmann6Fidelity(Fidelities, &task)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{.4, .4, .4, .4, .4, .4}
	if got := -f.Value(x); math.Abs(got+1.094536386272) > 1e-12 {
		t.Errorf("value %.12f, want -1.094536386272", got)
	}
	if !math.IsNaN(f.Maximum) || f.Maximizers != nil {
		t.Error("the maximum of a task is not known")
	}
	for _, bad := range []int{0, 5} {
		if _, err := Hartmann6Fidelity(bad, nil); err == nil {
			t.Errorf("fidelity %d was accepted", bad)
		}
	}
}
