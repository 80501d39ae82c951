package hindsight_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
)

func asked(t *testing.T, policy string) hindsight.Options {
	t.Helper()
	return hindsight.Options{Policy: must.Get(policies.Parse(policy))(t), Tolerance: 1e-300}
}

// The policy of a study differs from itself nowhere, to the bit: neither with the model of the study nor with one of its own, whose
// hyperparameters it learns itself.
func TestAPolicyDiffersNowhereFromItself(t *testing.T) {
	s := twoParameters(t)
	for _, name := range everyPolicy() {
		store := played(t, s, tarry.Options{Budget: 16, Initial: 4}, name, 2, bowl)
		each := func(o hindsight.Other) error {
			t.Errorf("%s: %+v", name, o)
			return nil
		}
		a := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), each))(t)
		b := must.Get(hindsight.CompareBeside(store, asked(t, name), each))(t)
		for _, s := range []hindsight.Summary{a, b} {
			if s.Asked != 12 || s.Different > 0 || s.Apart != "" || s.Less > 0 {
				t.Errorf("%s: %+v", name, s)
			}
			if s.Theirs.Judged > 0 && s.Own != s.Theirs {
				t.Errorf("%s: forecasts %+v, recorded %+v", name, s.Own, s.Theirs)
			}
		}
	}
}

// Where a study moves queries away from others these have no forecast, and so none of them is held against anybody: forecasts are compared
// by the same values.
func TestForecastsAreComparedByTheSameValues(t *testing.T) {
	store := shoved(t, "gp-bucb")
	for name, judged := range map[string]int{"gp-bucb": 13, "ucb-sdf": 13, "auto": 13, "random": 0} {
		s := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), func(hindsight.Other) error { return nil }))(t)
		if s.Asked != 15 || s.Own.Judged != judged || s.Theirs.Judged != 13 || name == "gp-bucb" && s.Own != s.Theirs {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// So it is in worlds with delays, failures, fits beside and late answers.
func TestAPolicyDiffersNowhereFromItselfInRoughWorlds(t *testing.T) {
	specs := []string{"gp-bucb", "ucb-sdf", "gp-bts"}
	if raced {
		specs = specs[:1]
	}
	for _, spec := range specs {
		for _, beside := range []bool{false, true} {
			store := simulated(t, spec, beside, 900*time.Millisecond)
			each := func(o hindsight.Other) error {
				t.Errorf("%s: %+v", spec, o)
				return nil
			}
			for k, compare := range []func() (hindsight.Summary, error){
				func() (hindsight.Summary, error) {
					return hindsight.Compare(context.Background(), store, asked(t, spec), each)
				},
				func() (hindsight.Summary, error) { return hindsight.CompareBeside(store, asked(t, spec), each) },
			} {
				if s := must.Get(compare())(t); s.Asked < 20 || s.Different > 0 || s.Apart != "" || s.Less > 0 {
					t.Errorf("%s, beside %t, %d: %+v", spec, beside, k, s)
				}
			}
		}
	}
}

// Another policy with a model of its own sees what was known, and forecasts what came.
func TestAnotherPolicyChoosesOtherwise(t *testing.T) {
	for recorded, others := range map[string][]string{
		"random":  {"gp-bucb", "log-ei", "ucb-sdf", "ts-sdf", "gp-ucb"},
		"gp-bucb": {"log-ei", "ucb-sdf", "random", "gp-ucb", "ensemble", "batch", "locbo"},
		"ucb-sdf": {"gp-bucb", "asy-ts"},
	} {
		store := played(t, twoParameters(t), tarry.Options{Budget: 20, Initial: 5, Minimize: true}, recorded, 2, func(q tarry.Query) float64 { return -bowl(q) })
		for _, name := range others {
			var seen []hindsight.Other
			s := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), func(o hindsight.Other) error {
				seen = append(seen, o)
				return nil
			}))(t)
			if s.Asked != 15 || s.Apart != "" || s.Different != len(seen) || s.Failed > 0 || name != "batch" && s.Different < 5 {
				t.Errorf("%s after %s: %+v", name, recorded, s)
			}
			if name != "random" && (s.Own.Judged != 13 || !s.Own.RMSE.Finite() || !s.Own.Log.Finite()) {
				t.Errorf("%s after %s: %+v", name, recorded, s.Own)
			}
			gain, known := 0., 0
			for _, o := range seen {
				if o.Would == nil || float64(o.Distance) <= 0 || o.Evaluation < 19 && o.Value == nil {
					t.Errorf("%s after %s: %+v", name, recorded, o)
				}
				if g := float64(o.ChosenMean - o.WouldMean); !math.IsNaN(g) {
					gain, known = gain+g, known+1
				}
			}
			if known > 0 && math.Abs(gain/float64(known)-float64(s.Gain)) > 1e-9 {
				t.Errorf("%s after %s: gain %v, want %v", name, recorded, s.Gain, gain/float64(known))
			}
			if _, err := json.Marshal(s); err != nil {
				t.Error(err)
			}
		}
	}
}

