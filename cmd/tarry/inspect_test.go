package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// madeUp keeps a study in a new folder and returns its path. What it does takes virtual time, which begins with the year
// 2000, so that every study made in the same way is the same.
func madeUp(t *testing.T, s tarry.Space, o tarry.Options, do func(*tarry.Study)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	synctest.Test(t, func(t *testing.T) {
		store, err := sqlite.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		o.Journal = store
		if o.Policy == nil {
			if o.Policy, err = tarry.ParsePolicy("random"); err != nil {
				t.Fatal(err)
			}
		}
		study, err := tarry.NewStudy(s, o)
		if err != nil {
			t.Fatal(err)
		}
		defer study.Close()
		do(study)
	})
	return path
}

func space3(t *testing.T) tarry.Space {
	t.Helper()
	s, err := tarry.NewSpace(tarry.LogFloat("lr", 1e-5, 1), tarry.Categorical("kind", "adam", "sgd"), tarry.Float("value", 0, 24).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sampler is a study in which one of everything happens: #1 has a value and a cost, #2 is better, #3 fails twice, #4 is
// infeasible and has a value that does not count, #5 was measured elsewhere, #6 waits for its second attempt, #7 is
// cancelled, #8 is under way, and has been for a minute.
func sampler(t *testing.T) string {
	ask := func(study *tarry.Study, hour float64) tarry.EvaluationID {
		t.Helper()
		q, err := study.Ask(hour)
		if err != nil {
			t.Fatal(err)
		}
		return q.ID
	}
	return madeUp(t, space3(t), tarry.Options{Budget: 12, Initial: 2, Retries: 1, Seed: 3}, func(study *tarry.Study) {
		first, second, third := ask(study, 1), ask(study, 2), ask(study, 3)
		time.Sleep(1500 * time.Millisecond)
		err := study.TellOutcome(first, tarry.Outcome{Value: 1. / 3, Cost: 2.5, Constraints: []float64{-1, -0.25}})
		time.Sleep(time.Minute)
		err = errors.Join(err, study.Tell(second, 1e300), study.Fail(third, errors.New("first try")))
		again := ask(study, 3)
		err = errors.Join(err, study.Fail(again, errors.New("out of memory, \x1b[31mwhich is a \"pity\"\nand more")))
		fourth := ask(study, 4)
		err = errors.Join(err, study.TellOutcome(fourth, tarry.Outcome{Value: 2e300, Constraints: []float64{0.5}}))
		err = errors.Join(err, study.Observe([]float64{0.1, 1, 23.5}, -3))
		sixth, seventh := ask(study, 6), ask(study, 7)
		ask(study, 8)
		time.Sleep(time.Minute)
		if err = errors.Join(err, study.Fail(sixth, errors.New("no GPU")), study.Cancel(seventh.Evaluation, "not any more")); err != nil {
			t.Fatal(err)
		}
	})
}

const samplerText = `
study s.db, begun 2000-01-01 00:00:00 +00:00
policy random, seed 3, maximizes, budget 12 (2 initial)
interrupted: 36 events in 2m2s; go on by: tarry.Resume or tarry.StartOrResume, with the store of sqlite.Open

8 evaluations: 2 pending, 3 observed, 1 failed, 1 cancelled, 1 infeasible; 1 of them measured elsewhere
attempts that failed: 3, attempts at infeasible points: 1
cost 2.5 in all

best         #2  1e+300  lr=0.946833 kind=adam value=2
recommended  the same, as measured: there is no model that says what to expect

#  attempt  status                  value  cost          lr  kind  x.value  chosen at  delay  reason
-------------------------------------------------------------------------------------------------------------------------------------
1        1  observed             0.333333   2.5   0.0116824  sgd         1         0s   1.5s
2        1  observed               1e+300     0    0.946833  adam        2         0s   1m2s
3        2  failed                               0.00799149  sgd         3         0s   1m2s  out of memory,  [31mwhich is a "pity"
4        1  infeasible             2e+300     0    0.648494  adam        4       1m2s     0s  constraint 1 is 0.5: want ≤ 0
5        0  observed, elsewhere        -3     0         0.1  sgd      23.5       1m2s
6        1  pending, waits                       0.00263225  adam        6       1m2s  >1m0s  no GPU
7        1  cancelled                              0.259972  sgd         7       1m2s   1m0s  not any more
8        1  pending                               0.0299634  adam        8       1m2s  >1m0s
`

func TestAStudyAsText(t *testing.T) {
	path := sampler(t)
	got := call(t, "", "inspect", path, "--top", "0")
	if text := strings.ReplaceAll(got.out, path, "s.db"); got.code != exitOK || text != samplerText[1:] || got.log != "" {
		t.Errorf("code %d, log %q:\n%s", got.code, got.log, text)
	}
}

// Costs whose sum is beyond all numbers are told as far as there are numbers.
func TestCostsBeyondAllNumbers(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	path := madeUp(t, s, tarry.Options{Budget: 2}, func(study *tarry.Study) {
		for range 2 {
			q, err := study.Ask()
			must(t, err, study.TellOutcome(q.ID, tarry.Outcome{Value: 1, Cost: 1e308}))
		}
	})
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "\ncost more than 1.79769e+308 in all\n"},
		{[]string{"--json"}, `"cost": null`},
		{[]string{"--json"}, `"cost": 1e+308`},
		{[]string{"--csv"}, "observed,1,1e+308,"},
	} {
		if got := call(t, "", append([]string{"inspect", path}, c.args...)...); got.code != exitOK || !strings.Contains(got.out, c.want) || strings.Contains(got.out, "Inf") {
			t.Errorf("%v: %q is missing in:\n%s", c.args, c.want, got.out)
		}
	}
}

