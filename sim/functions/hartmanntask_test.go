package functions

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
)

// exactTask is the task that is no variation.
func exactTask() HartmannTask {
	var t HartmannTask
	for i := range t.Factors {
		for j := range t.Factors[i] {
			t.Factors[i][j] = 1
		}
	}
	return t
}

func TestAHartmannTaskAtHandWorkedFactors(t *testing.T) {
	var task HartmannTask
	for i := range task.Factors {
		for j := range task.Factors[i] {
			task.Factors[i][j] = 0.8 + 0.4*float64((6*i+j)%5)/4
		}
	}
	if got := task.Value([]float64{0.4, 0.4, 0.4, 0.4, 0.4, 0.4}, 4); math.Abs(got-1.094536386272) > 1e-12 {
		t.Errorf("value %.13f, want 1.094536386272", got)
	}
}

func TestTheLastFidelityOfTheExactTaskIsHartmann6(t *testing.T) {
	exact, f := exactTask(), get(t, "hartmann6", 0)
	stream := rng.New(1, rng.Test, 0)
	for range 100 {
		x := uniform(stream, f)
		if got, want := exact.Value(x, 4), f.Value(x); math.Abs(got-want) > 1e-15*max(1, want) {
			t.Fatalf("at %v: %v, want %v", x, got, want)
		}
	}
}

// The hill of the exact maximum sinks with the fidelity, from 3.3224 to 3.0451, while that of the fourth centre rises: only at the
// last fidelity is the first one the higher.
func TestTheHillsOfTheHartmannFidelities(t *testing.T) {
	low, high := cube(0, 1)(6)
	exact := get(t, "hartmann6", 0).Maximizers[0]
	for m, want := range map[int]struct{ hill, maximum float64 }{
		1: {3.04514238, 3.502820655}, 2: {3.13730803, 3.402931721}, 3: {3.22972029, 3.303045382}, 4: {3.32236801, 3.322368011},
	} {
		if hill := -exactTask().climb(exact, m, low, high).Value; math.Abs(hill-want.hill) > 6e-9 {
			t.Errorf("fidelity %d: the hill of the exact maximum has height %.9f, want %v", m, hill, want.hill)
		}
		if x, got := exactTask().Maximize(m); math.Abs(got-want.maximum) > 1e-9 || exactTask().Value(x, m) != got {
			t.Errorf("fidelity %d: maximum %.9f at %v, want %v", m, got, x, want.maximum)
		}
	}
}

func TestTheSlopeOfAHartmannTaskIsThatOfItsValues(t *testing.T) {
	task := DrawHartmannTask(rng.New(3, rng.Test, 0))
	x, gradient := []float64{0.2, 0.7, 0.4, 0.3, 0.9, 0.5}, make([]float64, 6)
	for m := 1; m <= HartmannFidelities; m++ {
		task.slope(x, m, gradient)
		for j := range x {
			const h = 1e-6
			up, down := slices.Clone(x), slices.Clone(x)
			up[j] += h
			down[j] -= h
			if want := (task.Value(down, m) - task.Value(up, m)) / (2 * h); math.Abs(gradient[j]-want) > 1e-8 {
				t.Errorf("fidelity %d, coordinate %d: %v, differences say %v", m, j, gradient[j], want)
			}
		}
	}
}

func TestNoStartFindsMoreThanTheMaximumOfAHartmannTask(t *testing.T) {
	tasks, starts := 60, 200
	if raced {
		tasks, starts = 3, 50
	}
	low, high := cube(0, 1)(6)
	for k := range tasks {
		task := DrawHartmannTask(rng.New(5, rng.Test, uint64(k)))
		for _, row := range task.Factors {
			if slices.Min(row[:]) < 0.8 || slices.Max(row[:]) >= 1.2 {
				t.Fatalf("factors %v", row)
			}
		}
		stream := rng.New(6, rng.Test, uint64(k))
		_, maximum := task.Maximize(HartmannFidelities)
		found := math.Inf(-1)
		for range starts {
			found = max(found, -task.climb(uniform(stream, get(t, "hartmann6", 0)), HartmannFidelities, low, high).Value)
		}
		if found > maximum+1e-12 {
			t.Errorf("task %d: a random start finds %.15f, Maximize %.15f", k, found, maximum)
		}
		if found < maximum-1e-6 && !raced {
			t.Errorf("task %d: no start of %d finds the maximum %v", k, starts, maximum)
		}
	}
}