// What a policy would have chosen at a query is what it chooses in a study with the same history.
func TestWhatAnotherPolicyWouldHaveChosen(t *testing.T) {
	s := twoParameters(t)
	store := played(t, s, tarry.Options{Budget: 20, Initial: 19}, "random", 0, bowl)
	policy := must.Get(policies.Parse("gp-bucb"))(t)
	own := must.Get(loop.New(loop.Config{Space: s, Traits: policy.Traits(), Seed: 4, Budget: 20, Initial: 19}))(t)
	seq := uint64(0)
	var ask loop.Ask
	for _, r := range store.All() {
		if _, is := r.Event.Event.(loop.Proposed); is {
			break
		}
		for pending := []loop.Event{r.Event.Event}; len(pending) > 0; {
			seq++
			reaction := must.Get(own.Step(loop.Stamped{Seq: seq, At: r.Event.At, Event: pending[0]}))(t)
			pending = pending[1:]
			for _, e := range reaction.Effects {
				switch e := e.(type) {
				case loop.Fit:
					pending = append(pending, e.Run())
				case loop.Ask:
					ask = e
				}
			}
		}
	}
	if ask.Round != 20 {
		t.Fatalf("asked for query %d", ask.Round)
	}
	want := own.Task().Run(policy).(loop.Proposed).Proposals[0]
	compared := 0
	_, err := hindsight.Compare(context.Background(), store, asked(t, "gp-bucb"), func(o hindsight.Other) error {
		compared++
		if value := s.Value(want.X); fmt.Sprint(value) != fmt.Sprint(o.Would.X) {
			t.Errorf("%v, want %v", o.Would.X, value)
		}
		return nil
	})
	if err != nil || compared != 1 {
		t.Errorf("%v, %d compared", err, compared)
	}
}