// So are those of fidelities, and how forecasts of extreme values did.
func TestWhatIsBeyondAllNumbersIsNoNumberInText(t *testing.T) {
	dear, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("part", 1, 3).AsFidelity(5e307, 1.2e308))
	must(t, err)
	path := madeUp(t, dear, tarry.Options{Budget: 6}, func(study *tarry.Study) {
		for range 6 {
			q, err := study.Ask()
			must(t, err, study.Tell(q.ID, 1))
		}
	})
	if got := call(t, "", "inspect", path); got.code != exitOK || !strings.Contains(got.out, "\ncost more than 1.79769e+308: ") || strings.Contains(got.out, "Inf") {
		t.Errorf("%+v", got)
	}
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	must(t, err)
	for name, value := range map[string]float64{"great": 1e308, "small": 1e-323} {
		policy, err := tarry.ParsePolicy("gp-bucb")
		must(t, err)
		path := madeUp(t, s, tarry.Options{Budget: 14, Initial: 5, Policy: policy}, func(study *tarry.Study) {
			for k := range 14 {
				q, err := study.Ask()
				must(t, err, study.Tell(q.ID, value*float64(k%3-1)))
			}
		})
		got := call(t, "", "replay", path, "--policy", "gp-bucb")
		if got.code != exitOK || !strings.Contains(got.out, " rmse ") || strings.Contains(got.out, "Inf") || strings.Contains(got.out, "NaN") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestTheRecommendedEvaluationNeedNotBeTheBest(t *testing.T) {
	s, err := inspect(sampler(t))
	if err != nil {
		t.Fatal(err)
	}
	r := s.result()
	s.found.Recommended, s.found.Expected = &r.Evaluations[0], &loop.Prediction{Mean: 0.25, Stddev: 0.125, Noise: 1}
	if text := s.text(look{}); !strings.Contains(text, "best         #2  1e+300  lr=") ||
		!strings.Contains(text, "recommended  #1  0.25 ± 0.12 is expected, 0.333333 was measured  lr=0.0116824 kind=sgd value=1\nnoise        ± ") {
		t.Errorf("text:\n%s", text)
	}
}

func TestTopListsTheBestFirst(t *testing.T) {
	path := sampler(t)
	for _, c := range []struct {
		args []string
		want string // numbers
	}{
		{nil, "2 1 5 6 8"},
		{[]string{"--top", "2"}, "2 1"},
		{[]string{"--top", "100"}, "2 1 5"},
		{[]string{"--top", "0"}, "1 2 3 4 5 6 7 8"},
	} {
		got := call(t, "", append([]string{"inspect", path}, c.args...)...)
		_, rows, _ := strings.Cut(got.out, "---\n")
		var numbers []string
		for row := range strings.Lines(rows) {
			if fields := strings.Fields(row); fields[1] != "more:" {
				numbers = append(numbers, fields[0])
			}
		}
		if listed := strings.Join(numbers, " "); listed != c.want {
			t.Errorf("%v lists %s, want %s:\n%s", c.args, listed, c.want, got.out)
		}
	}
}

func TestWithMinimizeTheSmallestValueIsTheBest(t *testing.T) {
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	path := madeUp(t, s, tarry.Options{Budget: 3, Minimize: true}, func(study *tarry.Study) {
		for _, value := range []float64{3, -1, 2} {
			q, err := study.Ask()
			if err = errors.Join(err, study.Tell(q.ID, value)); err != nil {
				t.Fatal(err)
			}
		}
	})
	got := call(t, "", "inspect", path, "--top", "2")
	for _, want := range []string{"minimizes", "ended: budget spent, after 0s\n", "best         #2  -1  x=", "\n2        1  observed     -1", "\n3        1  observed      2", "\n1 more"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is missing in:\n%s", want, got.out)
		}
	}
}

