package python_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// The functions of the comparison are those of sim/functions: their boxes, least values, spreads, and values at the maximizers and anywhere.
func TestTheFunctionsOfTheComparisonAreOurs(t *testing.T) {
	interpreter := python(t)
	describe := "import json, functions; json.dump([[f.name, f.low, f.high, f.least, f.stddev] for f in functions.SUITE], __import__('sys').stdout)"
	var suite [][]any
	load := started(t, interpreter, "-c", describe)
	load.Dir = "comparison"
	if err := json.Unmarshal([]byte(passes(t, load)), &suite); err != nil || len(suite) != 6 {
		t.Fatal(err, suite)
	}
	var asked [][2]any
	var want []float64
	for i, f := range suite {
		name := f[0].(string)
		problem, err := sim.NewProblem(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		for j, p := range problem.Space.Parameters() {
			if p.Low != f[1].([]any)[j] || p.High != f[2].([]any)[j] || len(f[1].([]any)) != problem.Space.Dim() {
				t.Errorf("%s: parameter %d is in %v … %v", name, j, p.Low, p.High)
			}
		}
		if !near(-problem.Maximum, f[3].(float64)) || !near(problem.Spread().Stddev, f[4].(float64)) {
			t.Errorf("%s: least %v, standard deviation %v", name, -problem.Maximum, problem.Spread().Stddev)
		}
		for _, u := range problem.Space.Sample(space.Halton, 20, rng.New(1, rng.Test, uint64(i))) {
			x := problem.Space.Value(u)
			asked, want = append(asked, [2]any{name, x}), append(want, -problem.Value(x))
		}
	}
	in, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	evaluate := started(t, interpreter, "comparison/functions.py")
	evaluate.Stdin = bytes.NewReader(in)
	var got []float64
	if err := json.Unmarshal([]byte(passes(t, evaluate)), &got); err != nil || len(got) != len(want) {
		t.Fatal(err, got)
	}
	for i, w := range want {
		if !near(w, got[i]) {
			t.Errorf("%v: %v in Python, %v here", fmt.Sprint(asked[i]), got[i], w)
		}
	}
}

// The comparison runs, goes on with the runs that it has, and has a row for each sampler.
func TestTheComparisonOfSamplersRuns(t *testing.T) {
	interpreter, runs := python(t, "optuna", "numpy"), filepath.Join(t.TempDir(), "runs.jsonl")
	compare := func(seeds string) string {
		cmd := started(t, interpreter, "comparison/compare.py", "--seeds", seeds, "--queries", "20", "--functions", "branin", "--runs", runs)
		return passes(t, cmd)
	}
	compare("1")
	before, _ := os.ReadFile(runs)
	out := compare("2")
	after, _ := os.ReadFile(runs)
	if len(before) == 0 || !bytes.HasPrefix(after, before) || len(after) <= len(before) {
		t.Error("it did not go on with what it had")
	}
	for _, row := range []string{"2 seeds, 1 … 2", "| tarry |", "| TPE |", "| TPE, constant liar |", "| TPE, multivariate, constant liar |", "| CMA-ES |", "| quasi-random |", "| random |"} {
		if strings.Count(out, row) != 3 && !strings.HasPrefix(row, "2 seeds") || !strings.Contains(out, row) {
			t.Errorf("no three tables with %q in\n%s", row, out)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a)) }

// So does the comparison on models that are trained.
func TestTheComparisonOnTrainedModelsRuns(t *testing.T) {
	interpreter, runs := python(t, "optuna", "numpy", "sklearn"), filepath.Join(t.TempDir(), "runs.jsonl")
	for _, seeds := range []string{"1", "2"} {
		out := passes(t, started(t, interpreter, "comparison/trained.py", "--seeds", seeds, "--queries", "13", "--models", "svm-digits,boosting-breast", "--runs", runs))
		for _, row := range []string{seeds + " seeds, 1 … " + seeds, "| sampler | svm-digits | boosting-breast |", "| tarry |", "| tarry, gp-bucb |", "| tarry, log-ei |", "| TPE |", "| TPE, constant liar |", "| TPE, multivariate, constant liar |", "| random |"} {
			if !strings.Contains(out, row) {
				t.Errorf("no %q in\n%s", row, out)
			}
		}
	}
	text, err := os.ReadFile(runs)
	if err != nil || bytes.Count(text, []byte("\n")) != 2*2*7 {
		t.Errorf("%v, %d runs, want those of two seeds once", err, bytes.Count(text, []byte("\n")))
	}
}

// And that on problems of other kinds.
func TestTheComparisonOnOtherKindsRuns(t *testing.T) {
	interpreter, runs := python(t, "optuna", "numpy"), filepath.Join(t.TempDir(), "runs.jsonl")
	for _, seeds := range []string{"1", "2"} {
		out := passes(t, started(t, interpreter, "comparison/kinds.py", "--seeds", seeds, "--queries", "15", "--problems", "pairs_of_words,failing_box", "--runs", runs))
		for _, row := range []string{seeds + " seeds, 1 … " + seeds, "| problem | tarry | tarry, gp-bucb | tarry, log-ei | TPE |", "| CMA-ES | random |", "| failing: after 6 |", "| failing: after 15 |", "| pairs of words |", "| failing box |"} {
			if !strings.Contains(out, row) {
				t.Errorf("no %q in\n%s", row, out)
			}
		}
	}
	text, err := os.ReadFile(runs)
	if err != nil || bytes.Count(text, []byte("\n")) != 2*2*8 {
		t.Errorf("%v, %d runs, want those of two seeds once", err, bytes.Count(text, []byte("\n")))
	}
}

// No trial that has a value is better than the least one, which regret is measured from, and the best of many points comes near it in few dimensions.
func TestTheProblemsOfOtherKindsHaveTheLeastValueThatTheySay(t *testing.T) {
	script := `
import json, sys, numpy, problems
out = []
for _, made in problems.KINDS:
    for make in made:
        chances = numpy.random.default_rng(7)
        p = make(chances)
        x = problems.uniform(p.space, chances, 5000)
        values = [v for v, one in zip(p.value(x), x) if p.told(chances, v, one) is not None]
        out.append([make.__name__, len(p.space), (min(values) - p.least) / (p.mean - p.least)])
json.dump(out, sys.stdout)`
	load := started(t, python(t, "optuna", "numpy"), "-c", script)
	load.Dir = "comparison"
	var found [][]any
	if err := json.Unmarshal([]byte(passes(t, load)), &found); err != nil || len(found) != 18 {
		t.Fatal(err, found)
	}
	for _, p := range found {
		if above, few := p[2].(float64), p[1].(float64) <= 3; above < 0 || few && above > 0.1 {
			t.Errorf("%v: the best of 5000 points is %v of the mean's distance above the least value", p[0], above)
		}
	}
}