func TestAComparisonOfSomeQueriesAndItsEnd(t *testing.T) {
	store := played(t, twoParameters(t), tarry.Options{Budget: 20, Initial: 5}, "random", 1, bowl)
	o := asked(t, "log-ei")
	o.From, o.To = 10, 12
	var seen []int
	o.Progress = func(evaluation, all int) {
		if seen = append(seen, evaluation); all != 12 {
			t.Errorf("evaluation %d of %d", evaluation, all)
		}
	}
	s := must.Get(hindsight.Compare(context.Background(), store, o, func(hindsight.Other) error { return nil }))(t)
	if fmt.Sprint(seen) != "[10 11 12]" || s.Asked != 3 {
		t.Errorf("%v, %+v", seen, s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s, err := hindsight.Compare(ctx, store, asked(t, "log-ei"), func(o hindsight.Other) error {
		if o.Evaluation == 8 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || s.Asked != 3 || s.Different != 3 || !s.Median.Finite() {
		t.Errorf("%v, %+v", err, s)
	}
	enough := errors.New("enough")
	if _, err := hindsight.Compare(context.Background(), store, asked(t, "log-ei"), func(hindsight.Other) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// Scores are those of a textbook.
func TestScoresOfForecasts(t *testing.T) {
	store := played(t, twoParameters(t), tarry.Options{Budget: 20, Initial: 5}, "gp-bucb", 0, bowl)
	s := must.Get(hindsight.Compare(context.Background(), store, asked(t, "random"), func(hindsight.Other) error { return nil }))(t)
	end, _, err := journal.Replay(store)
	if err != nil {
		t.Fatal(err)
	}
	var squares, loss float64
	for _, e := range end.Evaluations()[5:] {
		mean, sd := e.Forecast.Scale*e.Forecast.Mean+e.Forecast.Shift, e.Forecast.Scale*e.Forecast.Stddev
		z := (e.Value - mean) / sd
		squares += (e.Value - mean) * (e.Value - mean) / 15
		loss -= math.Log(math.Exp(-z*z/2)/sd/math.Sqrt(2*math.Pi)) / 15
	}
	if s.Own.Judged != 0 || s.Theirs.Judged != 15 || math.Abs(float64(s.Theirs.RMSE)-math.Sqrt(squares)) > 1e-9 || math.Abs(float64(s.Theirs.Log)-loss) > 1e-6*math.Abs(loss) ||
		math.Abs(float64(s.Theirs.Central)-end.Coverage().CentralShare()) > 1e-12 {
		t.Errorf("%+v, want %v and %v", s.Theirs, math.Sqrt(squares), loss)
	}
}

// Great misses and small ones have a mean square, and their squares need not be numbers.
func TestTheMeanSquareOfExtremeNumbers(t *testing.T) {
	for _, c := range []struct {
		of   []float64
		want float64
	}{
		{[]float64{3, -4}, math.Sqrt(12.5)}, {[]float64{0, 0}, 0}, {[]float64{1e308, -1e308}, 1e308}, {[]float64{1e308, 0, 0, 0}, 5e307},
		{[]float64{3e-320, 3e-320}, 3e-320}, {[]float64{1e-200, 1e200}, 1e200 / math.Sqrt2}, {[]float64{1, math.Inf(1)}, math.Inf(1)}, {nil, math.NaN()},
	} {
		if got := hindsight.RootMeanSquare(c.of...); !(math.Abs(got-c.want) <= 1e-12*c.want) && got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %v, want %v", c.of, got, c.want)
		}
	}
}

// simulated is the journal of a rough world in virtual time: long delays, failures, timeouts, and fits that take time.
func simulated(t *testing.T, policy string, beside bool, fit time.Duration) *journal.Memory {
	t.Helper()
	problem := must.Get(sim.NewProblem("branin", 3))(t)
	s := sim.Scenario{
		Problem: problem, Policy: must.Get(policies.Parse(policy))(t), Delay: must.Get(delay.ParseLaw("lognormal:1,1"))(t), Rounds: 35, Seed: 5, Noise: 0.1,
		Faults: delay.Faults{Fail: 0.1, Drop: 0.05}, Workers: 3, Timeout: 20 * time.Second, Retries: 1, FitBeside: beside, FitAbreast: beside,
		FitTime: func(int) time.Duration { return fit }, AskTime: func(int) time.Duration { return 70 * time.Millisecond },
	}
	store := journal.NewMemory(journal.NewHeader(must.Get(loop.New(s.Config()))(t).Config()))
	_, err := sim.Run(context.Background(), s, func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
		return store.Append(journal.Record{Event: e, Digest: l.Digest()})
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Queries that wait for hyperparameters wait for those of the study, whose model may be due for them when another is not.
func TestAStudyWhoseQueriesWaitForFitsIsFollowedByAnyPolicy(t *testing.T) {
	recorded := "auto"
	if raced {
		recorded = "gp-bucb"
	}
	store := simulated(t, recorded, true, 20*time.Second)
	for _, name := range []string{"log-ei", "ts-sdf"} {
		sum := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), func(hindsight.Other) error { return nil }))(t)
		if sum.Asked < 20 || sum.Apart != "" || sum.Less > 0 {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}

// A policy that does not choose fidelities is compared where they were chosen all the same.
func TestAStudyOfFidelitiesIsFollowedByAnyPolicy(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("epochs", 1, 3, 9).AsFidelity(1, 3, 9)))(t)
	value := func(q tarry.Query) float64 {
		return -math.Pow(q.Float("x")-0.3-0.1/q.Float("epochs"), 2)
	}
	store := played(t, s, tarry.Options{Budget: 16}, "auto", 1, value)
	for _, name := range []string{"log-ei", "gp-bucb", "mf-mes"} {
		sum := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), func(hindsight.Other) error { return nil }))(t)
		if sum.Asked < 4 || sum.Apart != "" {
			t.Errorf("%s: %+v", name, sum)
		}
	}
}

// A study that began with what earlier ones knew has no initial design, and neither has what follows it.
func TestAStudyThatBeganWithEarlierOnesIsFollowedByAnyPolicy(t *testing.T) {
	s := twoParameters(t)
	var past []tarry.Past
	for seed := range uint64(2) {
		before := must.Get(tarry.Maximize(t.Context(), s, func(_ context.Context, q tarry.Query) (float64, error) { return bowl(q), nil }, tarry.Options{Budget: 10, Workers: 1, Seed: 20 + seed}))(t)
		past = append(past, tarry.PastOf(fmt.Sprint(seed), s, before))
	}
	earlier, _, err := tarry.LearnFrom(s, false, past...)
	if err != nil {
		t.Fatal(err)
	}
	store := played(t, s, tarry.Options{Budget: 9, Earlier: earlier}, "rgpe", 1, bowl)
	for _, name := range []string{"log-ei", "auto", "auto:earlier=2", "ucb-sdf", "rgpe", "random"} {
		sum := must.Get(hindsight.Compare(context.Background(), store, asked(t, name), func(hindsight.Other) error { return nil }))(t)
		if sum.Asked != 9 || sum.Apart != "" {
			t.Errorf("%s: %+v", name, sum)
		}
	}
	if e := must.Get(hindsight.Explain(store, 9))(t); math.Abs(float64(e.Others[0].Mean-e.Incumbent.Value)) > 0.3 {
		t.Errorf("the best observed value is %v, and the model expects %v there", e.Incumbent.Value, e.Others[0].Mean)
	}
}

// What a policy cannot serve is refused before anything is compared.
func TestAPolicyThatCannotServeTheStudyIsRefused(t *testing.T) {
	store := played(t, twoParameters(t), tarry.Options{Budget: 6, Initial: 3}, "log-ei", 1, bowl)
	for name, want := range map[string]string{"safe-opt": "Seeds = []: want at least one point", "exp3": "Space = "} {
		_, err := hindsight.Compare(context.Background(), store, asked(t, name), func(hindsight.Other) error { return nil })
		if !errors.Is(err, hindsight.ErrUnfit) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Config.") || strings.Contains(err.Error(), "fidelity") {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
