package policies

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// A row that was imputed from the answers knows them: what the other rows predict must be predicted without it, and the noise of each value that is known stays so.
func TestImputedRowsTakeNoPartInCalibration(t *testing.T) {
	kernel := surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.2}, Outputscale: 1}
	prior := surrogate.Prior{Kernel: kernel, Noise: 0.01}
	x := []space.Unit{{0.1}, {0.5}, {0.9}, {0.3}}
	y := []float64{-1, 1.5, 0, -0.3}
	known := []float64{0, 25, 0, 0}
	view := func(pending ...float64) View {
		xs, ys, ks := slices.Clone(x[:1]), slices.Clone(y[:1]), slices.Clone(known[:1])
		numbers := []int{1}
		v := View{Queries: make([]Query, len(x)+len(pending))}
		for k, at := range pending { // asked before the other answers came
			xs, ys, ks, numbers = append(xs, []float64{at}), append(ys, 1.4), append(ks, 0), append(numbers, len(x)+k+1)
			v.Pending = append(v.Pending, len(x)+k+1)
		}
		for k := range x {
			v.History = append(v.History, Answer{Query: Query{Number: k + 1, X: x[k]}, Value: y[k]})
			if k > 0 {
				xs, ys, ks, numbers = append(xs, x[k]), append(ys, y[k]), append(ks, known[k]), append(numbers, k+1)
			}
		}
		post, err := prior.ConditionKnown(xs, ys, ks, nil)
		if err != nil {
			t.Fatal(err)
		}
		v.Posterior, v.Rows = post, numbers
		return v
	}
	for _, set := range []CalibrationSet{Forward, LeaveOneOut} {
		points, want := view().residuals(set, feedback.Hallucinate)
		more, got := view(0.5, 0.51, 0.49).residuals(set, feedback.Hallucinate)
		if len(got) != len(want) || !slices.EqualFunc(points, more, slices.Equal[[]float64]) {
			t.Fatalf("set %d: points %v, want %v", set, more, points)
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("set %d: residual %d is %v beside pending queries, want %v", set, i, got[i], want[i])
			}
		}
	}
}

// Under a strict window a policy that censors never sees late values: their rows hold the censor value.
func TestLateValuesOfAStrictWindowAreNoAnswersToThoseWhoCensor(t *testing.T) {
	v := View{Belief: model.Belief{Rows: []int{1, 2}}, Queries: make([]Query, 2), Window: feedback.Window{Rounds: 3, Strict: true}, History: []Answer{
		{Query: Query{Number: 1}}, {Query: Query{Number: 2}, Late: true},
	}}
	if got := v.calibrationRows(feedback.Censor); !slices.Equal(got, []int{0}) {
		t.Errorf("rows %v for a policy that censors, want the first", got)
	}
	if got := v.calibrationRows(feedback.Hallucinate); !slices.Equal(got, []int{0, 1}) {
		t.Errorf("rows %v for one that does not, want both", got)
	}
}