func TestAStudyWithoutAnyEventIsShown(t *testing.T) {
	s := space3(t)
	path := filepath.Join(t.TempDir(), "a study.db")
	store, err := sqlite.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close() // another has it open meanwhile
	program := journal.ThisProgram()
	program.Go = "go1.0"
	l, err := loop.New(loop.Config{Space: s, Budget: 5})
	if err != nil {
		t.Fatal(err)
	}
	must(t, store.Keep(sessionName, []byte("{}")))
	if err := store.Begin(journal.Header{Format: journal.Format, Config: l.Config(), Program: program}); err != nil {
		t.Fatal(err)
	}
	shows := func(wanted ...string) {
		t.Helper()
		got := call(t, "", "inspect", path)
		for _, want := range wanted {
			if !strings.Contains(got.out, want) {
				t.Errorf("%q is missing in:\n%s", want, got.out)
			}
		}
	}
	shows("no value yet\n", "0 evaluations\n", "written by another program: Go \"go1.0\", now ", " is at it, 0 events")
	folder := filepath.Join(t.TempDir(), "new", "folder")
	for _, form := range []string{"--csv", "--json"} {
		if got := call(t, "", "inspect", path, form, "--plot", folder); got.code != exitOK || got.out == "" {
			t.Errorf("%s: code %d, %s", form, got.code, got.log)
		}
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 8 {
		t.Errorf("%d pictures, %v", len(entries), err)
	}
	store.Close()
	shows("tarry asktell --study '" + path + "'\n")
}

func TestWhatCannotBeInspectedIsNamed(t *testing.T) {
	dir := t.TempDir()
	foreign := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(foreign, []byte("no study"), 0o644); err != nil {
		t.Fatal(err)
	}
	study := sampler(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "STUDY is missing"},
		{[]string{filepath.Join(dir, "none.db")}, "there is no study at"},
		{[]string{foreign}, "is not a study"},
		{[]string{study, "--csv", "--json"}, "--csv and --json: want one of them"},
		{[]string{study, "--json", "--top", "3"}, "--top with --csv or --json"},
		{[]string{study, "--top", "-1"}, "--top = -1: want 0 ≤ top"},
		{[]string{study, "--plot", foreign}, "--plot " + foreign},
	} {
		got := call(t, "", append([]string{"inspect"}, c.args...)...)
		if got.code != exitUsage || !strings.Contains(got.log, c.want) || got.out != "" {
			t.Errorf("%v: code %d, want %q in %q", c.args, got.code, c.want, got.log)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("files were made: %v, %v", entries, err)
	}
}
